import fc from "fast-check";
import { expect, test } from "vitest";
import { ahead, createMutex, createSemaphore, createSingleFlight } from "./async.ts";

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

test("who asks while a run is under way joins it; who asks afterwards starts another", async () => {
  const flight = createSingleFlight<number>();
  let runs = 0;
  const act = async () => {
    await Promise.resolve();
    return ++runs;
  };
  expect(flight.underWay).toBeUndefined();
  const [first, second] = [flight.run(act), flight.run(act)];
  expect(flight.underWay).toBe(first);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(flight.underWay).toBeUndefined();
  expect(await flight.run(act)).toBe(2);
});

test("a run that fails, fails for all who joined it, and the next one is a new one", async () => {
  const flight = createSingleFlight<string>();
  const fail = async () => Promise.reject(new Error("no"));
  const [first, second] = await Promise.allSettled([flight.run(fail), flight.run(fail)]);
  expect([first.status, second.status]).toEqual(["rejected", "rejected"]);
  expect(await flight.run(async () => "yes")).toBe("yes");
});

test("an act that throws at once leaves nothing under way", async () => {
  const flight = createSingleFlight();
  const broken = () => {
    throw new Error("no");
  };
  expect(() => flight.run(broken)).toThrow("no");
  expect(flight.underWay).toBeUndefined();
});
