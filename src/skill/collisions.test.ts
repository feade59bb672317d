import { describe, expect, test } from "vitest";
import { findCollisions } from "./collisions.ts";

describe("SK-15: duplicates and collisions", () => {
  test("same bytes are a duplicate, other bytes a collision, by folded name", () => {
    const findings = findCollisions([
      { path: "a", name: "Pdf", digest: "1" },
      { path: "b", name: "pdf", digest: "1" },
      { path: "c", name: "ＰＤＦ", digest: "2" },
      { path: "d", name: "other", digest: "2" },
    ]);
    expect(findings.map(({ code, at }) => `${code} ${at.file}`)).toEqual(["set.duplicate b", "set.collision c"]);
  });

  test("skills that were not read whole are never called the same", () => {
    const twice = ["a", "b"].map((path) => ({ path, name: "x", digest: null }));
    expect(findCollisions(twice).map(({ code }) => code)).toEqual(["set.collision"]);
  });
});
