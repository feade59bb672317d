import { createHash } from "node:crypto";
import type { GatedReport } from "../eval-routing.ts";
import type { Interval } from "../../../routing/evaluation/statistics.ts";
import { renderBars } from "./bars.ts";
import { renderCurve } from "./curve.ts";
import { duration, html, Markup, percent, shown, size, style } from "./html.ts";
import { renderLatency } from "./latency.ts";
import { renderConfusions, renderFires, renderMisses, renderSkills, renderWithheld } from "./lists.ts";

/** One page that needs nothing else: no script, no font, no request. Its own policy forbids them all. */
export function renderRoutingPage(report: GatedReport, version: string): string {
  const styleHash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>Routing: ${percent(report.p1)} right</title><style>${new Markup(style)}</style></head><body><main>
${renderHead(report)}
${renderTiles(report)}
${renderBars(report)}
<div class="pair">${renderCurve(report)}${renderLatency(report)}</div>
${renderConfusions(report)}${renderMisses(report)}${renderFires(report)}${renderWithheld(report)}${renderSkills(report)}
<footer class="soft small">skillward ${version}, eval routing. P@1, MRR and recall: over positives, in the order before the floor, so that ranking and abstention are seen apart. Skills with identical bytes count as one.</footer>
</main></body></html>
`.text;
}

function renderHead({ n, positives, abstention, index, gate }: GatedReport): Markup {
  return html`<h1>The right skill, or none</h1>
<p class="soft">${count(n)} queries over ${count(index.skills)} skills: ${count(positives)} that a skill fits, ${count(abstention.negatives)} that should get none, or not a certain one.${renderIndex(index)}</p>${renderGate(gate)}`;
}

function renderIndex({ bytes, buildMs, loadMs }: GatedReport["index"]): Markup {
  const parts = [
    bytes === null ? "" : `takes ${size(bytes)}`,
    buildMs === null ? "" : `was built in ${duration(buildMs)}`,
    loadMs === null ? "" : `loads in ${duration(loadMs)}`,
  ];
  const said = parts.filter((part) => part !== "").join(", ");
  return said === "" ? html`` : html` The index ${said}.`;
}

function renderGate({ missed }: GatedReport["gate"]): Markup {
  if (missed.length === 0) return html``;
  const lines = missed.map(
    ({ measure, expected, got }) =>
      html`<div>${measure}: expected ${shown(expected, 40)}, got ${got ?? "nothing"}</div>`,
  );
  return html`<div class="gate">${lines}</div>`;
}

function renderTiles({ p1, mrr, k, intervals, abstention, answered, latencyMs, recall }: GatedReport): Markup {
  const { coverage, falseFires, negatives, fired } = abstention;
  const tiles: [string, string, string][] = [
    ["P@1", percent(p1), spanOf(intervals.p1)],
    [`MRR@${k}`, percent(mrr), spanOf(intervals.mrr)],
    ["recall@10", percent(recall["10"] ?? null), `recall@5 ${percent(recall["5"] ?? null)}`],
    ["answered", percent(coverage), `of these ${percent(answered.p1)} right`],
    [
      "false fires",
      percent(falseFires),
      negatives === 0 ? "no negatives" : `${fired} of ${negatives}; ${spanOf(abstention.intervals.falseFires)}`,
    ],
    ["a query", duration(latencyMs.p50), `99th percentile ${duration(latencyMs.p99)}`],
  ];
  return html`<div class="tiles">${tiles.map(([name, value, about]) => html`<div class="tile"><span class="soft small">${name}</span><b>${value}</b><span class="soft small">${about}</span></div>`)}</div>`;
}

function spanOf(interval: Interval | null): string {
  return interval === null ? "" : `95 %: ${interval.map((share) => (share * 100).toFixed(1)).join(" to ")}`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
