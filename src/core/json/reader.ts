import { isUtf8 } from "node:buffer";
import { safeName } from "../text.ts";
import {
  blankEnd,
  isWordAt,
  type JsonFault,
  type JsonFaultKind,
  jsonFault,
  scalarEnd,
  sign,
  stringEnd,
} from "./tokens.ts";

/** A run of bytes, quotes and brackets included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An object or a list, and whether anything is in it. */
export interface Container extends Span {
  readonly isEmpty: boolean;
}

/** Names of members that are read at one level of a document, by what they are compared with. */
export type Keys = ReadonlyMap<string, string>;

export function createKeys(...names: readonly string[]): Keys {
  return new Map(names.map((name) => [foldKey(name), name]));
}

/**
 * What two names of members are compared by. Readers exist that take `Model` for `model` (those of Go and .NET do),
 * and beside another `model` they would see another value than we do.
 */
export function foldKey(key: string): string {
  // There and back folds what one way keeps apart: ſ and s.
  return key.toUpperCase().toLowerCase();
}

/** The most that is read of a document; what is over it is an `excess`, found before the rest is looked at. */
export interface JsonLimits {
  /** Objects and lists within each other. */
  readonly depth?: number;
  /** Values, an empty object or list counted as two. */
  readonly values?: number;
  /** Bytes of one string as it is written. */
  readonly string?: number;
}

type Kind = "text" | "list" | "object" | "null" | "true" | "other";

const kinds: ReadonlyMap<number | undefined, Kind> = new Map([
  [sign.quote, "text"],
  [sign.openList, "list"],
  [sign.openObject, "object"],
  ["n".charCodeAt(0), "null"],
  ["t".charCodeAt(0), "true"],
]);

const usualDepth = 512;
/** No name we look for is longer when every character of it is written as an escape. */
const longestKey = "previous_response_id".length * 6;
const byteOrderMark = "\u00ef\u00bb\u00bf";

/**
 * Goes over a JSON document once, from left to right, in constant stack, and refuses what is not strictly JSON: what
 * two readers could understand in two ways does not pass. Nothing is built; callers note where things are.
 */
export class JsonReader {
  readonly #bytes: Buffer;
  /** What closes everything that is open, the innermost last. */
  readonly #open: number[] = [];
  readonly #limits: Required<JsonLimits>;
  #at: number;
  #values = 0;
  #line = 0;
  #nextBreak = -1;

  constructor(bytes: Uint8Array, { depth = usualDepth, values = Infinity, string = Infinity }: JsonLimits = {}) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limits = { depth, values, string };
    if (!isUtf8(bytes)) throw jsonFault(bytes, firstBadByte(this.#bytes), "it is not UTF-8", "encoding");
    this.#at = isWordAt(bytes, 0, byteOrderMark) ? 3 : 0;
    this.#count();
  }

  /** Where the reader stands: right behind what was read last. */
  get at(): number {
    return this.#at;
  }

  /** The line on which it stands. To ask on the way costs one pass over the line breaks in all. */
  get line(): number {
    while (this.#nextBreak < this.#at) {
      const next = this.#bytes.indexOf(0x0a, this.#nextBreak + 1);
      this.#nextBreak = next < 0 ? Infinity : next;
      this.#line++;
    }
    return this.#line;
  }

  /** What comes next, by its first byte. Reading it may still show that it is nothing. */
  peek(): Kind {
    return kinds.get(this.#next()) ?? "other";
  }

  /**
   * Reads an object. `onMember` is called for each member that is asked for, by its name, and reads its value; others
   * are passed over. One that is there twice, or under a name that some readers take for the same, is refused.
   */
  readObject(keys: Keys, onMember: (key: string) => void): Container {
    const seen: string[] = [];
    return this.#readContainer(sign.openObject, sign.closeObject, () => {
      const key = this.#readKey(keys, seen);
      this.#expect(sign.colon, '":"');
      if (key === undefined) {
        this.skip();
        return;
      }
      seen.push(key);
      onMember(key);
    });
  }

