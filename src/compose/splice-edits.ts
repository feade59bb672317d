import { LruCache } from "../core/lru-cache.ts";
import type { Container, Span } from "../core/json/reader.ts";
import { behind, inFront } from "./inject-protocols.ts";

/** Bytes of a body that are replaced; none, where something is only put in. */
export interface Edit extends Span {
  readonly text: string;
}

/** Puts a text where the scan of a body found a place for it. */
export type Place = (text: string) => Edit;

/** The body with the edits made, every other byte as it was. */
export function applyEdits(body: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let done = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(body.subarray(done, start), Buffer.from(text));
    done = end;
  }
  return joined([...pieces, body.subarray(done)]);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** In a string, right behind its opening quote. */
export function frontOf(string: Span): Place {
  return (text) => insert(string.start + 1, escaped(inFront(text)));
}

/** In a string, right before its closing quote. */
export function endOf(string: Span): Place {
  const isEmpty = string.end - string.start === 2;
  return (text) => insert(string.end - 1, escaped(behind(isEmpty, text)));
}

/** In the place of a value. */
export function insteadOf(value: Span): Place {
  return (text) => ({ ...value, text: JSON.stringify(text) });
}

/** As the first member of an object. */
export function firstMember(object: Container, key: string): Place {
  return (text) => insert(object.start + 1, `"${key}":${JSON.stringify(text)}${object.isEmpty ? "" : ","}`);
}

/** In a list, in front of everything or behind the element that ends at `after`. */
export function elementOf(list: Container, after: number | undefined, render: (text: string) => object): Place {
  return (text) => {
    const element = JSON.stringify(render(text));
    if (after !== undefined) return insert(after, `,${element}`);
    return insert(list.start + 1, list.isEmpty ? element : `${element},`);
  };
}

/** As the last element of a list. */
export function lastElement(list: Container, render: (text: string) => object): Place {
  return (text) => insert(list.end - 1, (list.isEmpty ? "" : ",") + JSON.stringify(render(text)));
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** What stands between the quotes. Any text gives valid JSON: lone surrogates are written as escapes. */
function escaped(text: string): string {
  return recent.get(text) ?? recent.set(text, JSON.stringify(text).slice(1, -1));
}

/** One block goes into many requests. In characters. */
const recent = new LruCache<string>({ weight: 8 * 1024 * 1024, weightOf: ({ length }) => length * 2 + 1024 });
