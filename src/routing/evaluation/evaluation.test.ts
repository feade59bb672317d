import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../core/digest.ts";
import type { Match, Routed } from "../routed.ts";
import { evaluate } from "./evaluation.ts";
import type { GoldenQuery, MeasuredRouting, Wanted } from "./golden.ts";

const floor = 0.5;
const thresholds = { accept: 0.9, margin: 0.1, floor };

/** What a scripted router finds for a query: the best first. */
type Found = readonly (readonly [entry: string, confidence: number, alike?: readonly string[]])[];

/** `text`: what a skill's bytes are made of; the same text is the same digest. */
function routingWith(skills: Readonly<Record<string, string>>, script: (query: string) => Found): MeasuredRouting {
  const entries = Object.entries(skills).map(([id, text]) => {
    const digest = sha256(Buffer.from(text));
    return [id, { id, digest, name: id, description: text, trust: "untrusted" as const }] as const;
  });
  return {
    entries: new Map(entries),
    index: { skills: entries.length, buildMs: 1, loadMs: 1, bytes: 1 },
    route: async (query) => routed(script(query)),
    wordsFor: (query) => query.split(" "),
    bodyOf: () => "",
  };
}

function routed(found: Found): Routed {
  const ranked = found.map(
    ([entry, confidence, alike = []]): Match => ({
      entry,
      confidence,
      link: "scripted",
      why: `because of ${entry}`,
      alike,
    }),
  );
  const matches = ranked.filter(({ confidence }) => confidence >= floor);
  const trace = {
    steps: [],
    stopped: "",
    likelihood: ranked[0]?.confidence ?? 0,
    ranked,
    thresholds,
  };
  return {
    matches,
    abstained: matches.length === 0,
    ambiguous: false,
    tied: Math.min(1, matches.length),
    findings: [],
    trace,
  };
}

function golden(
  query: string,
  wanted: string | readonly string[] | null | { not: readonly string[] },
  kind?: string,
): GoldenQuery {
  return { query, wanted: wantedOf(wanted), kind: kind ?? null, note: null, at: `g.jsonl:${query}` };
}

function wantedOf(wanted: string | readonly string[] | null | { not: readonly string[] }): Wanted {
  if (wanted === null) return { is: "none" };
  if (typeof wanted === "string") return { is: "one-of", entries: new Set([wanted]) };
  return "not" in wanted ? { is: "not", entries: new Set(wanted.not) } : { is: "one-of", entries: new Set(wanted) };
}

/** A clock that goes on by half a millisecond at each look. */
function options(k = 10) {
  let time = 0;
  return { k, stopwatch: { now: () => (time += 0.5) } };
}

const abc = { a: "text of a", b: "text of b", c: "text of c" };

