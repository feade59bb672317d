import type { Store } from "../../../src/store/store.ts";
import type { StorePlace } from "../../support/store-engines.ts";

/** What a test of the contract works in: a new, empty store. */
export interface Room {
  readonly store: Store;
  readonly place: StorePlace;
}

/** A part of the contract: defines tests, each of which asks for its room. */
export type Contract = (room: () => Room) => void;

/** The largest whole number that a double says exactly. */
export const largest = Number.MAX_SAFE_INTEGER;

/**
 * In the order of their bytes, which no locale and no other order has: hyphens and case count, accents come after all
 * letters, and a character beyond the first 65,536 (two code units from 0xd800 on) after one at 0xff5e.
 */
export const inByteOrder = [
  "-",
  "10",
  "9",
  "A",
  "A-b",
  "AB",
  "Z",
  "_",
  "a",
  "a b",
  "a-b",
  "a.b",
  "a/b",
  "ab",
  "aé",
  "z",
  "~",
  "ß",
  "é",
  "éa",
  "ı",
  "中",
  "\ufb00",
  "\uff5e",
  "\u{10000}",
  "😀",
  "😀a",
  "\u{10ffff}",
] as const;

/** The same, so that neither the order they were written in nor its opposite helps. */
export const shuffled: readonly string[] = inByteOrder.toSorted((a, b) => keyOf(a) - keyOf(b));

function keyOf(text: string): number {
  return Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1009, 7);
}

/** A text that would be another one if anything about it were not kept: white space, controls, forms of a letter. */
export const exactText = '\ufeff {"b": 1,\t"a":\r\n"e\u0301 é \\u0000 \u0001\u007f\u0085\u2028😀\ufffd\uffff" }  \n';
