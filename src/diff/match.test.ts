import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchEqual, Steps } from "./match.ts";

const few = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 24 });

/** The most that two lists have in common, by the book. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const x of a) {
    const next = [0];
    for (const [at, y] of b.entries())
      next.push(x === y ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Both sides rise, and what they name is there and equal. */
function isTrue(a: readonly string[], b: readonly string[], matches: readonly (readonly [number, number])[]): boolean {
  return matches.every(([x, y], at) => {
    const [lastX, lastY] = matches[at - 1] ?? [-1, -1];
    return x > lastX && y > lastY && x < a.length && y < b.length && a[x] === b[y];
  });
}

describe("RV-4: what two lists have in common", () => {
  test("RV-4: law: is in both, in order, however few the steps", () => {
    fc.assert(
      fc.property(few, few, fc.nat({ max: 60 }), (a, b, steps) => {
        expect(isTrue(a, b, matchEqual(a, b, new Steps(steps)))).toBe(true);
      }),
    );
  });

  test("RV-4: law: is as much as there is, where nothing occurs just once on both sides", () => {
    fc.assert(
      fc.property(few, few, (a, b) => {
        const twice = (list: readonly string[]) => list.flatMap((each) => [each, each]);
        expect(matchEqual(twice(a), twice(b), new Steps(1e6))).toHaveLength(longestCommon(twice(a), twice(b)));
      }),
    );
  });

  test("RV-4: holds on to what occurs once", () => {
    const before = ["{", "one", "}", "{", "two", "}"];
    const after = ["{", "new", "}", "{", "one", "}", "{", "two", "}"];
    expect(matchEqual(before, after, new Steps(0)).map(([x, y]) => [before[x], y])).toContainEqual(["one", 4]);
  });

  test("T26: a rewritten text costs no steps, a shuffled one no more than it is given", () => {
    const numbers = Array.from({ length: 5000 }, (_, at) => at);
    expect(
      matchEqual(
        numbers.map((n) => `a${n}`),
        numbers.map((n) => `b${n}`),
        new Steps(0),
      ),
    ).toEqual([]);
    const [a, b] = [numbers.map((n) => `${(n * 7) % 11}`), numbers.map((n) => `${(n * 5) % 13}`)];
    expect(isTrue(a, b, matchEqual(a, b, new Steps(10_000)))).toBe(true);
    const swapped = [
      ["a", "b", "a", "b"],
      ["b", "a", "b", "a"],
    ] as const;
    expect(matchEqual(...swapped, new Steps(100))).toHaveLength(3);
    expect(matchEqual(...swapped, new Steps(1))).toEqual([]);
  });
});
