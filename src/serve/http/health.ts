import { z } from "@hono/zod-openapi";
import { safeLine } from "../../base/text.ts";
import type { Door, Served } from "../door.ts";
import { KeptAnswer } from "../kept-answer.ts";
import { send, sendJson } from "../send.ts";
import type { Operations } from "./operations.ts";
import { health, readiness } from "./schemas.ts";
import { storeMeasures } from "./store-measures.ts";

type Readiness = Awaited<ReturnType<Served["isReady"]>>;

/** SV-2: whether the process lives, whether it can answer, and what it has measured. */
export function mountHealth(operations: Operations, { served, clock, metrics }: Door): void {
  // T41: anybody may ask, as often as they like; the store is looked at once in a second for all of them.
  const readinessNow = new KeptAnswer(clock, 1000, () => served.isReady());
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