  /** Reads an object, member by member: `onMember` reads the value of each. No name is refused. */
  readMembers(onMember: (key: string) => void): Container {
    return this.#readContainer(sign.openObject, sign.closeObject, () => {
      const key = this.#textOf(this.#readString());
      this.#expect(sign.colon, '":"');
      onMember(key);
    });
  }

  /** Reads a list; `onElement` reads each element. */
  readList(onElement: () => void): Container {
    return this.#readContainer(sign.openList, sign.closeList, onElement);
  }

  /** Reads any value; of a string the text is returned. */
  readText(): string | undefined {
    const kind = this.peek();
    const span = this.skip();
    return kind === "text" ? this.#textOf(span) : undefined;
  }

  /** Reads what is neither an object nor a list. */
  readScalar(): string | number | boolean | null {
    if (this.peek() === "text") return this.#textOf(this.#readString());
    const start = this.#at;
    this.#at = scalarEnd(this.#bytes, start);
    return JSON.parse(this.#bytes.toString("latin1", start, this.#at));
  }

  /** Passes over any value, and says where it is. */
  skip(): Span {
    this.#next();
    const start = this.#at;
    const depth = this.#open.length;
    do {
      if (!this.#opens()) this.#closeAll(depth);
    } while (this.#open.length > depth);
    return { start, end: this.#at };
  }

  /** To be called last: nothing but white space may follow. */
  finish(): void {
    if (this.#next() !== undefined) throw this.#fault("expected nothing more");
  }

  #fault(what: string, kind?: JsonFaultKind): JsonFault {
    return jsonFault(this.#bytes, this.#at, what, kind);
  }

  /** The first byte of what comes next, white space aside. */
  #next(): number | undefined {
    this.#at = blankEnd(this.#bytes, this.#at);
    return this.#bytes[this.#at];
  }

  /** Reads the beginning of a value. True when its first element, or the value of its first member, comes next. */
  #opens(): boolean {
    const byte = this.#next();
    if (byte === sign.openList) return this.#enter(sign.closeList);
    if (byte === sign.openObject) return this.#enter(sign.closeObject) && this.#skipKey();
    if (byte === sign.quote) this.#passString();
    else this.#at = scalarEnd(this.#bytes, this.#at);
    return false;
  }

  /** After a value: leaves what ends here, up to the next value or until no more than `depth` are open. */
  #closeAll(depth: number): void {
    while (this.#open.length > depth) {
      if (!this.#leave()) {
        if (this.#open.at(-1) === sign.closeObject) this.#skipKey();
        return;
      }
    }
  }

  #readContainer(opens: number, closes: number, onEach: () => void): Container {
    if (this.#next() !== opens) throw this.#fault(opens === sign.openObject ? "expected an object" : "expected a list");
    const start = this.#at;
    const isEmpty = !this.#enter(closes);
    if (!isEmpty)
      do onEach();
      while (!this.#leave());
    return { start, end: this.#at, isEmpty };
  }

  /** Goes into an object or a list. False when it is empty: then it was left again. */
  #enter(closes: number): boolean {
    const { depth } = this.#limits;
    if (this.#open.length === depth) throw this.#fault(`nested more than ${depth} deep`, "excess");
    this.#count();
    this.#at++;
    if (this.#next() !== closes) {
      this.#open.push(closes);
      return true;
    }
    this.#at++;
    return false;
  }

  /** After a value: true when what it was in ended, false when a comma says that more follows. */
  #leave(): boolean {
    const byte = this.#next();
    const closes = this.#open.at(-1);
    if (byte !== sign.comma && byte !== closes)
      throw this.#fault(closes === sign.closeObject ? 'expected "," or "}"' : 'expected "," or "]"');
    this.#at++;
    if (byte === sign.comma) {
      this.#count();
      return false;
    }
    this.#open.pop();
    return true;
  }

  #count(): void {
    const { values } = this.#limits;
    if (++this.#values > values) throw this.#fault(`of more than ${values} values`, "excess");
  }

  #skipKey(): true {
    this.#next();
    this.#passString();
    this.#expect(sign.colon, '":"');
    return true;
  }

  #readString(): Span {
    this.#next();
    const start = this.#at;
    this.#passString();
    return { start, end: this.#at };
  }

  #passString(): void {
    const start = this.#at;
    this.#at = stringEnd(this.#bytes, start);
    if (this.#at - start - 2 > this.#limits.string) throw jsonFault(this.#bytes, start, "a very long text", "excess");
  }

  #readKey(keys: Keys, seen: readonly string[]): string | undefined {
    const span = this.#readString();
    if (span.end - span.start > longestKey + 2) return undefined;
    const text = this.#textOf(span);
    const key = keys.get(foldKey(text));
    if (key === undefined) return undefined;
    if (key !== text) throw jsonFault(this.#bytes, span.start, `some readers take "${safeName(text)}" for "${key}",`);
    if (seen.includes(key)) throw jsonFault(this.#bytes, span.start, `"${key}" is there a second time`);
    return key;
  }

  #textOf({ start, end }: Span): string {
    return unescaped(this.#bytes.toString("utf8", start + 1, end - 1));
  }

  #expect(byte: number, shown: string): void {
    if (this.#next() !== byte) throw this.#fault(`expected ${shown}`);
    this.#at++;
  }
}

/** What a string's bytes say: only what is written with escapes needs more than decoding. */
function unescaped(written: string): string {
  if (!written.includes("\\")) return written;
  const text: unknown = JSON.parse(`"${written}"`);
  return typeof text === "string" ? text : "";
}

/** Decoding puts a mark in the place of what is wrong: there, writing the text again gives other bytes. */
function firstBadByte(raw: Buffer): number {
  const again = Buffer.from(raw.toString("utf8"));
  let at = 0;
  while (raw[at] === again[at]) at++;
  return at;
}
