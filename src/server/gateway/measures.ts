import type { Counter, Histogram, Metrics } from "../logs/metrics.ts";

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 120];

/** What the gateway counts of its own requests (SV-8). Labels are words of ours, never of a client. */
export class Measures {
  readonly #requests: Counter;
  readonly #preparing: Histogram;
  readonly #waiting: Histogram;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter("skillward_gateway_requests_total", "Requests through the gateway.", [
      "operation",
      "outcome",
    ]);
    this.#preparing = metrics.histogram(
      "skillward_gateway_prepare_seconds",
      "From the whole request to the moment it leaves.",
      seconds,
      ["operation"],
    );
    this.#waiting = metrics.histogram(
      "skillward_gateway_upstream_seconds",
      "From the moment a request leaves to the first of its answer.",
      seconds,
      ["operation"],
    );
  }

  prepared(operation: string, milliseconds: number): void {
    this.#preparing.observe(milliseconds / 1000, { operation });
  }

  answered(operation: string, milliseconds: number): void {
    this.#waiting.observe(milliseconds / 1000, { operation });
  }

  over(operation: string, outcome: "ended" | "left" | "failed" | "refused"): void {
    this.#requests.add({ operation, outcome });
  }
}
