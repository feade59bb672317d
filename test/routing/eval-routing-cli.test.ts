import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliHome } from "../support/cli-home.ts";
import type { Ended } from "../support/cli.ts";
import { skillwardWarm } from "../support/warm.ts";

let room = "";
beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), "skillward-eval-"));
  putSkill(
    "sourdough-bread",
    "Bakes sourdough bread from a starter. Use for doughs and loaves.",
    "Feed the starter with flour.",
  );
  putSkill("sailing-knots", "Ties knots for sailing boats. Use for mooring and sheets.", "Bowline, cleat hitch, rope.");
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(room, path)), { recursive: true });
  writeFileSync(join(room, path), content);
}

function putSkill(name: string, description: string, body: string): void {
  put(`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`);
}

function lines(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

const golden = lines(
  { query: "/sourdough-bread", expected: "sourdough-bread", kind: "name" },
  { query: "which knots moor a sailing boat with a rope", expected: "sailing-knots", kind: "words" },
  { query: "qwertz uiop", expected: null },
);

function evaluate(...args: string[]): Ended {
  const ended = skillwardWarm(["eval", "routing", ...args], { cwd: room });
  expect(ended.out + ended.err).not.toMatch(/\n\s+at |unexpected/);
  return ended;
}

describe("RT-9: eval routing at the command line", () => {
  test("a table for a person, numbers for a program, a page for the eye", () => {
    put("g.jsonl", golden);
    const { code, out, err } = evaluate("g.jsonl", "--skills", "skills", "--html", "out/report.html");
    expect([code, err]).toEqual([0, "the report is in out/report.html\n"]);
    expect(out).toMatch(/^all +2 +100\.0 % /m);
    expect(out).toMatch(/^words +1 +100\.0 % /m);
    expect(out).toContain("index of 2 skills");
    expect(readFileSync(join(room, "out/report.html"), "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    const json = JSON.parse(evaluate("g.jsonl", "--skills", "skills", "--json").out);
    expect(json).toMatchObject({
      n: 3,
      p1: 1,
      mrr: 1,
      recall: { "1": 1, "5": 1, "10": 1 },
      abstention: { negatives: 1, falseFires: 0 },
      latencyMs: { p50: expect.any(Number), p99: expect.any(Number) },
      index: { skills: 2, buildMs: expect.any(Number), loadMs: expect.any(Number), bytes: expect.any(Number) },
      byKind: { name: { n: 1 }, words: { n: 1 } },
      perSkill: [{ n: 1 }, { n: 1 }],
      confusions: [],
      misses: [],
    });
  });

  test("below a threshold: exit 1, and one line for each that is missed", () => {
    put("g.jsonl", golden + lines({ query: "rope and bowline", expected: "sourdough-bread" }));
    put("t.json", JSON.stringify({ routing: { p1: 0.9, falseFires: 0 } }));
    const { code, err } = evaluate("g.jsonl", "--skills", "skills", "--thresholds", "t.json", "--min-mrr", "0.95");
    expect(code).toBe(1);
    expect(err).toMatch(/^p1: expected at least 0\.9, got 0\.6667\nmrr: expected at least 0\.95, got 0\.\d+\n$/);
    expect(evaluate("g.jsonl", "--skills", "skills", "--thresholds", "t.json", "--min-p1", "0.6").code).toBe(0);
  });

  test("pools, packed or not, and more than one place", () => {
    const pool = lines({ id: "x:tax", name: "tax-return", description: "Prepares a tax return.", body: "Income." });
    put("pool.jsonl.gz", gzipSync(pool + pool));
    put("g.jsonl", golden + lines({ query: "/tax-return", expected: "x:tax" }));
    const { code, out, err } = evaluate("g.jsonl", "--skills", "skills", "--skills", "pool.jsonl.gz", "--json");
    expect([code, JSON.parse(out).index.skills]).toEqual([0, 3]);
    expect(err).toBe("pool.jsonl.gz: the id x:tax was there before; the first one counts\n");
  });

  test.each([
    ["nothing to do", [], "name a golden file, or ask for --confusable"],
    ["an unknown skill", ["bad.jsonl", "--skills", "skills"], "bad.jsonl:1 expected: no skill"],
    ["an empty set", ["empty.jsonl", "--skills", "skills"], "has no queries in it"],
    ["too few lines", ["g.jsonl", "--skills", "skills", "--min-n", "100"], "3 queries are fewer than the 100"],
    ["a percentage", ["g.jsonl", "--skills", "skills", "--min-p1", "90"], "--min-p1: expected a share from 0 to 1"],
    ["a k that is none", ["g.jsonl", "--skills", "skills", "--k", "0"], "--k: expected a whole number above 0"],
    ["no such folder", ["g.jsonl", "--skills", "none"], "no such path"],
    ["a store's option", ["g.jsonl", "--skills", "skills", "--data", "d"], "--data is for a store"],
  ])("%s is wrong usage: exit 2, nothing printed", (_, args, why) => {
    put("g.jsonl", golden);
    put("bad.jsonl", lines({ query: "a", expected: "nobody" }));
    put("empty.jsonl", "\n");
    expect(evaluate(...args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(why) });
  });

  test("RT-10: --confusable names pairs and the words that would tell, without a golden file", () => {
    const words = "bread, rolls and flat cakes from wheat, rye or spelt in a wood oven";
    putSkill("oven-bread", `Bakes ${words}.`, "Steam the stone.");
    putSkill("stone-bread", `Makes ${words}.`, "Heat with embers.");
    const { code, out } = evaluate("--confusable", "--skills", "skills");
    expect(code).toBe(0);
    expect(out).toMatch(/folder:oven-bread and folder:stone-bread/);
    expect(out).toMatch(/only the second .*embers/);
    const { confusable } = JSON.parse(evaluate("--confusable", "--skills", "skills", "--json").out);
    expect(confusable).toMatchObject({ skills: 4, pairs: [{ skills: ["folder:oven-bread", "folder:stone-bread"] }] });
  });

  test("without --skills the registry is measured: what is approved, and nothing else", () => {
    const home = new CliHome();
    try {
      const folder = home.skills("house", { moor: "Tie a bowline with a rope.", bake: "Feed the starter with flour." });
      home.json(["source", "add", folder, "--id", "house"]);
      writeFileSync(
        join(home.folder, "g.jsonl"),
        lines({ query: "/moor", expected: "moor" }, { query: "qwertz", expected: null }),
      );
      expect(home.refusal(["eval", "routing", "g.jsonl"])).toMatchObject({
        exit: 2,
        message: expect.stringContaining('no skill "moor" among the 0'),
      });
      home.json(["review", "--approve-clean"]);
      expect(home.json(["eval", "routing", "g.jsonl"])).toMatchObject({
        n: 2,
        p1: 1,
        index: { skills: 2 },
        misses: [],
      });
      const kept = home.run(["eval", "routing", "g.jsonl", "--keep", "the first", "--json"]);
      expect([kept.code, kept.err]).toEqual([0, expect.stringMatching(/^kept as ev_[0-9a-f]{20}\n$/)]);
      expect(home.json(["audit", "list", "--act", "evaluation."])).toMatchObject([
        { act: "evaluation.kept", subject: kept.err.slice("kept as ".length).trimEnd() },
      ]);
      for (const [args, words] of [
        [["g.jsonl", "--keep", "a", "--skills", folder], "--keep is for the registry"],
        [["--confusable", "--keep", "a"], "--keep keeps what a golden file says"],
        [["g.jsonl", "--keep", "two\nlines"], "title: expected one line"],
      ] as const)
        expect(home.refusal(["eval", "routing", ...args])).toMatchObject({
          code: "usage.invalid",
          message: expect.stringContaining(words),
        });
    } finally {
      home.remove();
    }
  });
});
