import fc from "fast-check";
import { expect, test } from "vitest";
import { pageOf } from "./skill-uri.ts";

const sorted = fc.uniqueArray(fc.string({ unit: "binary" })).map((keys) => keys.toSorted());

test("SV-5: pages have every item once and in order, however many there are", () => {
  fc.assert(
    fc.property(sorted, fc.integer({ min: 1, max: 5 }), (keys, size) => {
      const seen: string[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const { items, nextCursor } = pageOf(keys, (key) => key, size, cursor);
        seen.push(...items);
        [cursor, more] = [nextCursor, nextCursor !== undefined];
        expect(items.length).toBeLessThanOrEqual(size);
      }
      expect(seen).toEqual(keys.map((key) => key));
    }),
  );
});

test("SV-5: what came or went meanwhile moves nothing: a page goes on behind the last item of the one before", () => {
  const { nextCursor } = pageOf(["a", "c", "e", "g"], (key) => key, 2, undefined);
  expect(pageOf(["b", "d", "e", "f"], (key) => key, 9, nextCursor).items).toEqual(["d", "e", "f"]);
});

test("SV-5: a cursor that is none of ours is refused", () => {
  for (const cursor of ["", "x", "YWZ0ZXI", "∞", "a".repeat(10_000)])
    expect(() => pageOf(["a"], (key) => key, 1, cursor)).toThrow("there is no such page");
});