describe("RT-8: ranking is measured before the floor, over positives", () => {
  const script: Readonly<Record<string, Found>> = {
    first: [
      ["a", 0.9],
      ["b", 0.2],
    ],
    second: [
      ["b", 0.8],
      ["a", 0.7],
    ],
    below: [["a", 0.1]],
    nothing: [],
  };
  const routing = routingWith(abc, (query) => script[query] ?? []);

  test("P@1, MRR and recall", async () => {
    const set = Object.keys(script).map((query) => golden(query, "a"));
    const report = await evaluate(routing, set, options());
    expect(report).toMatchObject({
      n: 4,
      positives: 4,
      p1: 0.5,
      mrr: 0.625,
      recall: { "1": 0.5, "5": 0.75, "10": 0.75 },
      abstention: { negatives: 0, falseFires: null, fired: 0, coverage: 0.5, floor },
      answered: { n: 2, p1: 0.5 },
      latencyMs: { p50: 0.5, p99: 0.5 },
    });
    expect(report.withheld).toEqual([{ at: "g.jsonl:below", query: "below", expected: "a", confidence: 0.1 }]);
  });

  test("MRR looks at the first k only, and k has its own recall", async () => {
    const deep = routingWith(abc, () => [
      ["b", 0.9],
      ["c", 0.8],
      ["a", 0.7],
    ]);
    const report = await evaluate(deep, [golden("q", "a")], options(2));
    expect(report).toMatchObject({ k: 2, mrr: 0, recall: { "1": 0, "2": 0, "5": 1, "10": 1 } });
  });

  test("any of several is right, the first of them counts", async () => {
    expect(await evaluate(routing, [golden("second", ["c", "b"])], options())).toMatchObject({ p1: 1, mrr: 1 });
  });

  test("a kind has its own figures, a skill too: the worst first", async () => {
    const set = [golden("first", "a", "long"), golden("second", "a", "short"), golden("second", "b", "short")];
    const { byKind, perSkill } = await evaluate(routing, set, options());
    expect(Object.entries(byKind).map(([kind, { n, p1 }]) => [kind, n, p1])).toEqual([
      ["long", 1, 1],
      ["short", 2, 0.5],
    ]);
    expect(perSkill).toEqual([
      { skill: "a", n: 2, p1: 0.5, mrr: 0.75 },
      { skill: "b", n: 1, p1: 1, mrr: 1 },
    ]);
  });

  test("a miss says what was chosen, why, and where the right one was", async () => {
    const { misses, confusions } = await evaluate(routing, [golden("second", "a"), golden("nothing", "a")], options());
    expect(misses).toEqual([
      expect.objectContaining({
        expected: ["a"],
        rank: 2,
        chosen: "b",
        confidence: 0.8,
        why: "because of b",
        abstained: false,
      }),
      expect.objectContaining({
        expected: ["a"],
        rank: null,
        chosen: null,
        confidence: null,
        why: "nothing was found",
      }),
    ]);
    expect(confusions).toEqual([{ expected: "a", chosen: "b", count: 1, words: ["second"], alike: false }]);
  });
});

describe("RT-8: skills that cannot be told apart", () => {
  test("identical bytes are the same skill; nearly the same are not", async () => {
    const twins = { a: "same", twin: "same", near: "almost same" };
    const identical = routingWith(twins, () => [["twin", 0.9, ["a"]]]);
    expect(await evaluate(identical, [golden("q", "a")], options())).toMatchObject({ p1: 1, misses: [] });
    const near = routingWith(twins, () => [["near", 0.9, ["a", "twin"]]]);
    const report = await evaluate(near, [golden("q", "a")], options());
    expect(report).toMatchObject({
      p1: 0,
      p1WithLookAlikes: 1,
      misses: [{ alike: true }],
      confusions: [{ alike: true }],
    });
  });

  test("what must not come first must not come as its twin either", async () => {
    const routing = routingWith({ a: "same", twin: "same", b: "other" }, () => [["twin", 0.9, ["a"]]]);
    const set = [golden("p", "b"), golden("q", { not: ["a"] })];
    expect((await evaluate(routing, set, options())).abstention).toMatchObject({
      negatives: 1,
      fired: 1,
      falseFires: 1,
    });
  });
});

describe("RT-8: abstention", () => {
  const routing = routingWith(abc, (query) =>
    query === "loud"
      ? [
          ["a", 0.8],
          ["b", 0.6],
        ]
      : [
          ["a", 0.3],
          ["b", 0.2],
        ],
  );

  test("null fires at any match, `not` only when one of its skills is first", async () => {
    const set = [golden("loud", "a"), golden("loud", null), golden("quiet", null), golden("loud", { not: ["b"] })];
    const { abstention, fires } = await evaluate(routing, set, options());
    expect(abstention).toMatchObject({ negatives: 3, fired: 1, falseFires: 0.3333, coverage: 1 });
    expect(fires).toEqual([expect.objectContaining({ query: "loud", chosen: "a", confidence: 0.8 })]);
    expect((await evaluate(routing, [...set, golden("loud", { not: ["a"] })], options())).abstention.fired).toBe(2);
  });

  test("the curve: every floor that makes a difference, and the point in use", async () => {
    const set = [golden("loud", "a"), golden("quiet", "a"), golden("quiet", null), golden("loud", { not: ["a"] })];
    const { curve, abstention } = await evaluate(routing, set, options());
    expect(curve.points).toEqual([
      { threshold: 0, coverage: 1, falseFires: 1 },
      { threshold: 0.31, coverage: 0.5, falseFires: 0.5 },
      { threshold: 0.81, coverage: 0, falseFires: 0 },
    ]);
    expect(curve.default).toEqual({ threshold: floor, coverage: 0.5, falseFires: 0.5 });
    expect(abstention.atCoverage80).toEqual({ threshold: 0.3, coverage: 1, falseFires: 1 });
  });
});

