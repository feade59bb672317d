import { describe, expect, test } from "vitest";
import { seededRandomness } from "../testing/seeded-randomness.ts";
import { entryId, isSourceId, parseEntryId, requestId } from "./ids.ts";

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

test.each(["abcd-1234", "a".repeat(64), "req_0123456789"])("SV-8: the client's own id %s is kept", (id) => {
  expect(requestId(id, seededRandomness())).toBe(id);
});

test.each([undefined, "", "short", "a".repeat(65), "with space", "line\nfeed", "übergross", ["abcd-1234"]])(
  "SV-8: instead of %j a new one is made",
  (given) => {
    expect(requestId(given, seededRandomness())).toMatch(/^req_[0-9a-f]{24}$/);
  },
);
