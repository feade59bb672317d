import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patterns } from "../../../test/scope-of.ts";
import { covers } from "../../base/tools/relations.ts";
import type { ToolPattern } from "../../base/tools/tools.ts";
import { areNeverMet } from "./never-met.ts";
import { PathEntries } from "./path-entries.ts";

const nothingForbidden = new PathEntries([]);

describe("SC-3: commands of several groups", () => {
  const words = fc.array(fc.constantFrom("a", "b", "c", "''"), { minLength: 1, maxLength: 3 });
  const entry = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(words, fc.constantFrom("", ":*")).map(([some, end]) => some.join(" ") + end) },
    fc.constant("*"),
  );
  const list = fc.array(entry, { minLength: 1, maxLength: 5 });

  test("are apart exactly when no pattern of theirs lies in one of every group's", () => {
    const seen = { apart: 0, met: 0 };
    fc.assert(
      fc.property(fc.array(list, { minLength: 2, maxLength: 4 }), (written) => {
        const lists = written.map((texts) => patterns(texts.map((text) => `Bash(${text})`)));
        const isShared = (narrow: ToolPattern) => lists.every((each) => each.some((wide) => covers(wide, narrow)));
        const isApart = !lists.flat().some(isShared);
        expect(areNeverMet(lists, nothingForbidden)).toBe(isApart);
        seen[isApart ? "apart" : "met"]++;
      }),
      { seed: 8, numRuns: 3_000 },
    );
    expect(Math.min(seen.apart, seen.met)).toBeGreaterThan(500);
  });

  test("are not told apart by what is refused: more words may make it harmless", () => {
    const lists = [patterns(["Bash(git:*)"]), patterns(["Bash(git config:*)"])];
    expect(areNeverMet(lists, nothingForbidden)).toBe(false);
  });

  test("are not told apart when one of the groups is about something else", () => {
    const [git, ls, file] = [patterns(["Bash(git:*)"]), patterns(["Bash(ls)"]), patterns(["Read(a)"])];
    expect(areNeverMet([git, ls], nothingForbidden)).toBe(true);
    expect(areNeverMet([git, file], nothingForbidden)).toBe(false);
    expect(areNeverMet([file, git, ls], nothingForbidden)).toBe(false);
    expect(areNeverMet([git], nothingForbidden)).toBe(false);
    expect(areNeverMet([], nothingForbidden)).toBe(false);
  });
});

describe("T26: many groups with many commands", () => {
  const groups = 1_000;
  const each = 64;

  /** How often words were looked at, and what came of it. */
  function looked(wordsAt: (group: number, number: number) => readonly string[]) {
    let looks = 0;
    const lists = Array.from({ length: groups }, (_, group) =>
      Array.from({ length: each }, (_entry, number): ToolPattern => {
        const words = wordsAt(group, number);
        const argument = {
          kind: "command" as const,
          isOpen: true,
          get words() {
            looks++;
            return words;
          },
        };
        return { text: words.join(" "), tools: ["shell"], argument };
      }),
    );
    return { isApart: areNeverMet(lists, nothingForbidden), looks };
  }

  test("those with nothing in common are told apart by the first two", () => {
    const { isApart, looks } = looked((group, number) => [`p${group}`, `${number}`]);
    expect(isApart).toBe(true);
    expect(looks).toBeLessThan(10 * each);
  });

  test("where it would take long, it is left open", () => {
    const { isApart, looks } = looked((group, number) => (number === 0 ? [`p${group}`] : ["all", `${number}`]));
    expect(isApart).toBe(false);
    expect(looks).toBeLessThan(50_000);
  });

  test("also when what is shared grows with every group", () => {
    const { isApart, looks } = looked((group, number) =>
      number < each - 1 ? [`a${group}`, `${number}`] : group === 0 ? ["b"] : [`a${group - 1}`],
    );
    expect(typeof isApart).toBe("boolean");
    expect(looks).toBeLessThan(50_000);
  });
});
