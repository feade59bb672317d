import { expect, test } from "vitest";
import { PastLines } from "./prompt.ts";

test("AG-10: up goes back, down returns to what was being typed, and the ends are ends", () => {
  const past = new PastLines(["a", "b"]);
  expect([past.go(-1, "draft"), past.go(-1, "b"), past.go(-1, "a")]).toEqual(["b", "a", undefined]);
  expect([past.go(1, "a"), past.go(1, "b"), past.go(1, "draft")]).toEqual(["b", "draft", undefined]);
});

test("a line twice in a row is one, and no more than a thousand are kept", () => {
  const past = new PastLines(Array.from({ length: 1500 }, (_, index) => String(index)));
  expect([past.add("x"), past.add("x")]).toEqual([true, false]);
  let count = 0;
  while (past.go(-1, "") !== undefined) count++;
  expect(count).toBe(1000);
});
