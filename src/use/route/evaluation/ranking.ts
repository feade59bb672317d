import { isPositive, type Outcome } from "./outcome.ts";
import type { Ranking, SkillQuality } from "./report.ts";
import { mean, meanInterval, ratio, shareInterval } from "./statistics.ts";

const depths = [1, 5, 10];

/** Of positives only. A line that names several skills is right with any of them. */
export function rankingOf(positives: readonly Outcome[], k: number): Ranking {
  const right = within(positives, 1);
  const reciprocal = positives.map((each) => reciprocalRank(each, k));
  const recallAt = (depth: number) => ratio(within(positives, depth) / Math.max(1, positives.length));
  return {
    n: positives.length,
    p1: recallAt(1),
    mrr: ratio(mean(reciprocal)),
    recall: Object.fromEntries([...new Set([...depths, k])].map((depth) => [String(depth), recallAt(depth)])),
    intervals: { p1: shareInterval(right, positives.length), mrr: meanInterval(reciprocal) },
  };
}

function within(outcomes: readonly Outcome[], depth: number): number {
  return outcomes.filter(({ rank }) => rank !== null && rank <= depth).length;
}

function reciprocalRank({ rank }: Outcome, k: number): number {
  return rank === null || rank > k ? 0 : 1 / rank;
}

/** For each kind that positives carry, in the order of their names. */
export function rankingByKind(outcomes: readonly Outcome[], k: number): Readonly<Record<string, Ranking>> {
  const kinds = groupedBy(outcomes.filter(isPositive), ({ golden }) => (golden.kind === null ? [] : [golden.kind]));
  return Object.fromEntries(inOrder(kinds).map(([kind, each]) => [kind, rankingOf(each, k)]));
}

/** For each skill that is expected somewhere, the worst first. */
export function rankingBySkill(outcomes: readonly Outcome[], k: number): readonly SkillQuality[] {
  const skills = groupedBy(outcomes, ({ golden }) => (golden.wanted.is === "one-of" ? [...golden.wanted.entries] : []));
  return inOrder(skills)
    .map(([skill, each]) => {
      const { n, p1, mrr } = rankingOf(each, k);
      return { skill, n, p1, mrr };
    })
    .toSorted((a, b) => a.p1 - b.p1 || a.mrr - b.mrr);
}

function groupedBy(outcomes: readonly Outcome[], keysOf: (outcome: Outcome) => readonly string[]) {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes)
    for (const key of keysOf(outcome)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [outcome]);
      else group.push(outcome);
    }
  return groups;
}

function inOrder<Value>(groups: ReadonlyMap<string, Value>): [string, Value][] {
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
