import { expect, test } from "vitest";
import { LruCache } from "./lru-cache.ts";

function keptOf(cache: LruCache<string>, keys: readonly string[]): string {
  return keys.filter((key) => cache.get(key) !== undefined).join("");
}

test("the one not used for longest goes first, and using is using", () => {
  const cache = new LruCache<string>({ entries: 3 });
  for (const key of ["a", "b", "c"]) cache.set(key, key);
  cache.get("a");
  cache.set("b", "b again");
  cache.set("d", "d");
  expect(keptOf(cache, ["a", "b", "c", "d"])).toBe("abd");
  expect(cache.get("b")).toBe("b again");
});

test("looking is not using, and what is deleted is gone", () => {
  const cache = new LruCache<string>({ entries: 2, weight: 10, weightOf: ({ length }) => length });
  for (const key of ["a", "b"]) cache.set(key, "12345");
  expect(cache.peek("a")).toBe("12345");
  cache.set("c", "1");
  expect([cache.peek("a"), cache.peek("b"), cache.size]).toEqual([undefined, "12345", 2]);
  cache.delete("b");
  cache.set("d", "123456789");
  expect(keptOf(cache, ["b", "c", "d"])).toBe("cd");
});

test("what is kept again weighs once, as it weighs now", () => {
  const cache = new LruCache<string>({ weight: 10, weightOf: ({ length }) => length });
  cache.set("a", "1234");
  for (const value of ["123456", "123", "1234"]) cache.set("b", value);
  cache.set("c", "12");
  expect(keptOf(cache, ["a", "b", "c"])).toBe("abc");
  cache.set("d", "1");
  expect(keptOf(cache, ["a", "b", "c", "d"])).toBe("bcd");
});

test("what alone weighs more than all may is not kept, and takes nothing with it for long", () => {
  const cache = new LruCache<string>({ weight: 3, weightOf: ({ length }) => length });
  expect(cache.set("a", "1234")).toBe("1234");
  expect(cache.get("a")).toBeUndefined();
  cache.set("b", "123");
  expect(cache.get("b")).toBe("123");
});
