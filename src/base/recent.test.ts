import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

function keptOf(recent: Recent<string>, keys: readonly string[]): string {
  return keys.filter((key) => recent.get(key) !== undefined).join("");
}

test("the one not used for longest goes first, and using is using", () => {
  const recent = new Recent<string>(3);
  for (const key of ["a", "b", "c"]) recent.keep(key, key);
  recent.get("a");
  recent.keep("b", "b again");
  recent.keep("d", "d");
  expect(keptOf(recent, ["a", "b", "c", "d"])).toBe("abd");
  expect(recent.get("b")).toBe("b again");
});

test("what is kept again weighs once, as it weighs now", () => {
  const recent = new Recent<string>(10, ({ length }) => length);
  recent.keep("a", "1234");
  for (const value of ["123456", "123", "1234"]) recent.keep("b", value);
  recent.keep("c", "12");
  expect(keptOf(recent, ["a", "b", "c"])).toBe("abc");
  recent.keep("d", "1");
  expect(keptOf(recent, ["a", "b", "c", "d"])).toBe("bcd");
});

test("what alone weighs more than all may is not kept, and takes nothing with it for long", () => {
  const recent = new Recent<string>(3, ({ length }) => length);
  expect(recent.keep("a", "1234")).toBe("1234");
  expect(recent.get("a")).toBeUndefined();
  recent.keep("b", "123");
  expect(recent.get("b")).toBe("123");
});
