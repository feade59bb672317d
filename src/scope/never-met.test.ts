import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patterns } from "../../test/support/scope-of.ts";
import { fits, readCall } from "./tools/calls.ts";
import { covers } from "./tools/patterns.ts";
import type { ToolPattern } from "./tools/tools.ts";
import { areNeverMet, PathEntries } from "./path-entries.ts";

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

describe("SC-3: paths of several groups", () => {
  test.each<[boolean, ...(readonly string[])[]]>([
    [true, ["Edit(src/**)"], ["Edit(docs/**)"]],
    [true, ["Edit(src/**)", "Edit(lib/a)"], ["Edit(docs/**)", "Edit(lib/b)"]],
    [true, ["Edit(**)"], ["Edit(src/**)"], ["Edit(*/**)"], ["Edit(docs/**)"]],
    [true, ["Edit(*.md)"], ["Edit(a.ts)"]],
    [false, ["Edit(src/**)"], ["Edit(docs/**)", "Edit(src/a)"]],
    [false, ["Edit(src/**)"], ["Edit(**/a.ts)"]],
    [false, ["Edit(a*)"], ["Edit(*b)"]],
    [false, ["Edit(src)"], ["Edit(src/**)"]],
    [false, ["Edit(src/**)"], ["Bash(ls)"]],
    [false, ["Edit(src/**)"]],
    [false],
  ])("apart: %s, %j %j", (isApart, ...written) => {
    expect(areNeverMet(written.map(patterns), nothingForbidden)).toBe(isApart);
    expect(areNeverMet(written.map(patterns).toReversed(), nothingForbidden)).toBe(isApart);
  });

  test("are apart only when no path fits both", () => {
    const name = fc.constantFrom("a", "A", "b", "*", "a*", "?", "**", "é", "e*");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `Edit(${names.join("/")})`);
    const list = fc.array(path, { minLength: 1, maxLength: 2 });
    const segment = fc.constantFrom("a", "A", "b", "ab", "é", "e\u0301", "e");
    const called = fc.array(fc.array(segment, { minLength: 1, maxLength: 4 }), { minLength: 20, maxLength: 20 });
    const seen = { apart: 0, met: 0 };
    fc.assert(
      fc.property(list, list, called, (one, other, paths) => {
        const lists = [patterns(one), patterns(other)];
        const isApart = lists.every((each) => each.length > 0) && areNeverMet(lists, nothingForbidden);
        seen[isApart ? "apart" : "met"]++;
        if (!isApart) return;
        for (const segments of paths) {
          const call = readCall({ tool: "patch", paths: [segments.join("/")] });
          expect(lists.every((each) => each.some((pattern) => fits(pattern, call)))).toBe(false);
        }
      }),
      { seed: 8, numRuns: 2_000 },
    );
    expect(Math.min(seen.apart, seen.met)).toBeGreaterThan(100);
  });

  test("T26: where it would take long, it is left open", () => {
    const many = (folder: string) => patterns(Array.from({ length: 64 }, (_, at) => `Edit(${folder}/${at}/**)`));
    expect(areNeverMet([many("src"), many("docs")], nothingForbidden)).toBe(true);
    const alike = [many("src"), many("src"), many("src"), many("src"), many("docs")];
    expect(areNeverMet(alike, nothingForbidden)).toBe(false);
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
