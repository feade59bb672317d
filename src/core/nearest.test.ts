import { expect, test } from "vitest";
import { nearest, nearestFew, nearestPath } from "./nearest.ts";

test.each([
  ["reviewer", "reviewers"],
  ["Files", "files"],
  ["flies", "files"],
  ["fliez", undefined],
  ["secnods", "seconds"],
  ["separate_adder", "separate-adder"],
  ["elephant", undefined],
  ["", undefined],
])("a mistyped %j may mean %j", (word, meant) => {
  expect(nearest(word, ["reviewers", "files", "seconds", "separate-adder"])).toBe(meant);
});

test("T26: a long word is not compared letter by letter", () => {
  const known = Array.from({ length: 200 }, () => "retention-days");
  expect(nearest("files".repeat(1_000_000), known)).toBeUndefined();
});

test("of two near words the nearer", () => {
  expect(nearest("daat", ["date", "data"])).toBe("data");
  expect(nearest("dats", ["debts", "data"])).toBe("data");
});

test("several, the nearest first, among equals as they come, and no more than asked for", () => {
  const known = ["date", "debts", "data", "dates", "elephant"];
  expect(nearestFew("data", known, 3)).toEqual(["data", "date"]);
  expect(nearestFew("dates", known, 2)).toEqual(["dates", "date"]);
  expect(nearestFew("zebra", known, 3)).toEqual([]);
});

test("a key in the wrong section finds home", () => {
  expect(nearestPath("usage.byte", ["sync.bytes", "usage.retention-days"])).toBe("sync.bytes");
  expect(nearestPath("sync.nothing", ["sync.bytes"])).toBeUndefined();
});
