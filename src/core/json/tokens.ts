/** The bytes that JSON is written with. */
export const sign = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

const backslash = 0x5c;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const zero = 0x30;
const upperE = 0x45;
const lowerE = 0x65;
const lowerU = 0x75;
const firstPrintable = 0x20;
const escapable = new Set(Array.from('"\\/bfnrt', (char) => char.charCodeAt(0)));
const literals = ["true", "false", "null"] as const;

/** `excess`: it may be JSON, but of more than is read here. */
export type JsonFaultKind = "encoding" | "syntax" | "excess";

/** Why a document is not read as JSON, and where. The message quotes at most the name of a member. */
export class JsonFault extends Error {
  readonly kind: JsonFaultKind;
  readonly line: number;
  /** The offset in bytes. */
  readonly at: number;

  constructor(message: string, line: number, at = 0, kind: JsonFaultKind = "syntax") {
    super(message);
    this.line = line;
    this.at = at;
    this.kind = kind;
  }
}

export function jsonFault(bytes: Uint8Array, at: number, what: string, kind?: JsonFaultKind): JsonFault {
  return new JsonFault(what, lineAt(bytes, at), at, kind);
}

function lineAt(bytes: Uint8Array, at: number): number {
  let line = 1;
  for (let from = bytes.indexOf(0x0a); from >= 0 && from < at; from = bytes.indexOf(0x0a, from + 1)) line++;
  return line;
}

/** Where white space ends. */
export function blankEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isBlank(bytes[at])) at++;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Behind the closing quote of the string that starts here. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== sign.quote) throw jsonFault(bytes, start, "expected a string");
  let at = start + 1;
  for (;;) {
    at = plainEnd(bytes, at);
    const byte = bytes[at];
    if (byte === sign.quote) return at + 1;
    if (byte === undefined) throw jsonFault(bytes, at, "a string has no end");
    if (byte !== backslash) throw jsonFault(bytes, at, "a string holds a control character");
    at = escapeEnd(bytes, at);
  }
}

/** The hot loop: nearly all bytes of a body are passed here. */
function plainEnd(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    const byte = bytes[at] ?? 0;
    if (byte === sign.quote || byte === backslash || byte < firstPrintable) break;
    at++;
  }
  return at;
}

function escapeEnd(bytes: Uint8Array, start: number): number {
  const byte = bytes[start + 1];
  if (byte !== undefined && escapable.has(byte)) return start + 2;
  const end = start + 6;
  if (byte !== lowerU || !isHex(bytes, start + 2, end)) throw jsonFault(bytes, start, "a string holds a bad escape");
  return end;
}

function isHex(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    const letter = byte | 0x20;
    if (!isDigit(byte) && (letter < 0x61 || letter > 0x66)) return false;
  }
  return true;
}

/** Behind the number or word that starts here. */
export function scalarEnd(bytes: Uint8Array, start: number): number {
  const byte = bytes[start];
  if (byte === minus || isDigit(byte)) return numberEnd(bytes, start);
  const word = literals.find((literal) => literal.charCodeAt(0) === byte);
  if (word === undefined || !isWordAt(bytes, start, word)) throw jsonFault(bytes, start, "expected a value");
  return start + word.length;
}

export function isWordAt(bytes: Uint8Array, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[start + index] !== word.charCodeAt(index)) return false;
  return true;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === minus ? start + 1 : start;
  at = bytes[at] === zero ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === point) at = digitsEnd(bytes, at + 1);
  if (bytes[at] !== upperE && bytes[at] !== lowerE) return at;
  const isSigned = bytes[at + 1] === plus || bytes[at + 1] === minus;
  return digitsEnd(bytes, isSigned ? at + 2 : at + 1);
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  if (at === start) throw jsonFault(bytes, at, "expected a digit");
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= 0x39;
}
