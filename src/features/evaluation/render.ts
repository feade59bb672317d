import type { GatedReport } from "./eval-routing.ts";
import { safeLine } from "../../core/text.ts";
import type { ConfusablePair, ConfusableReport } from "../../routing/evaluation/confusable.ts";
import type { MissedGate } from "../../routing/evaluation/golden.ts";
import type { Miss, Ranking, RoutingReport } from "../../routing/evaluation/report.ts";
import type { Interval } from "../../routing/evaluation/statistics.ts";
import { makeVisible, withoutOrders } from "../command/safe-output.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFindings, renderTable } from "../command/render.ts";
import type { QualityBySet, ScanEvaluation } from "./eval-scan.ts";
import type { CaseOutcome, SkillsEvaluation } from "./eval-skills.ts";

type Style = Output["style"];

/** Figures first, then what went wrong most. */
export function renderRouting(report: GatedReport, style: Style): string {
  return withoutOrders(
    [
      renderRankings(report, style),
      "",
      ...renderAbstention(report, style),
      renderCosts(report),
      ...renderConfusions(report, style),
      ...renderMisses(report, style),
      ...renderFires(report, style),
    ].join("\n"),
  );
}

function renderRankings(report: RoutingReport, style: Style): string {
  const { p1, mrr, recall, intervals, positives, k, byKind } = report;
  const all: Ranking = { n: positives, p1, mrr, recall, intervals };
  const kinds = Object.entries(byKind).map(([kind, ranking]) => rankingRow(safeLine(kind, 32), ranking));
  const heading = ["queries", "n", "P@1", "95 %", `MRR@${k}`, "95 %", "recall@5", "recall@10"];
  return renderTable(heading, [rankingRow("all", all), ...kinds], style);
}

function rankingRow(name: string, { n, p1, mrr, recall, intervals }: Ranking): string[] {
  return [
    name,
    String(n),
    percent(p1),
    spanOf(intervals.p1),
    percent(mrr),
    spanOf(intervals.mrr),
    percent(recall["5"] ?? null),
    percent(recall["10"] ?? null),
  ];
}

function renderAbstention({ abstention, answered }: RoutingReport, style: Style): string[] {
  const { negatives, falseFires, fired, coverage, floor, intervals, atCoverage80 } = abstention;
  const fires =
    negatives === 0
      ? "no negatives: false fires are not measured"
      : `${percent(falseFires)} false fires (${fired} of ${negatives}; ${spanOf(intervals.falseFires)})`;
  const other =
    atCoverage80?.falseFires == null
      ? []
      : [
          style(
            "dim",
            `a floor of ${atCoverage80.threshold.toFixed(2)} would answer ${percent(atCoverage80.coverage)} with ${percent(atCoverage80.falseFires)} false fires`,
          ),
        ];
  return [
    `At the floor of ${floor}: ${percent(coverage)} answered (${spanOf(intervals.coverage)}), of these ${percent(answered.p1)} right; ${fires}`,
    ...other,
  ];
}

function renderCosts({ latencyMs, index }: RoutingReport): string {
  const { skills, buildMs, loadMs, bytes } = index;
  const costs = [
    buildMs === null ? [] : [`${buildMs} ms to build`],
    loadMs === null ? [] : [`${loadMs} ms to load`],
    bytes === null ? [] : [megabytes(bytes)],
  ].flat();
  return [
    `A query takes ${latencyMs.p50} ms (median), ${latencyMs.p99} ms (99th percentile)`,
    [`index of ${plural(skills, "skill")}`, ...costs].join(", "),
  ].join("; ");
}

const mostShown = 8;

function renderConfusions({ confusions }: RoutingReport, style: Style): string[] {
  const shown = confusions.slice(0, mostShown);
  const lines = shown.flatMap(({ expected, chosen, count, words, alike }) => [
    `  ${String(count).padStart(3)}  ${safeLine(expected, 120)} ${style("dim", "->")} ${safeLine(chosen, 120)}`,
    `       ${style("dim", alike ? "look-alikes" : words.map((word) => safeLine(word, 32)).join(", "))}`,
  ]);
  return section("Taken for another, and the words that pulled", confusions.length, shown.length, style, lines);
}