describe("RT-8: laws", () => {
  const ids = Object.keys(abc);
  const wanted = fc.oneof(
    fc.constant(null),
    fc.constantFrom(...ids),
    fc.record({ not: fc.constantFrom(["a"], ["b", "c"]) }),
  );
  const sets = fc
    .array(wanted, { minLength: 1, maxLength: 30 })
    .map((each) => ["a", ...each].map((w, at) => golden(`q${at}`, w)));
  const found = fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.double({ min: 0, max: 1, noNaN: true })), {
    selector: ([id]) => id,
    maxLength: 3,
  });
  const run = { numRuns: 200, seed: 7 };

  test("every rate lies within 0 and 1, and within its interval", async () => {
    const law = fc.asyncProperty(sets, fc.array(found, { minLength: 1, maxLength: 9 }), async (set, answers) => {
      const script = (query: string) =>
        (answers[Number(query.slice(1)) % answers.length] ?? []).toSorted(([, x], [, y]) => y - x);
      const report = await evaluate(routingWith(abc, script), set, options());
      const { p1, mrr, recall, intervals, abstention, curve, answered } = report;
      for (const rate of [p1, mrr, ...Object.values(recall), abstention.coverage, abstention.falseFires, answered.p1])
        if (rate !== null) expect(rate >= 0 && rate <= 1).toBe(true);
      for (const [rate, interval] of [
        [p1, intervals.p1],
        [mrr, intervals.mrr],
        [abstention.falseFires, abstention.intervals.falseFires],
        [abstention.coverage, abstention.intervals.coverage],
      ] as const)
        if (rate !== null && interval !== null) expect(interval[0] <= rate && rate <= interval[1]).toBe(true);
      expect(p1 <= mrr && mrr <= (recall["10"] ?? 0)).toBe(true);
      for (const [at, { coverage, threshold }] of curve.points.entries()) {
        const before = curve.points[at - 1];
        if (before !== undefined) expect(coverage <= before.coverage && threshold > before.threshold).toBe(true);
      }
    });
    await fc.assert(law, run);
  });

  test("a router that is always right has 1 everywhere and fires at nothing", async () => {
    const law = fc.asyncProperty(sets, async (set) => {
      const byQuery = new Map(set.map((each) => [each.query, each.wanted]));
      const script = (query: string): Found => {
        const asked = byQuery.get(query);
        return asked?.is === "one-of" ? [...asked.entries].slice(0, 1).map((id) => [id, 1] as const) : [];
      };
      const report = await evaluate(routingWith(abc, script), set, options());
      expect(report).toMatchObject({
        p1: 1,
        mrr: 1,
        recall: { "1": 1, "5": 1, "10": 1 },
        misses: [],
        fires: [],
        confusions: [],
      });
      expect([report.abstention.coverage, report.abstention.falseFires ?? 0, report.answered.p1]).toEqual([1, 0, 1]);
    });
    await fc.assert(law, run);
  });

  test("a router that never answers covers nothing and fires at nothing", async () => {
    const law = fc.asyncProperty(sets, async (set) => {
      const { p1, abstention, answered } = await evaluate(
        routingWith(abc, () => []),
        set,
        options(),
      );
      expect([p1, abstention.coverage, abstention.falseFires ?? 0, answered.p1]).toEqual([0, 0, 0, null]);
    });
    await fc.assert(law, run);
  });
});

describe("time", () => {
  test("bars of the histogram hold every query once", async () => {
    const steps = [0, 0.02, 0.02, 1, 1, 250];
    let [time, at] = [0, 0];
    const stopwatch = { now: () => (at++ % 2 === 0 ? time : (time += steps[(at - 2) / 2] ?? 0)) };
    const set = steps.map((_, each) => golden(`q${each}`, "a"));
    const { latencyMs } = await evaluate(
      routingWith(abc, () => []),
      set,
      { k: 10, stopwatch },
    );
    expect(latencyMs.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(steps.length);
    expect(latencyMs.histogram.find(({ from }) => from === 1)?.count).toBe(2);
    expect([latencyMs.p50, latencyMs.p99]).toEqual([0.02, 250]);
  });
});
