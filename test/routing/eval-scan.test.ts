import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { evaluateScan, type QualityBySet, type ScanEvaluation } from "../../src/features/evaluation/eval-scan.ts";
import { createWorld } from "../../src/app/world/world.ts";

/** At least this much recall, at most this many false positives; a text that is not judged by either has neither. */
interface Bounds {
  readonly recall?: number;
  readonly falsePositive?: number;
}

interface Thresholds {
  readonly scan: Readonly<Record<string, { readonly atHigh?: Bounds; readonly atCritical?: Bounds }>>;
}

const thresholds: Thresholds = JSON.parse(readFileSync("eval/thresholds.json", "utf8"));
const sets = Object.entries(thresholds.scan);

/** What misses its bound, in words: the measure of today against what it may not fall below. */
function broken(set: string, at: string, qualities: QualityBySet, { recall, falsePositive }: Bounds = {}): string[] {
  const found = qualities[set];
  return [
    ...(recall !== undefined && (found?.recall ?? -1) < recall
      ? [`${set} ${at}: recall ${found?.recall} is below ${recall}`]
      : []),
    ...(falsePositive !== undefined && (found?.falsePositive ?? 2) > falsePositive
      ? [`${set} ${at}: false positives ${found?.falsePositive} are above ${falsePositive}`]
      : []),
  ];
}

describe("RV-7: the scanner is as good as it was", () => {
  let evaluation: ScanEvaluation;
  beforeAll(async () => {
    // Nobody's time is measured here: a clock that jumps lets each text be scanned once.
    let time = 0;
    const clock = { now: () => (time += 1000) };
    evaluation = await evaluateScan({ files: createWorld().files, clock }, "eval/scan.jsonl", { list: true });
  }, 300_000);

  test("the labelled texts are there, as many as it takes to mean something", () => {
    const all = Object.values(evaluation.atHigh);
    const count = (label: "malicious" | "benign") => all.reduce((sum, each) => sum + each[label], 0);
    expect(Math.min(count("malicious"), count("benign"))).toBeGreaterThanOrEqual(140);
  });

  test("every set has a threshold, and every threshold its set", () => {
    expect(sets.map(([set]) => set).toSorted()).toEqual(Object.keys(evaluation.atHigh));
  });

  test.each(sets)("%s", (set, { atHigh, atCritical }) => {
    const faults = [
      ...broken(set, "at high", evaluation.atHigh, atHigh),
      ...broken(set, "at critical", evaluation.atCritical, atCritical),
    ];
    expect(faults).toEqual([]);
  });

  test("a threshold that is missed is seen", () => {
    const [set = ""] = Object.keys(evaluation.atHigh);
    expect(broken(set, "at high", evaluation.atHigh, { recall: 1.01, falsePositive: -1 })).toHaveLength(2);
    expect(broken("no such set", "at high", evaluation.atHigh, { recall: 0 })).toHaveLength(1);
  });
});
