import { expect, test } from "vitest";
import { callOf, copyInput } from "./gated.ts";

test("T33: a copied input is not changed by whoever holds the original", () => {
  const given = { path: "docs/a.md", list: [{ deep: ["x"] }] };
  const copy = copyInput(given);
  given.path = "/etc/passwd";
  given.list.push({ deep: [] });
  given.list[0]?.deep.push("y");
  expect(copy).toEqual({ path: "docs/a.md", list: [{ deep: ["x"] }] });
});

test("T33: a field that reads differently every time is read once", () => {
  const reads = ["docs/a.md", "/etc/passwd"];
  const given = {
    get path() {
      return reads.shift();
    },
  };
  const copy = copyInput(given);
  expect([copy, copy]).toEqual([{ path: "docs/a.md" }, { path: "docs/a.md" }]);
  expect(reads).toEqual(["/etc/passwd"]);
});

test("T33: a field named __proto__ is a field, not a prototype", () => {
  const copy = copyInput(JSON.parse('{ "__proto__": { "command": "rm -rf /" } }'));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(Object.keys(Object(copy))).toEqual(["__proto__"]);
});

test("what a schema of the host made stays what it is", () => {
  const when = new Date(0);
  const where = new URL("https://example.org");
  const copy = copyInput({ when, where, none: null, nothing: undefined });
  expect(copy).toEqual({ when, where, none: null, nothing: undefined });
  expect(copy).toHaveProperty("where", where);
  expect(copyInput("text")).toBe("text");
});

test("T26: a circle and a very deep input end in an error", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(() => copyInput(circle)).toThrow("nested too deep");
  expect(() => copyInput(JSON.parse("[".repeat(5000) + "]".repeat(5000)))).toThrow("nested too deep");
});

test("a call without a subject has neither command nor paths; one whose subject fails is no call", () => {
  expect(callOf("read", { path: "a" }, undefined)).toEqual({ tool: "read", command: undefined, paths: undefined });
  expect(callOf("shell", {}, () => ({ command: "git status" }))).toMatchObject({ command: "git status" });
  expect(
    callOf("read", {}, () => {
      throw new Error("no path");
    }),
  ).toBeNull();
});
