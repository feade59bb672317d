import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../testing/memory-files.ts";
import { findBaseline, loadBaseline, parseBaseline, renderBaseline } from "./baseline.ts";

const one = { file: "skills/a/SKILL.md", sha256: "a".repeat(64), code: "yaml.duplicate" };
const two = { file: "skills/a/run.sh", sha256: "b".repeat(64), code: "run.download" };

describe("RV-6: a baseline", () => {
  test("is read as it was written, and the same set is the same bytes", () => {
    const text = renderBaseline([one, two]);
    expect(renderBaseline([two, one, two])).toBe(text);
    expect(parseBaseline(text, "b.json")).toEqual([one, two]);
    expect(renderBaseline([])).toBe('{\n  "version": 1,\n  "accepted": []\n}\n');
  });

  test("has one finding a line, by file, then code", () => {
    expect(renderBaseline([two, one]).split("\n").slice(3, 5)).toEqual([
      `    {"file":"skills/a/SKILL.md","sha256":"${one.sha256}","code":"yaml.duplicate"},`,
      `    {"file":"skills/a/run.sh","sha256":"${two.sha256}","code":"run.download"}`,
    ]);
  });

  const good = renderBaseline([one, two]);
  test.each([
    ["no JSON", good.replace("},", "}"), 5, 'expected "," or "]"'],
    ["another version", good.replace('"version": 1', '"version": 2'), 2, "the version is not 1"],
    ["no version", '{\n "accepted": [] }', 1, "the version is not 1"],
    ["no list", '{ "version": 1 }', 1, "accepted: expected a list"],
    ["a word that nobody knows", good.replace('"version"', '"all": true, "version"'), 2, '"all" is not a known word'],
    ["half a digest", good.replace("b".repeat(64), "b".repeat(63)), 5, "sha256: expected 64 hex digits"],
    ["a pattern for a code", good.replace("run.download", "*"), 5, "code: expected the code of a finding"],
    ["no file", good.replace("skills/a/run.sh", ""), 5, "file: expected a path"],
    ["a key twice", good.replace('{"file":', '{"file":"x","file":'), 4, '"file" is there a second time'],
    ["nothing", "", 1, "expected a value"],
    ["a list", "[]", 1, "expected { … }"],
  ])("with %s is refused as a whole, with file and line", (_, text, line, why) => {
    const reading = () => parseBaseline(text, "ci/b.json");
    expect(reading).toThrow(`ci/b.json:${line} cannot be used as a baseline: `);
    expect(reading).toThrow(why);
    expect(reading).toThrow(expect.objectContaining({ code: "config.invalid" }));
  });

  test("that is not UTF-8, or a pipe into one, is refused", async () => {
    const files = memoryFiles({ "/b.json": Buffer.of(0xff), "/p": { kind: "special" } });
    const load = async (path: string) => loadBaseline(files, await findBaseline(files, path), path);
    await expect(load("/b.json")).rejects.toMatchObject({ code: "config.invalid" });
    await expect(load("/p")).rejects.toMatchObject({ code: "path.wrong-kind" });
    await expect(load("/none.json")).rejects.toMatchObject({ code: "path.missing" });
  });

  test("says nothing unseen of what is wrong in it", () => {
    expect(() => parseBaseline('{ "\\u001b[2J\u202e": 1 }', "b\u001b.json")).toThrow(
      'b\\u{1b}.json:1 cannot be used as a baseline: "\\u{1b}[2J\\u{202e}" is not a known word',
    );
  });
});