function renderMisses({ misses }: RoutingReport, style: Style): string[] {
  const shown = misses.slice(0, mostShown);
  const lines = shown.flatMap((miss) => [
    `  ${style("dim", safeLine(miss.at, 140))}  ${safeLine(miss.query, 100)}`,
    `    ${safeLine(miss.expected.join(" or "), 160)} ${miss.rank === null ? "was not found" : `at place ${miss.rank}`}; ${firstOf(miss)}`,
    `    ${style("dim", safeLine(miss.why, 200))}`,
  ]);
  return section("Missed", misses.length, shown.length, style, lines);
}

function firstOf({ chosen, confidence, abstained }: Miss): string {
  if (chosen === null || confidence === null) return "nothing was found";
  return `first: ${safeLine(chosen, 120)} ${confidence.toFixed(2)}${abstained ? ", not given out" : ""}`;
}

function renderFires({ fires }: RoutingReport, style: Style): string[] {
  const lines = fires
    .slice(0, mostShown)
    .flatMap(({ at, query, chosen, confidence, why }) => [
      `  ${style("dim", safeLine(at, 140))}  ${safeLine(query, 100)}`,
      `    got ${safeLine(chosen, 120)} ${confidence.toFixed(2)}  ${style("dim", safeLine(why, 160))}`,
    ]);
  return section("False fires", fires.length, Math.min(mostShown, fires.length), style, lines);
}

function section(title: string, count: number, shown: number, style: Style, lines: readonly string[]): string[] {
  if (count === 0) return [];
  const more = count > shown ? [style("dim", `  and ${count - shown} more: --json lists all, --html shows them`)] : [];
  return ["", style("bold", `${title} (${count})`), ...lines, ...more];
}

/** One line for each threshold that was missed. */
export function renderMissedGates(missed: readonly MissedGate[]): string {
  return missed
    .map(({ measure, expected, got }) => `${measure}: expected ${expected}, got ${got ?? "nothing to measure it on"}`)
    .join("\n");
}

/** RT-10: pairs that cannot be told apart, with what would help. */
export function renderConfusable({ skills, total, counts, pairs }: ConfusableReport, style: Style): string {
  const kinds = ["identical", "near-identical", "similar"] as const;
  const lines = kinds.flatMap((likeness) => {
    const shown = pairs.filter((pair) => pair.likeness === likeness).slice(0, mostPairs);
    const more = counts[likeness] - shown.length;
    const rest = more > 0 ? [style("dim", `  and ${more} more ${likeness} ones; --json lists more`)] : [];
    return shown.flatMap((pair) => renderPair(pair, style)).concat(rest);
  });
  const none = total === 0 ? ["Each description leads to its own skill."] : [];
  const title = style("bold", `Confusable pairs among ${plural(skills, "skill")} (${total})`);
  return withoutOrders([title, ...lines, ...none].join("\n"));
}

const mostPairs = 10;

function renderPair(
  { skills: [a, b], likeness, count, score, overlap, shared, separating }: ConfusablePair,
  style: Style,
): string[] {
  const how =
    likeness === "similar" ? `${percent(score)} of their queries, ${percent(overlap)} of their words` : likeness;
  const many = count > 2 ? `${how}, ${count} of them` : how;
  const [ofA, ofB] = separating;
  return [
    `  ${safeLine(a, 120)} ${style("dim", "and")} ${safeLine(b, 120)}  ${style("yellow", many)}`,
    ...(likeness === "identical" || shared.length === 0 ? [] : [`    ${style("dim", "both say")}  ${listed(shared)}`]),
    ...(ofA.length === 0 ? [] : [`    ${style("dim", "only the first")}  ${listed(ofA)}`]),
    ...(ofB.length === 0 ? [] : [`    ${style("dim", "only the second")}  ${listed(ofB)}`]),
  ];
}

function listed(words: readonly string[]): string {
  return words.map((word) => safeLine(word, 48)).join(", ");
}

function percent(share: number | null): string {
  return share === null ? "-" : `${(share * 100).toFixed(1)} %`;
}

