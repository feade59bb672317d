import { beforeAll, describe, expect, test } from "vitest";
import { evaluateRouting, type GatedReport, loadGate } from "../../src/features/evaluation/eval-routing.ts";
import { measuredPool, openPool, poolChain } from "../../src/features/routing/pool-routing.ts";
import { createWorld } from "../../src/app/world/world.ts";
import type { Gate } from "../../src/routing/evaluation/golden.ts";

describe("RT-9: routing is as good as it was", () => {
  let [report, gate]: [GatedReport | undefined, Gate] = [undefined, {}];
  const leftOut: string[] = [];
  beforeAll(async () => {
    const world = createWorld();
    const pool = await openPool(world, ["examples/skills", "eval/skills"], { onNote: (note) => leftOut.push(note) });
    gate = await loadGate(world.files, "eval/thresholds.json");
    report = await evaluateRouting(world, measuredPool(pool, poolChain(world)), ["eval/golden.jsonl"], { k: 10, gate });
  }, 120_000);

  test("on our own golden set, by every threshold", () => {
    expect(Object.keys(gate).toSorted()).toEqual(["coverage", "falseFires", "mrr", "n", "p1"]);
    expect(report?.gate.missed).toEqual([]);
  });

  test("the set is large enough to mean something, and has negatives", () => {
    expect(report?.positives).toBeGreaterThanOrEqual(150);
    expect(report?.abstention.negatives).toBeGreaterThanOrEqual(30);
  });

  test("every skill of the set is there, and expected somewhere", () => {
    expect(leftOut).toEqual([]);
    expect(report?.perSkill).toHaveLength(report?.index.skills ?? -1);
  });
});
