import type { LatencyBin, RoutingReport } from "../../../routing/evaluation/report.ts";
import { duration, html, type Markup } from "./html.ts";

const width = 480;
const height = 330;
const [left, bottom, top, right] = [44, 40, 34, 16];

/** How long queries took, in bars that are as wide in the logarithm. */
export function renderLatency({ latencyMs, n }: RoutingReport): Markup {
  const { histogram, p50, p99 } = latencyMs;
  const highest = Math.max(1, ...histogram.map(({ count }) => count));
  const [from, to] = [Math.log10(histogram[0]?.from ?? 1), Math.log10(histogram.at(-1)?.to ?? 10)];
  const x = (ms: number) => {
    const share = (Math.log10(Math.max(ms, 1e-6)) - from) / Math.max(1e-9, to - from);
    return Number((left + Math.min(1, Math.max(0, share)) * (width - left - right)).toFixed(1));
  };
  const y = (count: number) => Number((height - bottom - (count / highest) * (height - top - bottom)).toFixed(1));
  const isNear = x(p99) - x(p50) < 130;
  return html`<section><h2>Time of a query</h2>
<p class="soft small">${n} queries, milliseconds on a logarithmic scale; median ${duration(p50)}, 99th percentile ${duration(p99)}.</p>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="latency histogram">
${[0, 0.5, 1].map((share) => renderGridLine(y(share * highest), Math.round(share * highest)))}
${histogram.map((bin) => renderBin(bin, x, y))}
${edgesOf(histogram).map((edge) => html`<text class="middle" x="${x(edge)}" y="${height - bottom + 18}">${Number(edge.toPrecision(2))}</text>`)}
<text class="middle" x="${(left + width - right) / 2}" y="${height - 3}">milliseconds</text>
${renderMark(`median ${duration(p50)}`, x(p50), isNear ? "end" : "middle")}${renderMark(`p99 ${duration(p99)}`, x(p99), isNear ? "" : "middle")}
</svg></section>`;
}

function renderGridLine(y: number, count: number): Markup {
  return html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y}" y2="${y}"/><text class="end" x="${left - 8}" y="${y + 4}">${count}</text>`;
}

function renderBin({ from, to, count }: LatencyBin, x: (ms: number) => number, y: (count: number) => number): Markup {
  if (count === 0) return html``;
  const wide = Math.max(1, Number((x(to) - x(from) - 2).toFixed(1)));
  const tall = Math.max(1.5, Number((height - bottom - y(count)).toFixed(1)));
  return html`<rect class="one" x="${x(from) + 1}" y="${height - bottom - tall}" width="${wide}" height="${tall}" rx="2"><title>${from} to ${to} ms: ${count}</title></rect>`;
}

const mostEdges = 7;

/** Where the axis is labelled: few enough to be read. */
function edgesOf(histogram: readonly LatencyBin[]): readonly number[] {
  const edges = [...histogram.map(({ from }) => from), ...histogram.slice(-1).map(({ to }) => to)];
  const every = Math.ceil(edges.length / mostEdges);
  return edges.filter((_, at) => at % every === 0);
}

function renderMark(name: string, x: number, anchor: string): Markup {
  const text = anchor === "middle" ? Math.min(width - 40, Math.max(left + 30, x)) : x;
  return html`<line class="mark" x1="${x}" x2="${x}" y1="${top - 8}" y2="${height - bottom}"/><text class="strong ${anchor}" x="${text}" y="${top - 14}">${name}</text>`;
}
