import type { ScheduleEvents } from "../../features/sources/schedule.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Log } from "../../server/logs/log.ts";

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