function spanOf(interval: Interval | null): string {
  return interval === null ? "" : interval.map((share) => (share * 100).toFixed(0)).join("-");
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Two rows for each set: what has a finding at high or above, and at critical. */
export function renderEvaluation(evaluation: ScanEvaluation, style: Style): string {
  const { n, atHigh, atCritical, msP50, msP99, missed, wrong } = evaluation;
  const rows = Object.keys(atHigh).flatMap((set) => [
    rowOf(set, "high", atHigh),
    rowOf("", "critical", atCritical, set),
  ]);
  return withoutOrders(
    [
      renderTable(["set", "at", "malicious", "recall", "benign", "false positive"], rows, style),
      "",
      `${plural(n, "text")}; a scan takes ${msP50} ms (median), ${msP99} ms (99th percentile)`,
      ...renderList("Missed at high", missed, style),
      ...renderList("Wrong at high", wrong, style),
    ].join("\n"),
  );
}

function rowOf(shown: string, at: string, qualities: QualityBySet, set = shown): string[] {
  const quality = qualities[set];
  if (quality === undefined) return [shown, at];
  const { malicious, benign, recall, falsePositive } = quality;
  return [shown, at, String(malicious), percent(recall), String(benign), percent(falsePositive)];
}

function renderList(title: string, ids: readonly string[] | undefined, style: Style): string[] {
  if (ids === undefined) return [];
  const lines = ids.length === 0 ? ["  none"] : ids.map((id) => `  ${safeLine(id, 256)}`);
  return ["", style("bold", `${title} (${ids.length})`), ...lines];
}

/** A line for each case, what failed below it, a sum at the end; or what is wrong with the cases. */
export function renderSkillsEvaluation(evaluation: SkillsEvaluation, style: Style): string {
  const { cases, findings } = evaluation;
  const lines =
    findings.length > 0
      ? [...renderFindings(findings, style), "", style("red", "nothing was run: correct the cases first")]
      : [...cases.flatMap((each) => renderCase(each, style)), "", renderSum(evaluation, style)];
  // Names, prompts and answers are whoever's; styles are set around them, so that nothing else is in them.
  return withoutOrders(lines.join("\n"));
}

function renderCase(outcome: CaseOutcome, style: Style): readonly string[] {
  const { name, file, state, runs, passed, failures, notes, findings } = outcome;
  const rate = runs > 1 ? `  ${passed} of ${runs}` : "";
  return [
    `${markOf(state, style)} ${style("bold", makeVisible(name))}${rate}  ${style("dim", makeVisible(file))}`,
    ...failures.flatMap((each) => renderFailure(each, runs, style)),
    ...notes.map((note) => `    ${style("dim", makeVisible(note))}`),
    ...(state === "failed" ? renderFindings(findings, style).map((line) => `  ${line}`) : []),
  ];
}

function markOf(state: CaseOutcome["state"], style: Style): string {
  if (state === "skipped") return style("yellow", "-");
  return state === "passed" ? style("green", "✓") : style("red", "✗");
}

function renderFailure({ why, runs }: CaseOutcome["failures"][number], all: number, style: Style): readonly string[] {
  const [first = "", ...rest] = makeVisible(why).split("\n");
  const where = all > 1 ? style("dim", ` (run ${runs.join(", ")})`) : "";
  return [`    ${style("red", first)}${where}`, ...rest.map((line) => `    ${line}`)];
}

function renderSum({ cases, minRate, passes, model }: SkillsEvaluation, style: Style): string {
  const count = (state: CaseOutcome["state"]) => cases.filter((each) => each.state === state).length;
  const sums = [plural(cases.length, "case"), `${count("passed")} passed`, `${count("failed")} failed`];
  if (count("skipped") > 0) sums.push(`${count("skipped")} skipped`);
  const by = model === null ? "by their scripts" : `with ${makeVisible(model)}`;
  const verdict = passes ? style("green", "pass") : style("red", "fail");
  return `${by}: ${sums.join(", ")}, at a rate of ${minRate}: ${verdict}`;
}
