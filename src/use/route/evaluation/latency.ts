import type { LatencyBin, RoutingReport } from "./report.ts";
import { quantile, rounded } from "./statistics.ts";

/** Bars for each tenfold. */
const perTenfold = 5;
const decimals = 3;

/** Percentiles, and a histogram whose bars are as wide in the logarithm. */
export function latencyOf(milliseconds: readonly number[]): RoutingReport["latencyMs"] {
  return {
    p50: rounded(quantile(milliseconds, 0.5), decimals),
    p99: rounded(quantile(milliseconds, 0.99), decimals),
    histogram: histogramOf(milliseconds),
  };
}

/** What took no time that the clock could see counts as this. */
const shortest = 0.001;
const longest = 1e6;

function histogramOf(milliseconds: readonly number[]): readonly LatencyBin[] {
  if (milliseconds.length === 0) return [];
  const bins = milliseconds.map((each) => binOf(Math.min(longest, Math.max(shortest, each))));
  const [low, high] = [Math.min(...spread(bins)), Math.max(...spread(bins))];
  return Array.from({ length: high - low + 1 }, (_, at) => ({
    from: edge(low + at),
    to: edge(low + at + 1),
    count: bins.filter((bin) => bin === low + at).length,
  }));
}

/** Each once: the arguments of a call are few even when the queries are many. */
function spread(bins: readonly number[]): readonly number[] {
  return [...new Set(bins)];
}

function binOf(milliseconds: number): number {
  // A hair above, so that what lies on an edge is not below it by the error of the logarithm.
  return Math.floor(Math.log10(milliseconds) * perTenfold + 1e-9);
}

function edge(bin: number): number {
  return Number((10 ** (bin / perTenfold)).toPrecision(3));
}
