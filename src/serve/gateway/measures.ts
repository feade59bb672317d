import type { InjectionRecord } from "../../registry/injection.ts";
import type { Counter, Histogram, Metrics } from "../metrics.ts";

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 120];

/** What the gateway counts (SV-8). Labels are words of ours, never of a client. */
export class Measures {
  readonly #requests: Counter;
  readonly #preparing: Histogram;
  readonly #waiting: Histogram;
  readonly #injected: Counter;
  readonly #dropped: Counter;
  readonly #bytes: Counter;

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
    this.#injected = metrics.counter("skillward_skills_injected_total", "Skills that were put into prompts.");
    this.#dropped = metrics.counter("skillward_skills_dropped_total", "Skills that were kept out of prompts.", ["why"]);
    this.#bytes = metrics.counter("skillward_injected_bytes_total", "Bytes of skills that were put into prompts.");
  }

  prepared(operation: string, milliseconds: number): void {
    this.#preparing.observe(milliseconds / 1000, { operation });
  }

  /** Of any door. */
  injected(record: InjectionRecord): void {
    this.#injected.add({}, record.included.length);
    this.#bytes.add({}, record.bytes);
    for (const { why } of record.dropped) this.#dropped.add({ why });
  }

  answered(operation: string, milliseconds: number): void {
    this.#waiting.observe(milliseconds / 1000, { operation });
  }

  over(operation: string, outcome: "ended" | "left" | "failed" | "refused"): void {
    this.#requests.add({ operation, outcome });
  }
}
