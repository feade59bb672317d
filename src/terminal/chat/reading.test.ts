import fc from "fast-check";
import { expect, test } from "vitest";
import { line } from "../line.ts";
import type { AskedText } from "./asked-text.ts";
import { Reading } from "./reading.ts";

/** Lines of so many characters, no two of which are the same. */
function textOf(lengths: readonly number[]): AskedText {
  let next = 0x4e00;
  const lines = lengths.map((length) => {
    const codes = Array.from({ length }, () => next++);
    return { spans: line(String.fromCodePoint(...codes)), first: [], rest: [] };
  });
  return { title: [], lines, isWhole: true };
}

test("T28: only what was on the screen counts as read, however it is scrolled and whatever size the window gets", () => {
  const size = fc.record({ columns: fc.integer({ min: 4, max: 40 }), rows: fc.integer({ min: 2, max: 12 }) });
  const step = fc.record({
    keys: fc.array(fc.constantFrom(["row", 1], ["page", 1], ["row", -1], ["page", -1] as const), { maxLength: 3 }),
    resized: fc.option(size, { freq: 3 }),
    isShown: fc.boolean(),
  });
  const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 });
  let count = 0;
  fc.assert(
    fc.property(lengths, size, fc.array(step, { maxLength: 40 }), (each, first, steps) => {
      const reading = new Reading(textOf(each));
      const all = each.reduce((sum, length) => sum + length);
      const shown = new Set<string>();
      let room = first;
      for (const { keys, resized, isShown } of steps) {
        for (const [by, way] of keys)
          reading.scroll(reading.view(room), by === "row" ? by : "page", way === 1 ? 1 : -1);
        room = resized ?? room;
        const view = reading.view(room);
        if (isShown) {
          reading.show(view);
          for (const row of view.rows) for (const { text } of row) for (const sign of text) shown.add(sign);
          expect(reading.isRead).toBe(view.isLast);
        }
        if (reading.isRead) expect(shown.size).toBe(all);
      }
      if (reading.isRead) count += 1;
    }),
    { numRuns: 300 },
  );
  // It gets there, too.
  expect(count).toBeGreaterThan(10);
});

test("T28: what is longer than anybody reads is never read, to its last row", () => {
  const whole = textOf(Array.from({ length: 2000 }, () => 1));
  const over = textOf(Array.from({ length: 2001 }, () => 1));
  const cut = { ...textOf([1]), isWhole: false };
  const results = [whole, over, cut].map((text) => {
    const reading = new Reading(text);
    for (let page = 0; page < 50; page++) {
      reading.show(reading.view({ columns: 20, rows: 52 }));
      reading.scroll(reading.view({ columns: 20, rows: 52 }), "page", 1);
    }
    return [reading.isRead, reading.view({ columns: 20, rows: 52 }).isTooLong];
  });
  expect(results).toEqual([
    [true, false],
    [false, true],
    [false, true],
  ]);
});
