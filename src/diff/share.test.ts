import { expect, test } from "vitest";
import { share } from "./share.ts";

test("T28: what needs little gets all of it, what needs very much shares the rest evenly", () => {
  expect(share([10_000, 30, 20_000, 50], 1080, 10)).toEqual([500, 30, 500, 50]);
  expect(share([10, 20], 1000, 10)).toEqual([10, 20]);
  expect(share([], 1000, 10)).toEqual([]);
});

test("RV-4: where there is too little for all, the first come first", () => {
  expect(share([100, 100, 100, 100], 250, 100)).toEqual([100, 100, 0, 0]);
  expect(share([100, 100], 0, 50)).toEqual([0, 0]);
});
