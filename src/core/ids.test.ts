import { describe, expect, test } from "vitest";
import { entryId, isSourceId, parseEntryId } from "./ids.ts";

describe("identity is source and path", () => {
  test("an id splits at its first colon", () => {
    const parts = { source: "acme", path: "skills/a:b" };
    expect(parseEntryId(entryId(parts))).toEqual(parts);
  });

  test.each(["no-colon", ":path", "Bad:path", "a--b:path", "-a:path"])("%s is not one", (id) => {
    expect(parseEntryId(id)).toBeUndefined();
  });

  test("a source id is short, lowercase and without a colon", () => {
    expect([isSourceId("a-1"), isSourceId("a:b"), isSourceId("a".repeat(65))]).toEqual([true, false, false]);
  });
});
