import { type JsonLimits, JsonReader } from "./reader.ts";
import { JsonFault } from "./tokens.ts";

/** JSON with the line of every value. Objects are Maps, in which `__proto__` is a word like any other. */
export type JsonNode = JsonObject | JsonList | JsonScalar;

export interface JsonObject {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, JsonNode>;
  readonly line: number;
}

interface JsonList {
  readonly kind: "list";
  readonly items: readonly JsonNode[];
  readonly line: number;
}

interface JsonScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  readonly line: number;
}

/** Strict, and stricter than most: a key that stands twice is refused, since readers disagree on which one counts. */
export function parseJsonTree(text: string, limits: JsonLimits): JsonNode {
  const json = new JsonReader(Buffer.from(text), limits);
  const node = readNode(json);
  json.finish();
  return node;
}

function readNode(json: JsonReader): JsonNode {
  const kind = json.peek();
  const { line } = json;
  if (kind === "object") return { kind, members: readMembers(json), line };
  if (kind !== "list") return { kind: "scalar", value: json.readScalar(), line };
  const items: JsonNode[] = [];
  json.readList(() => items.push(readNode(json)));
  return { kind, items, line };
}

function readMembers(json: JsonReader): ReadonlyMap<string, JsonNode> {
  const members = new Map<string, JsonNode>();
  json.readMembers((key) => {
    if (members.has(key)) throw new JsonFault(`"${key}" is there a second time`, json.line);
    members.set(key, readNode(json));
  });
  return members;
}
