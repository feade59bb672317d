import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitsAll, fitsHead, fitsSegment, mayHold, slowForm } from "./glob.ts";

/** By trying everything, which takes as long as it takes. */
function fitsSlowly(pattern: readonly string[], path: readonly string[], star: string): boolean {
  const [wanted, ...more] = pattern;
  if (wanted === undefined) return path.length === 0;
  const [first, ...rest] = path;
  if (wanted === star)
    return fitsSlowly(more, path, star) || (path.length > 0 && fitsSlowly(pattern, path.slice(1), star));
  if (first === undefined) return false;
  const isFit =
    star === "**" ? fitsSlowly(Array.from(wanted), Array.from(first), "*") : wanted === "?" || wanted === first;
  return isFit && fitsSlowly(more, rest, star);
}

const segment = fc.string({ unit: fc.constantFrom("a", "b", "😀"), minLength: 1, maxLength: 4 });
const path = fc.array(segment, { maxLength: 5 });
const name = fc.string({ unit: fc.constantFrom("a", "a", "b", "😀", "*", "?"), minLength: 1, maxLength: 5 });
const pattern = fc
  .array(fc.oneof(fc.constant("**"), fc.constantFrom("a", "b", "*"), name), { minLength: 1, maxLength: 6 })
  .filter((segments) => segments.every((each) => each === "**" || !each.includes("**")));

describe("SC-7: patterns and paths", () => {
  test("fit where trying everything finds that they do", () => {
    const met = { all: 0, head: 0, hold: 0 };
    fc.assert(
      fc.property(pattern, path, (wanted, segments) => {
        const all = fitsSlowly(wanted, segments, "**");
        expect(fitsAll(wanted, segments, segments.length)).toBe(all);
        const heads = [[], ...segments.map((_, at) => segments.slice(0, at + 1))];
        const head = heads.some((each) => fitsSlowly(wanted, each, "**"));
        expect(fitsHead(wanted, segments)).toBe(head);
        // Something in it fits when the path fits some beginning of the pattern, up to any of its folders.
        const hold =
          wanted.some((_, at) => fitsSlowly(wanted.slice(0, at + 1), segments, "**")) || segments.length === 0;
        expect(mayHold(wanted, segments)).toBe(hold);
        if (all) met.all++;
        if (head) met.head++;
        if (hold) met.hold++;
      }),
      { numRuns: 6000, seed: 3 },
    );
    expect(Math.min(met.all, met.head, met.hold)).toBeGreaterThan(300);
  });

  test("so do names", () => {
    let met = 0;
    fc.assert(
      fc.property(name, segment, (wanted, found) => {
        if (wanted === "**") return;
        const isFit = fitsSlowly(Array.from(wanted), Array.from(found), "*");
        expect([wanted, found, fitsSegment(wanted, found)]).toEqual([wanted, found, isFit]);
        if (isFit) met++;
      }),
      { numRuns: 6000, seed: 3 },
    );
    expect(met).toBeGreaterThan(300);
  });

  test("T26: no pattern takes longer than its length times that of the path", () => {
    const started = performance.now();
    for (const piece of ["*a", "*?", "*a?", "?*"]) {
      const wanted = `${piece.repeat(500)}b`;
      expect(fitsSegment(wanted, "a".repeat(10_000))).toBe(false);
      expect(fitsAll(["**", ...Array(200).fill(wanted)], Array(200).fill("a".repeat(200)), 200)).toBe(false);
    }
    expect(fitsAll(Array.from({ length: 500 }, () => ["**", "a"]).flat(), Array(5000).fill("b"), 5000)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("T33: a pattern that was changed is read again", () => {
    const changing = ["docs", "*"];
    expect(fitsAll(changing, ["docs", "a"], 2)).toBe(true);
    changing[0] = "src";
    expect(fitsAll(changing, ["docs", "a"], 2)).toBe(false);
    expect(fitsHead(changing, ["src", "a"])).toBe(true);
    expect(mayHold(changing, ["docs"])).toBe(false);
  });

  test.each([
    [["*a*b*c*"], null],
    [["*a*b*c*d*"], "a name has at most 4 `*`"],
    [["?a*b?"], null],
    [["*a?b*"], "`?` does not stand between two `*` of a name"],
    [["a", "b", "c", "d", "e", "**", "a", "b", "c", "d"], null],
    [["**", "a", "b", "c", "d", "e"], "behind `**` stand at most 4 names"],
  ])("T26: what would be slow is told: %j %s", (segments, why) => {
    expect(slowForm(segments)).toBe(why);
  });
});
