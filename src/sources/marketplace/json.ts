import { type Fields, fieldsOf, parseJson } from "../../core/json/json.ts";
import { JsonReader } from "../../core/json/reader.ts";
import { JsonFault } from "../../core/json/tokens.ts";

export interface JsonFile {
  readonly fields: Fields;
  /** The line on which each of the plugins begins, in their order. */
  readonly pluginLines: readonly number[];
}

/** No marketplace and no plugin nests further; a parser must not be led to where its stack ends. */
const deepest = 64;

/** Reads a JSON object within bounds, or says what is wrong and on which line. A byte order mark is not part of it. */
export function parseJsonFile(
  bytes: Uint8Array,
  most: number,
): JsonFile | { readonly why: string; readonly line: number } {
  if (bytes.length > most) return { why: `it is larger than ${most} bytes`, line: 1 };
  try {
    const pluginLines = readPluginLines(bytes);
    const fields = fieldsOf(parseJson(bytes));
    return fields === undefined ? { why: "it is not a JSON object", line: 1 } : { fields, pluginLines };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.kind === "excess") return { why: `it is nested deeper than ${deepest}`, line: error.line };
    return error.kind === "encoding"
      ? { why: "it is not UTF-8", line: 1 }
      : { why: "it is not JSON", line: error.line };
  }
}

/** Of a list of that name that stands twice the last one counts, as it does for the parser. */
function readPluginLines(bytes: Uint8Array): readonly number[] {
  const json = new JsonReader(bytes, { depth: deepest });
  let lines: number[] = [];
  if (json.peek() !== "object") json.skip();
  else
    json.readMembers((key) => {
      if (key !== "plugins" || json.peek() !== "list") {
        json.skip();
        return;
      }
      lines = [];
      json.readList(() => {
        json.peek();
        lines.push(json.line);
        json.skip();
      });
    });
  json.finish();
  return lines;
}
