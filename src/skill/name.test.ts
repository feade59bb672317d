import { describe, expect, test } from "vitest";
import { checkName, findCollisions } from "./name.ts";

const codes = (name: string, folder = name) => checkName(name, folder, 2).map(({ code }) => code);

describe("SK-13, formats: names", () => {
  test.each(["a", "pdf-forms", "a1-2", "0", "a".repeat(64)])("%s is fine", (name) => {
    expect(codes(name)).toEqual([]);
  });

  test.each([
    ["Pdf", ["name.format"]],
    ["a--b", ["name.format"]],
    ["-a", ["name.format"]],
    ["a-", ["name.format"]],
    ["a_b", ["name.format"]],
    ["a b", ["name.format"]],
    ["a.b", ["name.format"]],
    ["a".repeat(65), ["name.length"]],
    ["über", ["name.non-ascii"]],
    ["дата", ["name.non-ascii"]],
    ["数据-api", ["name.non-ascii"]],
    ["日本api", ["name.non-ascii"]],
    ["pаypal", ["name.mixed-script", "name.non-ascii"]],
    ["../../etc/passwd", ["name.path", "name.format"]],
    ["/etc/passwd", ["name.path", "name.format"]],
    ["~root", ["name.path", "name.format"]],
    ["..", ["name.path", "name.format"]],
    ["a/../b", ["name.path", "name.format"]],
    ["a\\..\\b", ["name.path", "name.format"]],
    ["C:\\x", ["name.path", "name.format"]],
    ["%2e%2e%2fx", ["name.path", "name.format"]],
    ["Plan / Do", ["name.format"]],
    ["owner/name", ["name.format"]],
    ["a\\_b", ["name.format"]],
    ["❤️ notes", ["name.format"]],
    ["👩‍💻", ["name.format"]],
    ["می‌شود", ["name.format"]],
    ["a‍b", ["name.unseen", "name.format"]],
    ["a\u200Bb", ["name.unseen", "name.format"]],
    ["a\u202Eb", ["name.unseen", "name.format"]],
  ])("%j: %j", (name, expected) => {
    expect(codes(name)).toEqual(expected);
  });

  test("words of different scripts may stand side by side", () => {
    expect(codes("api-тест")).toEqual(["name.non-ascii"]);
  });

  test("the name equals the folder's after NFKC, as the reference reads it", () => {
    expect(codes("ｐｄｆ", "pdf")).toEqual(["name.non-ascii"]);
    expect(codes("pdf", "other")).toEqual(["name.folder"]);
  });
});

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
