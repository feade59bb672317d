import type { StandbyEvents } from "../../app/standby/standing.ts";
import { safeLine } from "../../core/text.ts";
import type { Log } from "../../server/logs/log.ts";

/** That the store went and came back, in the log of the server: once each time (SV-7). */
export function standbyEvents(log: Log): StandbyEvents {
  return {
    onAway: ({ code, message }) => log.warn("store away", { code, message: safeLine(message, 400) }),
    onBack: (seconds) => log.note("store back", { seconds }),
    onFailure: (error) => log.failure("standby", error),
  };
}
