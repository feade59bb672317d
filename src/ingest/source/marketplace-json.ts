/** The fields of an object from outside. A map: no name in it can reach a prototype (T21). */
export type Fields = ReadonlyMap<string, unknown>;

export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return new Map<string, unknown>(Object.entries(value));
}

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
  const text = decodedText(bytes);
  if (text === undefined) return { why: "it is not UTF-8", line: 1 };
  const { deepLine, pluginLines } = scan(text);
  if (deepLine !== undefined) return { why: `it is nested deeper than ${deepest}`, line: deepLine };
  try {
    const fields = fieldsOf(JSON.parse(text));
    return fields === undefined ? { why: "it is not a JSON object", line: 1 } : { fields, pluginLines };
  } catch (error) {
    return { why: "it is not JSON", line: lineOf(text, error) };
  }
}

function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What the parser says quotes the text; only the place is taken from it. */
function lineOf(text: string, error: unknown): number {
  const position = /position ([0-9]+)/.exec(error instanceof Error ? error.message : "")?.[1];
  return position === undefined ? 1 : text.slice(0, Number(position)).split("\n").length;
}

interface Scanned {
  readonly deepLine?: number;
  readonly pluginLines: readonly number[];
}

/** One pass over the text, before anything is parsed: how deep it goes, and where the plugins stand. */
function scan(text: string): Scanned {
  let [line, depth, key, isListed, isAwaited] = [1, 0, "", false, false];
  let lines: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\n") line++;
    if (char === " " || char === "\n" || char === "\r" || char === "\t") continue;
    if (isListed && isAwaited && depth === 2 && char !== "]") lines.push(line);
    if (depth === 2) isAwaited = char === ",";
    if (char === '"') {
      const end = endOfString(text, at);
      if (depth === 1) key = text.slice(at + 1, Math.min(end, at + 16));
      at = end;
    } else if (char === "{" || char === "[") {
      if (++depth > deepest) return { deepLine: line, pluginLines: [] };
      if (depth !== 2) continue;
      [isListed, isAwaited] = [char === "[" && key === "plugins", true];
      if (isListed) lines = [];
    } else if (char === "}" || char === "]") depth--;
  }
  return { pluginLines: lines };
}

/** Where the string that begins at `start` has its closing quote; the end of the text where it has none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at++;
    else if (char === '"') return at;
  }
  return text.length;
}
