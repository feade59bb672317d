import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObjectId, isRefName, parseRef, renderRef } from "./ref.ts";

/** Things that have no white space in them. */
const words = (text: string) => text.trim().split(/\s+/);

const id = "0123456789abcdef0123456789abcdef01234567";

describe("IN-7, T3: a ref", () => {
  test.each([
    ["heads/main", { kind: "branch", name: "main" }],
    ["heads/feature/x", { kind: "branch", name: "feature/x" }],
    ["tags/v1.0", { kind: "tag", name: "v1.0" }],
    ["tags/heads/x", { kind: "tag", name: "heads/x" }],
    // Named like a commit, and asked for as what it is.
    [`heads/${id}`, { kind: "branch", name: id }],
    [id, { kind: "commit", id }],
  ])("%s is read as what it says", (text, ref) => {
    expect(parseRef(text)).toEqual(ref);
    const parsed = parseRef(text);
    expect(parsed && renderRef(parsed)).toBe(text);
  });

  test.each(["main", "", "heads/", "tags", "refs/heads/main", id.slice(0, 39), id.toUpperCase(), `${id}0`, "HEAD"])(
    "%j is not a ref: a bare name is never asked for",
    (text) => expect(parseRef(text)).toBeUndefined(),
  );

  test.each([
    ...words(`
      @ -x --upload-pack=x a..b @{-1} a@{1} a~1 a^ a:b a? a* a[b a\\b /a a/ a//b .a a/.b a.lock a.lock/b a. ..
      a\0b a\u007fb a\u202eb a\u200bb a\ud800
    `),
    "",
    "a b",
    "a\tb",
    "a\nb",
    "x".repeat(245),
    "\u00e9".repeat(123),
  ])("git would not have the name %j, and neither is it read after heads/ or tags/", (name) => {
    expect(isRefName(name)).toBe(false);
    expect([parseRef(`heads/${name}`), parseRef(`tags/${name}`)]).toEqual([undefined, undefined]);
  });

  test.each(["main", "feature/x", "a@b", "v1.0-rc.1", "x".repeat(244), "\u00e9t\u00e9", "a-", "#1", "a.lockx"])(
    "git has the name %j",
    (name) => expect(isRefName(name)).toBe(true),
  );

  test("whatever is read is written as it was, and has no dot segment", () => {
    const parts = fc.constantFrom("heads/", "tags/", "refs/", "..", ".", "/", "a", "@{", "-", id, "\0", "\u00e9");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(parts).map((all) => all.join("")),
        ),
        (text) => {
          const ref = parseRef(text);
          if (ref === undefined) return;
          expect(renderRef(ref)).toBe(text);
          expect(text.split("/").some((part) => part === "" || part.startsWith("."))).toBe(false);
        },
      ),
    );
  });

  test("an object's id is 40 lowercase hex digits and nothing else", () => {
    expect([id, id.toUpperCase(), `${id}\n`, ` ${id}`, id.slice(1)].map(isObjectId)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
