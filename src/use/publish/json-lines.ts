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

/** Why a text is not the JSON it should be, and where. */
export class JsonFault extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const deepest = 8;
const longestText = 4096;
const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);

/** Strict, and stricter than most: a key that stands twice is refused, since readers disagree on which one counts. */
export function parseJsonLines(text: string): JsonNode {
  return new LineReader(text).whole();
}

class LineReader {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonNode {
    const value = this.#value(0);
    if (this.#next() !== "") throw this.#fault("expected nothing more");
    return value;
  }

  #value(depth: number): JsonNode {
    const first = this.#next();
    const line = this.#line;
    if (depth > deepest) throw this.#fault(`nested more than ${deepest} deep`);
    if (first === "{") return { kind: "object", members: this.#members(depth), line };
    if (first === "[") return { kind: "list", items: this.#items(depth), line };
    return { kind: "scalar", value: first === '"' ? this.#string() : this.#word(), line };
  }

  #members(depth: number): Map<string, JsonNode> {
    const members = new Map<string, JsonNode>();
    this.#each("}", () => {
      if (this.#next() !== '"') throw this.#fault("expected a key in quotes");
      const line = this.#line;
      const key = this.#string();
      if (members.has(key)) throw new JsonFault(`"${key}" is there a second time`, line);
      if (this.#next() !== ":") throw this.#fault('expected ":"');
      this.#at++;
      members.set(key, this.#value(depth + 1));
    });
    return members;
  }

  #items(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    this.#each("]", () => items.push(this.#value(depth + 1)));
    return items;
  }

  #each(closes: string, read: () => void): void {
    this.#at++;
    let isEmpty = true;
    while (this.#next() !== closes || !isEmpty) {
      read();
      isEmpty = false;
      const after = this.#next();
      if (after !== "," && after !== closes) throw this.#fault(`expected "," or "${closes}"`);
      if (after === closes) break;
      this.#at++;
    }
    this.#at++;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    for (let code = this.#text.charCodeAt(end); code !== quote; code = this.#text.charCodeAt(end)) {
      // Not a number: the text is over.
      if (Number.isNaN(code) || end - start > longestText)
        throw this.#fault("a text without an end, or a very long one");
      end += code === backslash ? 2 : 1;
    }
    this.#at = end + 1;
    const value = this.#read(this.#text.slice(start, this.#at));
    return typeof value === "string" ? value : "";
  }

  #word(): number | boolean | null {
    const [word = ""] = /^[-+.\w]{0,32}/.exec(this.#text.slice(this.#at, this.#at + 33)) ?? [];
    const value = this.#read(word);
    if (typeof value !== "number" && typeof value !== "boolean" && value !== null)
      throw this.#fault("expected a value");
    this.#at += word.length;
    return value;
  }

  #read(token: string): unknown {
    try {
      return JSON.parse(token);
    } catch {
      throw this.#fault(token === "" ? "expected a value" : "not JSON");
    }
  }

  /** The character that comes next, white space aside; empty at the end. */
  #next(): string {
    for (; ; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === "\n") this.#line++;
      else if (char !== " " && char !== "\r" && char !== "\t") return char;
    }
  }

  #fault(message: string): JsonFault {
    return new JsonFault(message, this.#line);
  }
}
