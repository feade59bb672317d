import { describe, expect, test } from "vitest";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { evaluateRouting } from "./eval-routing.ts";
import { createPoolShelf, measuredPool, poolChain } from "../routing/pool-routing.ts";

const stopwatch = fixedClock();
const timer = { after: async () => {}, every: () => ({ stop: () => {} }) };
const skills = [
  {
    id: "x:bread",
    name: "sourdough-bread",
    description: "Bakes sourdough bread from a starter.",
    body: "Feed the starter with flour.",
  },
  {
    id: "x:knots",
    name: "sailing-knots",
    description: "Ties knots for sailing boats.",
    body: "Bowline, cleat hitch, rope.",
  },
  {
    id: "x:tax",
    name: "tax-return",
    description: "Prepares a yearly tax return.",
    body: "Income, deductions, deadlines.",
  },
];
const routing = measuredPool(createPoolShelf({ stopwatch }, skills), poolChain({ stopwatch, timer }));

function evaluate(files: Readonly<Record<string, readonly object[]>>, gate = {}, k = 10) {
  const texts = Object.entries(files).map(([path, lines]) => [
    path,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  ]);
  const world = { files: memoryFiles(Object.fromEntries(texts)), stopwatch };
  return evaluateRouting(world, routing, Object.keys(files), { k, gate });
}

const positives = [
  { query: "/sourdough-bread", expected: "sourdough-bread" },
  { query: "which knot ties a boat to a cleat", expected: "x:knots" },
];
const negatives = [{ query: "qwertz uiop", expected: null }];

describe("RT-8: routing is measured on a real chain", () => {
  test("several files are one set; the shape that outsiders read", async () => {
    const report = await evaluate({ "/p.jsonl": positives, "/n.jsonl": negatives });
    expect(report).toMatchObject({
      n: 3,
      p1: 1,
      mrr: 1,
      recall: { "1": 1, "5": 1, "10": 1 },
      abstention: { negatives: 1, falseFires: 0, fired: 0 },
      latencyMs: { p50: 0, p99: 0 },
      index: { skills: 3, buildMs: 0, loadMs: 0, bytes: expect.any(Number) },
      confusions: [],
      misses: [],
      gate: { passes: true, missed: [] },
    });
    expect(report.perSkill).toEqual([
      { skill: "x:bread", n: 1, p1: 1, mrr: 1 },
      { skill: "x:knots", n: 1, p1: 1, mrr: 1 },
    ]);
  });

  test("a confusion names the words that pulled", async () => {
    const { confusions } = await evaluate({ "/p.jsonl": [{ query: "rope and cleat hitch", expected: "tax-return" }] });
    expect(confusions).toEqual([
      {
        expected: "x:tax",
        chosen: "x:knots",
        count: 1,
        words: expect.arrayContaining(["rope", "cleat"]),
        alike: false,
      },
    ]);
  });
});

describe("RT-9: thresholds", () => {
  test("each that is missed is named with what was expected and got", async () => {
    const wrong = { query: "rope and cleat hitch", expected: "tax-return" };
    const gate = { p1: 0.9, mrr: 0.9, falseFires: 0, coverage: 1.0, n: 1 };
    const report = await evaluate(
      { "/p.jsonl": [...positives, wrong, { query: "/tax-return", expected: null }] },
      gate,
    );
    expect(report.gate.passes).toBe(false);
    expect(report.gate.missed).toEqual(
      expect.arrayContaining([
        { measure: "p1", expected: "at least 0.9", got: 0.6667 },
        { measure: "falseFires", expected: "at most 0", got: 1 },
      ]),
    );
  });

  test("false fires that cannot be measured are not good enough", async () => {
    const { gate } = await evaluate({ "/p.jsonl": positives }, { falseFires: 1 });
    expect(gate.missed).toEqual([{ measure: "falseFires", expected: "at most 1", got: null }]);
  });

  test.each([
    ["no positives", { "/n.jsonl": negatives }, {}, "no line expects a skill"],
    ["fewer lines than asked for", { "/p.jsonl": positives }, { n: 3 }, "2 queries are fewer than the 3"],
    ["an empty file beside a full one", { "/p.jsonl": positives, "/e.jsonl": [] }, {}, "/e.jsonl has no queries in it"],
    [
      "a skill that is not there",
      { "/p.jsonl": [{ query: "a", expected: "nobody" }] },
      {},
      '/p.jsonl:1 expected: no skill "nobody"',
    ],
  ])("%s: an error, never 1.0", async (_, files, gate, why) => {
    const measuring = evaluate(files, gate);
    await expect(measuring).rejects.toMatchObject({ code: "usage.invalid", message: expect.stringContaining(why) });
  });
});
