import fc from "fast-check";
import { expect, test } from "vitest";
import { inBatches, lastOfEach, selectAll } from "./batches.ts";

async function batchesOf(rows: readonly number[], weightOf?: (row: number) => number): Promise<number[][]> {
  const batches: number[][] = [];
  await inBatches(rows, async (some) => batches.push(some), weightOf);
  return batches;
}

test("RV-11: every row is in one batch, in order; none weighs too much unless it is alone, none could take the next", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 })), async (rows) => {
      const batches = await batchesOf(rows, (row) => row);
      expect(batches.flat()).toEqual(rows);
      const weights = batches.map((some) => some.reduce((sum, row) => sum + row, 0));
      for (const [place, some] of batches.entries()) {
        expect(some.length === 1 || (weights[place] ?? 0) <= 500).toBe(true);
        const [next] = batches[place + 1] ?? [];
        if (next !== undefined) expect((weights[place] ?? 0) + next).toBeGreaterThan(500);
      }
    }),
  );
});

test("RV-11: 500 rows are written at a time, nothing for none", async () => {
  const batches = await batchesOf(Array.from({ length: 1001 }, (_, row) => row));
  expect(batches.map((some) => some.length)).toEqual([500, 500, 1]);
  expect(await batchesOf([])).toEqual([]);
});

test("RV-11: a key is asked for once", async () => {
  const asked: string[] = [];
  const found = await selectAll(["a", "b", "a"], async (some) => {
    asked.push(...some);
    return some;
  });
  expect([asked, found]).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
});

test("RV-11: of two rows with one key the last is written", () => {
  const rows = [
    { id: "a", text: "first" },
    { id: "b", text: "only" },
    { id: "a", text: "last" },
  ];
  expect(lastOfEach(rows, ({ id }) => id)).toEqual([rows[2], rows[1]]);
});
