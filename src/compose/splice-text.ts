import { JsonReader, type Span } from "../core/json/reader.ts";
import { blankEnd, isWordAt, sign, stringEnd } from "../core/json/tokens.ts";
import { joinTexts, longestEnd } from "./inject.ts";

const [quote, backslash, lowerU] = [0x22, 0x5c, 0x75];
/** Bytes that one character takes at most: those of its escape. */
const longestCharacter = 6;

/** A string of a body in its quotes, or a part of a message, which has one when it is of this type. */
interface Noted extends Span {
  readonly textType?: string;
}

/** The texts of one message by where they stand in a body. They are looked at only when somebody asks for them. */
export class Said {
  readonly #noted: Noted[] = [];

  add(string: Span): void {
    this.#noted.push(string);
  }

  addPart({ start, end }: Span, textType: string): void {
    this.#noted.push({ start, end, textType });
  }

  /** There is no word in it. */
  isSilent(body: Uint8Array): boolean {
    return this.#noted.every((noted) => {
      const string = stringOf(body, noted);
      return string === undefined || string.end - string.start === 2;
    });
  }

  read(body: Uint8Array): string {
    return joinTexts(bothEnds(this.#noted, (noted) => decoded(body, stringOf(body, noted))));
  }
}

function stringOf(body: Uint8Array, noted: Noted): Span | undefined {
  return noted.textType === undefined ? noted : textMember(body, noted, noted.textType);
}

/** The texts that anybody reads: of many long ones those in the middle are left where they are. */
function bothEnds(all: readonly Noted[], read: (noted: Noted) => string | undefined): readonly string[] {
  const front = upToEnough(all, read);
  const rest = all.slice(front.used);
  return [...front.texts, ...upToEnough(rest.toReversed(), read).texts.toReversed()];
}

function upToEnough(all: readonly Noted[], read: (noted: Noted) => string | undefined) {
  const texts: string[] = [];
  let [used, length] = [0, 0];
  for (const noted of all) {
    if (length > longestEnd) break;
    used++;
    const text = read(noted);
    if (text === undefined) continue;
    texts.push(text);
    length += text.length + 1;
  }
  return { texts, used };
}

/** More characters than are read of one end are in so many bytes, also when those of a cut one are missing. */
const enough = (longestEnd + 2) * longestCharacter;

/** What a string says; of a very long one both ends, which are more than anybody reads. The scan has shown that it is one. */
function decoded(body: Uint8Array, string: Span | undefined): string | undefined {
  if (string === undefined) return undefined;
  const [start, end] = [string.start + 1, string.end - 1];
  if (end - start <= enough * 2) return textOf(body.subarray(start, end));
  const head = body.subarray(start, wholeUpTo(body, start, start + enough));
  const tail = body.subarray(wholeUpTo(body, start, end - enough), end);
  return textOf(head) + textOf(tail);
}

function textOf(written: Uint8Array): string {
  const mark = Buffer.of(quote);
  return new JsonReader(Buffer.concat([mark, written, mark])).readText() ?? "";
}

/** The last place up to `most` that is not within a character or an escape. */
function wholeUpTo(body: Uint8Array, start: number, most: number): number {
  let at = most;
  while (isWithinCharacter(body[at])) at--;
  for (let before = Math.max(start, at - longestCharacter); before < at; before++)
    if (escapeEnd(body, start, before) > at) return before;
  return at;
}

function isWithinCharacter(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Behind the escape that begins here; 0 when none does: every second backslash of a row is what the first one stands for. */
function escapeEnd(body: Uint8Array, start: number, at: number): number {
  let first = at;
  while (first >= start && body[first] === backslash) first--;
  if ((at - first) % 2 === 0) return 0;
  return at + (body[at + 1] === lowerU ? longestCharacter : 2);
}

/**
 * The string that a part of a message says, when it is of this type. It is looked for in what the scan has shown to be
 * JSON, and nothing is refused: of a member that is there twice the last one counts, as it does for a parser.
 */
function textMember(body: Uint8Array, part: Span, type: string): Span | undefined {
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
