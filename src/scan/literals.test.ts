import { describe, expect, it } from "vitest";
import { outlineOf } from "./literals.ts";
import { rules } from "./rules.ts";
import { ScanText } from "./text.ts";
import { Trigrams } from "./trigrams.ts";

describe("what must stand in a text for a pattern to fit", () => {
  it.each([
    ["a word", /\bcurl\b/, [["curl"]]],
    ["words with gaps", /ignore[\s>]{1,8}previous/, [["ignore"], ["previous"]]],
    ["one of several", /\b(?:curl|wget)\b/, [["curl", "wget"]]],
    ["a stem with endings", /disable(?:d|s)?\b/, [["disable", "disabled", "disables"]]],
    ["a class of a few letters", /gr[ae]y/, [["gray", "grey"]]],
    ["what may be left out", /(?:please )?run this/, [["run this", "please run this"]]],
    ["what may be left out of much", /(?:\w{1,9} )?download/, [["download"]]],
    ["alternatives that are long", /\bcurl\s{1,3}-o|\bwget\s{1,3}-q/, [["curl", "wget"]]],
    ["escaped signs", /os\.environ/, [["os.environ"]]],
    ["a repetition that must be", /(?:abc){2,4}/, [["abc"]]],
    ["a look behind and ahead", /(?<!not )approve(?! it)/, [["approve"]]],
  ])("%s", (_what, pattern, clauses) => {
    expect(outlineOf(pattern).clauses.map((clause) => clause.toSorted())).toEqual(
      clauses.map((clause) => clause.toSorted()),
    );
  });

  it.each([
    ["an alternative that can be anything", /curl|\w{3,9}/],
    ["short words", /\bsh\b/],
    ["what need not be there", /(?:curl){0,2}/],
    ["a code of a character", /\x41\x42\x43/],
    ["a flag that changes what a letter is", /curl/i],
  ])("nothing for %s", (_what, pattern) => {
    expect(outlineOf(pattern).clauses).toEqual([]);
  });

  it("T26: every pattern of a rule finds what it finds in the whole text", () => {
    const around = "Some words that nobody looks for, line after line.\n".repeat(100);
    let found = 0;
    for (const { match, hostile, benign } of rules)
      for (const text of [...hostile, ...benign]) {
        const { lower } = new ScanText("SKILL.md", `${around}${text}\n${around}${text}\n`);
        const trigrams = new Trigrams(lower);
        for (const pattern of match.patterns.filter(({ global }) => global)) {
          const whole = Array.from(lower.matchAll(pattern), ({ index, 0: fits }) => [index, index + fits.length]);
          expect(trigrams.find(pattern, () => {}).map(({ start, end }) => [start, end])).toEqual(whole);
          found += whole.length;
        }
      }
    expect(found).toBeGreaterThan(1000);
  });
});

describe("how long a stretch can be", () => {
  it.each([
    ["letters", /curl/, 4],
    ["bounds", /a{0,80}b/, 81],
    ["alternatives", /(?:ab|abcd)e/, 5],
    ["what is looked at", /(?<!not )a(?=b)/, 1],
    ["a group", /(?:a{1,5}b){2}/, 12],
    ["no bound", /a*b/, Number.POSITIVE_INFINITY],
  ])("%s", (_what, pattern, longest) => {
    expect(outlineOf(pattern).longest).toBe(longest);
  });

  it("a pattern that asks for the ends of the text is run over all of it", () => {
    expect(outlineOf(/^---/).isLocal).toBe(false);
    expect(outlineOf(/(?:^|\n)a/).isLocal).toBe(false);
    expect(outlineOf(/a/).isLocal).toBe(true);
  });
});
