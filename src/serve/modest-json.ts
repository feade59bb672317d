import { AppError } from "../base/error.ts";
import { sign } from "../use/compose/json-tokens.ts";

const deepest = 64;
const backslash = 0x5c;

/**
 * T41: goes over the bytes once and builds nothing. What is nested deeper, or holds more values, than any request that is
 * meant is refused here: to parse it, and to say what is wrong with each of them, would keep everybody else waiting. Whether
 * it is JSON is for the parser to say.
 */
export function demandModest(bytes: Uint8Array, mostValues: number): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === sign.quote) at = closingQuote(bytes, at);
    else if (byte === sign.comma) values++;
    else if (byte === sign.closeList || byte === sign.closeObject) depth--;
    else if (byte === sign.openList || byte === sign.openObject) {
      depth++;
      values++;
    }
    if (depth > deepest) throw tooMuch(`nested more than ${deepest} deep`);
    if (values > mostValues) throw tooMuch(`of more than ${mostValues} values`);
  }
}

function closingQuote(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== sign.quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function tooMuch(what: string): AppError {
  return new AppError("usage.invalid", `the body is ${what}; send less at a time`);
}
