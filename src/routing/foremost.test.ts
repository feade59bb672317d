import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Foremost } from "./foremost.ts";

const byNumber = (a: number, b: number) => a - b;

describe("the foremost of many", () => {
  it("RT-3: are the first in order, in whatever order they came", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        (all, most) => {
          const lists = new Foremost(byNumber, most);
          all.forEach((each, at) => {
            expect(lists.add("key", each)).toBe(at > 0);
            if (each % 7 === 0) lists.get("key");
          });
          expect(lists.get("key")).toEqual(all.toSorted(byNumber).slice(0, most));
          expect(lists.get("key")).toBe(lists.get("key"));
          expect(lists.get("other")).toBeUndefined();
        },
      ),
      { numRuns: 200, seed: 5 },
    );
  });

  it("T26: of fifty thousand under one key, each takes a few comparisons", () => {
    let compared = 0;
    const lists = new Foremost<number>((a, b) => (compared++, a - b), 1000);
    // One after the other in the middle of the others: what a sorted list takes longest for.
    for (let at = 0; at < 50_000; at++) lists.add("key", (at * 7919) % 50_000);
    expect(lists.get("key")?.slice(0, 3)).toEqual([0, 1, 2]);
    expect(compared).toBeLessThan(50_000 * 25);
  });
});
