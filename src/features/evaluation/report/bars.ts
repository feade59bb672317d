import type { Ranking, RoutingReport } from "../../../routing/evaluation/report.ts";
import type { Interval } from "../../../routing/evaluation/statistics.ts";
import { html, type Markup, percent, shown } from "./html.ts";

const width = 1000;
const left = 150;
const right = 70;
const rowHeight = 54;
const barHeight = 15;
const mostKinds = 12;

/** P@1 and MRR with their intervals: overall, and for each kind of query. */
export function renderBars({ positives, p1, mrr, recall, intervals, byKind, k }: RoutingReport): Markup {
  const kinds = Object.entries(byKind);
  const rows: [string, Ranking][] = [
    ["all", { n: positives, p1, mrr, recall, intervals }],
    ...kinds.slice(0, mostKinds),
  ];
  const height = rows.length * rowHeight + 26;
  const more =
    kinds.length > mostKinds ? html`<p class="soft small">and ${kinds.length - mostKinds} more kinds</p>` : html``;
  return html`<section><h2>The right skill first</h2>
<p class="soft small"><span class="key one"></span>P@1: the first one is right<span class="key two"></span>MRR@${k}: the mean of 1 / its place; whiskers: 95 % intervals</p>
<svg class="wide" viewBox="0 0 ${width} ${height}" role="img" aria-label="P@1 and MRR with intervals">
${[0, 0.25, 0.5, 0.75, 1].map((share) => renderGridLine(share, height))}
${rows.map(([name, ranking], at) => renderRow(name, ranking, at * rowHeight))}
</svg>${more}</section>`;
}

function x(share: number): number {
  return Number((left + share * (width - left - right)).toFixed(1));
}

function renderGridLine(share: number, height: number): Markup {
  const bottom = height - 20;
  return html`<line class="grid" x1="${x(share)}" x2="${x(share)}" y1="0" y2="${bottom}"/><text class="middle" x="${x(share)}" y="${height - 4}">${share * 100} %</text>`;
}

function renderRow(name: string, { n, p1, mrr, intervals }: Ranking, top: number): Markup {
  return html`<text class="name end" x="${left - 12}" y="${top + 22}">${shown(name, 20)}</text><text class="end" x="${left - 12}" y="${top + 38}">n = ${n}</text>
${renderBar("P@1", p1, intervals.p1, "one", top + 6)}
${renderBar("MRR", mrr, intervals.mrr, "two", top + 9 + barHeight)}`;
}

function renderBar(
  measure: string,
  value: number,
  interval: Interval | null,
  colour: "one" | "two",
  top: number,
): Markup {
  const [from, to] = interval ?? [value, value];
  const middle = top + barHeight / 2;
  const title = `${measure} ${percent(value)}, 95 %: ${percent(from)} to ${percent(to)}`;
  return html`<g><title>${title}</title><rect class="${colour}" x="${x(0)}" y="${top}" width="${Math.max(1, x(value) - x(0))}" height="${barHeight}" rx="3"/>
<path class="whisker" d="M${x(from)} ${middle}H${x(to)}M${x(from)} ${middle - 4}v8M${x(to)} ${middle - 4}v8"/>
<text class="value" x="${Math.max(x(value), x(to)) + 7}" y="${middle + 4}">${percent(value)}</text></g>`;
}
