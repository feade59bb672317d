import { describe, expect, test } from "vitest";
import { supportOf } from "./support.ts";

describe("SK-10: support", () => {
  const files = new Set(["SKILL.md", "run.sh", "docs/GUIDE.md"]);
  const level = (body: string) => supportOf(body, false, files).level;

  test.each([
    "Run `scripts/check.py` first.",
    "See [the guide](references/guide.md).",
    "Use ./assets/logo.png",
    "python tools/make.py --all",
    "Run run.sh.",
    "Read docs/GUIDE.md",
    "lib/a.rb, lib/b.js",
  ])("%j is partial", (body) => {
    expect(level(body)).toBe("partial");
  });

  test.each([
    "Use Node.js and Vue.js.",
    "See https://example.com/a/b.js for more.",
    "Look at /usr/bin/thing.sh",
    "The scripts/ folder is empty",
    "Our references are many",
    "this is SKILL.md",
  ])("%j is full", (body) => {
    expect(level(body)).toBe("full");
  });

  test("declaring tools makes it partial, with a note", () => {
    expect(supportOf("", true, files)).toMatchObject({
      level: "partial",
      notes: [expect.stringContaining("allowed-tools")],
    });
  });

  test("a list of references that is cut says so", () => {
    const body = Array.from({ length: 100 }, (_, index) => `scripts/f${index}.py`).join(" ");
    expect(supportOf(body, false, files).notes.at(-1)).toContain("more files");
  });
});
