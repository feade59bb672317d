import { safeLine } from "../../core/text.ts";
import { health, readiness } from "../../features/http/words.ts";
import { CachedValue } from "../cached-value.ts";
import type { Door, Served } from "../door.ts";
import type { Metrics } from "../logs/metrics.ts";
import { send, sendJson } from "../send.ts";
import type { Operations } from "./operations.ts";
import { z } from "@hono/zod-openapi";

type Readiness = Awaited<ReturnType<Served["isReady"]>>;

/** SV-2: whether the process lives, whether it can answer, and what it has measured. */
export function mountHealth(operations: Operations, { served, clock, metrics }: Door): void {
  // T41: anybody may ask, as often as they like; the store is looked at once in a second for all of them.
  const readinessNow = new CachedValue(clock, 1000, () => served.isReady());
  const measureStore = storeMeasures(served, metrics);
  operations.getRaw({ path: "/healthz", summary: "Whether the server runs.", answer: health }, async ({ env }) =>
    sendJson(env.outgoing, { status: "ok" }),
  );
  operations.getRaw(
    { path: "/readyz", summary: "Whether it can answer; 503 when not.", answer: readiness, others: { 503: notReady } },
    async ({ env }) => {
      const { ready, checks } = await readinessNow.get();
      return sendJson(env.outgoing, { ready, checks: checks.map(shownCheck) }, { status: ready ? 200 : 503 });
    },
  );
  operations.getRaw(
    { path: "/metrics", summary: "Prometheus' text format.", answer: z.string(), type: metricsType },
    async ({ env }) => {
      await measureStore();
      return send(env.outgoing, { status: 200, headers: { "content-type": metricsType }, body: metrics.render() });
    },
  );
}

const notReady = { description: "It cannot", schema: readiness };
const metricsType = "text/plain; version=0.0.4; charset=utf-8";

function shownCheck({ name, ok, about }: Readiness["checks"][number]) {
  return { name: safeLine(name, 80), ok, about: safeLine(about, 240) };
}

/** SV-7: how a node stands to its store, in figures. Said also when nothing is given out any more. */
export function storeMeasures(served: Pick<Served, "standing" | "generation">, metrics: Metrics): () => Promise<void> {
  const generation = metrics.gauge("skillward_generation", "The generation of the registry that is served.");
  const degraded = metrics.gauge("skillward_degraded", "1 while the store is away, or is not the one that it was.");
  const seconds = metrics.gauge("skillward_degraded_seconds", "Seconds since the store last answered; 0: it is there.");
  const failures = metrics.counter("skillward_store_failures_total", "Times that the store did not answer.");
  const reserve = metrics.gauge(
    "skillward_standby_generation",
    "The generation that could be served without the store.",
  );
  const missing = metrics.gauge("skillward_standby_missing", "Files of skills that it would lack then.");
  let told = 0;
  return async () => {
    const { away, failures: count, reserve: kept } = served.standing();
    generation.set(await served.generation().catch(() => kept?.generation ?? 0));
    degraded.set(away === null ? 0 : 1);
    seconds.set(away?.seconds ?? 0);
    failures.add({}, count - told);
    told = count;
    reserve.set(kept?.generation ?? 0);
    missing.set(kept?.missingBodies ?? 0);
  };
}
