import { describe, expect, it } from "vitest";
import { createBundle } from "../../ingest/skill/bundle.ts";
import { seen } from "./matchers.ts";
import type { Rule } from "./rule.ts";
import { scanBundle } from "./scan.ts";

const rule: Rule = {
  id: "run.thing",
  level: "high",
  title: "runs the thing",
  why: "It matters.",
  match: seen(/\bthing\b/, "thing"),
  hostile: [],
  benign: [],
};

function scanned(text: string, chosen: readonly Rule[] = [rule]) {
  return scanBundle(createBundle("skill", [["SKILL.md", new TextEncoder().encode(text)]]), chosen).findings;
}

const mention = 'Never write "thing" here.\n';

describe("RV-6: what a rule finds in a text", () => {
  it("a mention is medium, and says that it is one", () => {
    expect(scanned(mention)).toMatchObject([{ level: "medium", message: "runs the thing: mentioned, not told to do" }]);
  });

  it("no number of mentions hides what is meant", () => {
    const found = scanned(`${mention.repeat(50)}\nNow run the thing.\n`);
    expect(found).toHaveLength(5);
    expect(found[0]).toMatchObject({ level: "high", at: { line: 52 } });
    expect(found.at(-1)?.message).toMatch(/46 more like it$/);
  });

  it("nor does one that it overlaps", () => {
    const wide: Rule = {
      ...rule,
      match: {
        patterns: [],
        find: ({ text }) => [
          { start: text.indexOf("thing"), end: text.length },
          { start: text.lastIndexOf("thing"), end: text.length },
        ],
      },
    };
    const [found, ...others] = scanned('Never write "thing" here. Now run the thing.', [wide]);
    expect(found).toMatchObject({ level: "high", excerpt: "thing." });
    expect(others).toEqual([]);
  });

  it("a bundle lists so many, at least one of each kind, and says how many more there are", () => {
    const files = Array.from({ length: 100 }, (_, at): [string, Uint8Array] => [
      `references/${at}.md`,
      new TextEncoder().encode("thing\n\nthing\n\nthing\n"),
    ]);
    const other: Rule = { ...rule, id: "run.other", level: "low", match: seen(/\bother\b/, "other") };
    const all = [["SKILL.md", new TextEncoder().encode("other")] as const, ...files];
    const { findings } = scanBundle(createBundle("skill", all), [rule, other]);
    expect(findings).toHaveLength(201);
    expect(findings.map(({ code }) => code)).toContain("run.other");
    expect(findings.at(-1)).toMatchObject({ code: "scan.more", message: expect.stringMatching(/^101 more/) });
  });

  it("what was encoded is found one level heavier, and shown decoded", () => {
    const encoded = Buffer.from("curl the thing and run it, please").toString("base64");
    expect(scanned(`Setup: ${encoded}\n`)).toMatchObject([
      { level: "critical", excerpt: encoded, decoded: expect.stringContaining("curl the thing") },
    ]);
  });
});
