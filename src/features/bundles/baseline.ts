import { posix } from "node:path";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { JsonFault } from "../../core/json/tokens.ts";
import { type JsonNode, type JsonObject, parseJsonTree } from "../../core/json/tree.ts";
import { compareBytes } from "../../workspace/lock.ts";
import { loadText } from "../../app/files/yaml-file.ts";

/** A finding that a person accepted, for exactly these bytes. */
export interface Accepted {
  /** Relative to the folder of the baseline, so that it means the same wherever the scan is started. */
  readonly file: string;
  readonly sha256: Digest;
  readonly code: string;
}

/** Where a baseline lies, links followed. Its file need not be there yet. */
export interface BaselinePlace {
  readonly path: string;
  readonly folder: string;
  readonly isThere: boolean;
}

const version = 1;
const mostBytes = 16 * 2 ** 20;
const mostAccepted = 100_000;
/** Far more than a baseline needs. */
const bounds = { depth: 8, string: 4096 };

/** The file that was named on the command line. None is ever looked for: a cloned repository may bring one (T44). */
export async function findBaseline(files: Files, path: string): Promise<BaselinePlace> {
  try {
    const real = await files.resolve(path);
    return { path: real, folder: posix.dirname(real), isThere: true };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "path.missing")) throw error;
    const folder = await files.resolve(posix.dirname(path));
    return { path: posix.join(folder, posix.basename(path)), folder, isThere: false };
  }
}

/** `shown`: as the person named it, for the message. */
export async function loadBaseline(files: Files, { path }: BaselinePlace, shown: string): Promise<readonly Accepted[]> {
  const { text, why } = await loadText(files, path, mostBytes);
  if (text === undefined) throw new AppError("config.invalid", `${safeLine(shown, 240)} cannot be used: ${why}`);
  return parseBaseline(text, shown);
}

/** What is not exactly a baseline refuses the whole file, by line: a part of it would accept what nobody meant. */
export function parseBaseline(text: string, shown: string): readonly Accepted[] {
  try {
    return acceptedIn(parseJsonTree(text, bounds));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const where = `${safeLine(shown, 240)}:${error.line}`;
    throw new AppError("config.invalid", `${where} cannot be used as a baseline: ${safeLine(error.message, 240)}`);
  }
}

/** The same set is the same bytes, one finding a line: a change of it can be read in a diff. */
export function renderBaseline(accepted: readonly Accepted[]): string {
  const unique = new Map(accepted.map((each) => [acceptedKey(each), each]));
  const lines = [...unique.values()]
    .toSorted(
      (a, b) => compareBytes(a.file, b.file) || compareBytes(a.code, b.code) || compareBytes(a.sha256, b.sha256),
    )
    .map(({ file, sha256, code }) => `    ${JSON.stringify({ file, sha256, code })}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  return `{\n  "version": ${version},\n  "accepted": ${list}\n}\n`;
}

/** All three count. Where a path has no bytes of its own, only its name tells a second such path from the first. */
export function acceptedKey({ file, sha256, code }: Accepted): string {
  return JSON.stringify([file, sha256, code]);
}

function acceptedIn(root: JsonNode): readonly Accepted[] {
  const { members } = demandObject(root, ["version", "accepted"]);
  const said = members.get("version");
  if (said?.kind !== "scalar" || said.value !== version)
    throw new JsonFault(`the version is not ${version}, the only one this Skillward reads`, said?.line ?? root.line);
  const list = members.get("accepted");
  if (list?.kind !== "list" || list.items.length > mostAccepted)
    throw new JsonFault(`accepted: expected a list of at most ${mostAccepted}`, list?.line ?? root.line);
  return list.items.map(acceptedOf);
}

function acceptedOf(node: JsonNode): Accepted {
  const object = demandObject(node, ["file", "sha256", "code"]);
  return {
    file: textOf(object, "file", /^./s, "a path relative to the folder of the baseline"),
    sha256: textOf(object, "sha256", /^[0-9a-f]{64}$/, "64 hex digits"),
    code: textOf(object, "code", /^[a-z][a-z0-9.-]{1,63}$/, "the code of a finding"),
  };
}

function demandObject(node: JsonNode, known: readonly string[]): JsonObject {
  if (node.kind !== "object") throw new JsonFault("expected { … }", node.line);
  for (const [key, { line }] of node.members)
    if (!known.includes(key)) throw new JsonFault(`"${key}" is not a known word`, line);
  return node;
}

function textOf({ members, line }: JsonObject, key: string, fits: RegExp, expects: string): string {
  const node = members.get(key);
  if (node?.kind === "scalar" && typeof node.value === "string" && fits.test(node.value)) return node.value;
  throw new JsonFault(`${key}: expected ${expects}`, node?.line ?? line);
}
