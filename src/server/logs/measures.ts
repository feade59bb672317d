import type { Serving } from "../../features/serving.ts";
import { AppError, type ErrorCode } from "../../core/error.ts";
import type { Clock } from "../../core/world.ts";
import type { Metrics } from "./metrics.ts";
import type { LiveEvent } from "../../features/sources/schema.ts";
import type { InjectionRecord } from "../../registry/schema.ts";

/**
 * What is counted of a node, whichever door it came through (SV-8): skills in prompts, routing, denials, syncs. Labels are
 * words of ours, never of a client or a model.
 */
export function measureServing(
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock },
  serving: Pick<Serving, "onInjection" | "onRouted" | "onUse" | "live">,
): void {
  serving.onInjection(injectionCounter(metrics));
  const routes = metrics.counter("skillward_routes_total", "Questions which skill fits, by what came of them.", [
    "outcome",
  ]);
  serving.onRouted((outcome) => routes.add({ outcome }));
  const denied = metrics.counter("skillward_tool_calls_denied_total", "Tool calls that a scope denied.");
  serving.onUse(({ event }) => {
    if (event === "denied") denied.add();
  });
  serving.live.listen(syncCounter(metrics, clock));
}

function injectionCounter(metrics: Metrics): (record: InjectionRecord) => void {
  const included = metrics.counter("skillward_skills_injected_total", "Skills that were put into prompts.");
  const bytes = metrics.counter("skillward_injected_bytes_total", "Bytes of skills that were put into prompts.");
  const dropped = metrics.counter("skillward_skills_dropped_total", "Skills that were kept out of prompts.", ["why"]);
  return (record) => {
    included.add({}, record.included.length);
    bytes.add({}, record.bytes);
    for (const { why } of record.dropped) dropped.add({ why });
  };
}

const seconds = [0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900];

/** From the moment a sync is the one of its source; there is one at a time of each (IN-15). */
function syncCounter(metrics: Metrics, clock: Clock): (event: LiveEvent) => void {
  const syncs = metrics.counter("skillward_syncs_total", "Syncs of sources on this node.", ["status"]);
  const durations = metrics.histogram("skillward_sync_seconds", "How long syncs took.", seconds);
  const begun = new Map<string, number>();
  return (event) => {
    if (event.is === "sync" && event.progress === null) begun.set(event.source, clock.now());
    if (event.is !== "synced") return;
    const { status } = event.result;
    syncs.add({ status: status === "error" ? "failed" : status });
    const start = begun.get(event.source);
    begun.delete(event.source);
    if (start !== undefined) durations.observe((clock.now() - start) / 1000);
  };
}

/** What hosts ask for (SV-5). A tool stands for itself; every other word of theirs is the same one. */
const mcpWords: ReadonlySet<string> = new Set([
  "initialize",
  "notifications/initialized",
  "ping",
  "server/discover",
  "subscriptions/listen",
  "stream",
  "tools/list",
  "find_skill",
  "load_skill",
  "read_skill_file",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/directory/read",
  "skills/list",
  "skills/get",
]);

/** `method`: `stream` for one without a message. `tool`: which one is called, if any. */
export function mcpCounter(metrics: Metrics): (method: string, tool: unknown) => void {
  const requests = metrics.counter("skillward_mcp_requests_total", "Requests of MCP hosts, by what they asked for.", [
    "asked",
  ]);
  return (method, tool) => {
    const asked = method === "tools/call" ? tool : method;
    const isKnown = typeof asked === "string" && mcpWords.has(asked);
    requests.add({ asked: isKnown ? asked : "other" });
  };
}

const signInResults: Partial<Record<ErrorCode, string>> = {
  "auth.failed": "refused",
  "auth.forbidden": "refused",
  "request.too-many": "too-many",
};

/** T38: sign-ins by how they ended, never by whose they were. Those through OpenID Connect have a counter of their own. */
export function signInCounter(
  metrics: Metrics,
): <Result>(way: "password" | "proxy", act: () => Promise<Result>) => Promise<Result> {
  const signIns = metrics.counter("skillward_sign_ins_total", "Sign-ins, by how and how they ended.", [
    "way",
    "result",
  ]);
  return async (way, act) => {
    try {
      const entered = await act();
      signIns.add({ way, result: "ok" });
      return entered;
    } catch (error) {
      const result = error instanceof AppError ? signInResults[error.code] : undefined;
      signIns.add({ way, result: result ?? "failed" });
      throw error;
    }
  };
}
