import { expect, test } from "vitest";
import { ahead } from "./ahead.ts";

test("results come in order, with no more under way than asked for", async () => {
  let running = 0;
  let most = 0;
  const act = async (item: number) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 7 - item; turn++) await Promise.resolve();
    running--;
    return item * 10;
  };
  const seen: number[] = [];
  for await (const result of ahead([1, 2, 3, 4, 5, 6], 3, act)) seen.push(result);
  expect({ seen, most, running }).toEqual({ seen: [10, 20, 30, 40, 50, 60], most: 3, running: 0 });
});

test("a fault is thrown where its result would have come", async () => {
  const seen: number[] = [];
  const read = async () => {
    const act = async (item: number) => {
      if (item === 2) throw new Error("two");
      return item;
    };
    for await (const result of ahead([1, 2, 3], 3, act)) seen.push(result);
  };
  await expect(read()).rejects.toThrow("two");
  expect(seen).toEqual([1]);
});

test("whoever stops early gets nothing started but what was ahead", async () => {
  const started: number[] = [];
  const act = async (item: number) => void started.push(item);
  for await (const _ of ahead([1, 2, 3, 4, 5, 6], 2, act)) break;
  expect(started).toEqual([1, 2, 3]);
});
