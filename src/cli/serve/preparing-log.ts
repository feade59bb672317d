import type { PreparingEvents } from "../../features/routing/preparing.ts";
import { safeLine } from "../../core/text.ts";
import type { Log } from "../../server/logs/log.ts";

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
