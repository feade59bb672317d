import type { Served } from "../door.ts";
import type { Metrics } from "../metrics.ts";

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
