import fc from "fast-check";
import { expect, test } from "vitest";
import { createMutex, createSemaphore } from "./mutex.ts";

test("T38: never more than allowed run at once, each runs once, in the order they came", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }),
      async (most, lengths) => {
        const inTurn = createSemaphore(most);
        const begun: number[] = [];
        let [running, highest] = [0, 0];
        const acts = lengths.map((length, place) =>
          inTurn(async () => {
            begun.push(place);
            highest = Math.max(highest, ++running);
            for (let step = 0; step < length; step++) await Promise.resolve();
            running--;
            return place;
          }),
        );
        expect(await Promise.all(acts)).toEqual([...lengths.keys()]);
        expect(begun).toEqual([...lengths.keys()]);
        expect(highest).toBe(Math.min(most, lengths.length));
      },
    ),
    { numRuns: 100 },
  );
});

test("T38: whoever comes when a turn is handed on waits too", async () => {
  const moments = fc.array(fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 5 })), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), moments, async (most, visits) => {
      const inTurn = createSemaphore(most);
      let [running, highest] = [0, 0];
      const visit = async ([comes, stays]: [number, number]) => {
        await steps(comes);
        await inTurn(async () => {
          highest = Math.max(highest, ++running);
          await steps(stays);
          running--;
        });
      };
      await Promise.all(visits.map(visit));
      expect(highest).toBeLessThanOrEqual(most);
    }),
    { numRuns: 200 },
  );
});

async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step++) await Promise.resolve();
}

test("T38: an act that fails gives its turn back", async () => {
  const inTurn = createMutex();
  const failing = Array.from({ length: 3 }, () => inTurn(() => Promise.reject(new Error("no"))));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await inTurn(async () => "yes")).toBe("yes");
});
