import type { Span } from "../core/json/reader.ts";
import { blankEnd, isWordAt, sign, stringEnd } from "../core/json/tokens.ts";

const backslash = 0x5c;
/** No character is written with more bytes: those of an escape. */
const longestCharacter = 6;

/**
 * The string that a part of a message says, when it is of this type. It is looked for in what the scan has shown to be
 * JSON, and nothing is refused: of a member that is there twice the last one counts, as it does for a parser.
 */
export function textMember(body: Uint8Array, part: Span, type: string): Span | undefined {
  if (body[part.start] !== sign.openObject) return undefined;
  const found: { type?: Span | undefined; text?: Span | undefined } = {};
  for (const { key, value } of membersOf(body, part)) {
    if (isWritten(body, key, "type")) found.type = value;
    else if (isWritten(body, key, "text")) found.text = value;
  }
  return found.type !== undefined && isWritten(body, found.type, type) ? found.text : undefined;
}

interface Member {
  readonly key: Span;
  /** Undefined when it is no string. */
  readonly value: Span | undefined;
}

/** The members of an object, those of others in it aside. */
function* membersOf(body: Uint8Array, { start, end }: Span): Generator<Member> {
  let depth = 0;
  for (let at = start; at < end; ) {
    const byte = body[at];
    if (byte === sign.openObject || byte === sign.openList) depth++;
    if (byte === sign.closeObject || byte === sign.closeList) depth--;
    if (byte !== sign.quote) {
      at++;
      continue;
    }
    const string = stringAt(body, at);
    at = blankEnd(body, string.end);
    if (depth > 1 || body[at] !== sign.colon) continue;
    at = blankEnd(body, at + 1);
    const value = body[at] === sign.quote ? stringAt(body, at) : undefined;
    yield { key: string, value };
    at = value?.end ?? at;
  }
}

function stringAt(body: Uint8Array, start: number): Span {
  return { start, end: stringEnd(body, start) };
}

/** A string in its quotes says this word. Escapes make it longer: only what is so needs more than a look at its bytes. */
function isWritten(body: Uint8Array, { start, end }: Span, word: string): boolean {
  const length = end - start - 2;
  if (length === word.length) return isWordAt(body, start + 1, word);
  if (length < word.length || length > word.length * longestCharacter) return false;
  if (!body.subarray(start, end).includes(backslash)) return false;
  return JSON.parse(Buffer.from(body.subarray(start, end)).toString()) === word;
}
