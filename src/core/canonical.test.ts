import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, type Plain } from "./canonical.ts";

/** The same once more, as plainly as it can be said. */
function plainly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainly).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${plainly(field)}`).join(",")}}`;
}

const value = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Plain>;

describe("RV-8: the text that is hashed", () => {
  test("RV-8: law: is the one text of a value, and reads as that value", () => {
    fc.assert(
      fc.property(value, (each) => {
        expect(canonicalJson(each)).toBe(plainly(each));
        expect(canonicalJson(JSON.parse(canonicalJson(each)))).toBe(canonicalJson(each));
      }),
    );
  });

  test("RV-8: does not depend on the order in which fields were written, by code units and not by code points", () => {
    const keys = ["b", "a", "\u{1f600}", "\uffff", "10", "9", "", "__proto__"];
    const forward: Plain = Object.fromEntries(keys.map((key) => [key, key]));
    const backward: Plain = Object.fromEntries(keys.toReversed().map((key) => [key, key]));
    expect(canonicalJson(forward)).toBe(canonicalJson(backward));
    expect(canonicalJson({ "\uffff": 1, "\u{1f600}": 2 })).toBe('{"\u{1f600}":2,"\uffff":1}');
  });

  test("RV-8: leaves out what is undefined, and keeps null", () => {
    expect(canonicalJson({ a: undefined, b: null, c: [] })).toBe('{"b":null,"c":[]}');
  });
});
