import { expect, it } from "vitest";
import { Trigrams } from "./trigrams.ts";

it.each([
  ["a block or two", /\balpha[^\n]{0,800}\bomega\b/, 790],
  ["many blocks", /\balpha[^\n]{0,9000}\bomega\b/, 8990],
  ["a whole segment", /\balpha[^\n]{0,40000}\bomega\b/, 39_000],
])("RV-6: a stretch is found that is longer than %s, wherever it begins", (_what, pattern, length) => {
  const global = new RegExp(pattern.source, "g");
  for (let before = 0; before < 17_000; before += 487) {
    const text = `${"x".repeat(before)} alpha${".".repeat(length)}omega`;
    expect(new Trigrams(text).find(global, () => {})).toEqual([{ start: before + 1, end: text.length }]);
  }
});

it("T26: what is not there is not searched", () => {
  const text = `alpha${".".repeat(20_000)}omega`;
  const looked: number[] = [];
  expect(new Trigrams(text).find(/alpha[^\n]{0,800}omega/g, (count) => looked.push(count))).toEqual([]);
  expect(looked).toEqual([]);
});
