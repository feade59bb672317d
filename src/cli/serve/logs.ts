import type { PreparingEvents } from "../../features/routing/preparing.ts";
import { safeLine } from "../../core/text.ts";
import type { Log } from "../../server/logs/log.ts";
import type { StandbyEvents } from "../../app/standby/standing.ts";
import type { ScheduleEvents } from "../../features/sources/schedule.ts";
import { AppError } from "../../core/error.ts";
import type { WebhookEvents } from "../../features/review/webhook.ts";
import type { Metrics } from "../../server/logs/metrics.ts";

/** A small registry is indexed before anyone could read of it. */
const worthNoting = 500;

/** How the routing index comes along, in the log of the server. */
export function preparingEvents(log: Log): PreparingEvents {
  let last = "";
  return {
    onProgress({ done, of }) {
      if (of >= worthNoting) log.note("routing index", { done, of });
    },
    onPrepared({ skills, embedded, failure }) {
      if (failure !== null) log.failure("routing vectors", failure);
      const { made, refused } = embedded;
      const state = `${skills} ${made} ${refused}`;
      // Most generations change nothing that routing knows of.
      if (state !== last)
        log.note("routing index ready", {
          skills,
          ...(made > 0 && { vectors: made }),
          ...(refused > 0 && { withoutVector: refused }),
        });
      last = state;
    },
    onFinding: ({ code, message }) => log.warn("routing index", { code, message: safeLine(message, 400) }),
    onFailure: (error) => log.failure("routing index", error),
  };
}

/** That the store went and came back, in the log of the server: once each time (SV-7). */
export function standbyEvents(log: Log): StandbyEvents {
  return {
    onAway: ({ code, message }) => log.warn("store away", { code, message: safeLine(message, 400) }),
    onBack: (seconds) => log.note("store back", { seconds }),
    onFailure: (error) => log.failure("standby", error),
  };
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** When somebody wants the process to end: what is under way is finished first. The next signal, whichever, ends it at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

/** What scheduled syncs did, in the log of the server (IN-24). */
export function scheduleEvents(log: Log): ScheduleEvents {
  return {
    onSynced({ source, status, created, updated, orphaned, blocked, findings }) {
      log.note("sync", { source, status, created, updated, orphaned, blocked, findings: findings.length });
    },
    onFailure(source, error) {
      // Our own messages are written to be shown; of what nobody foresaw, its kind and place are kept.
      if (!(error instanceof AppError)) return log.failure(source === null ? "schedule" : `schedule ${source}`, error);
      const { code, message } = error;
      log.warn("sync failed", { ...(source !== null && { source }), code, message: safeLine(message, 400) });
    },
  };
}

/** Whether others were told what needs review, in log and figures (SV-11). Never where to: the address can hold a secret. */
export function webhookEvents(log: Log, metrics: Metrics): WebhookEvents {
  const tries = metrics.counter("skillward_webhook_total", "Tries to tell others what needs review.", ["result"]);
  const failed = (error: unknown, fields: Readonly<Record<string, string | number>>) => {
    // Our own messages are written to be shown; of what nobody foresaw, its kind and place are kept.
    if (!(error instanceof AppError)) return log.failure("webhook", error);
    log.warn("webhook failed", { ...fields, code: error.code, message: safeLine(error.message, 400) });
  };
  return {
    onDelivered: (delivered) => {
      tries.add({ result: "delivered" });
      log.note("webhook", delivered);
    },
    onFailure: (error, fields) => {
      tries.add({ result: "failed" });
      failed(error, fields);
    },
    onIdle: (error) => failed(error, {}),
  };
}
