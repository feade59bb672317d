import type { WebhookEvents } from "../../features/review/webhook.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Log } from "../../server/logs/log.ts";
import type { Metrics } from "../../server/logs/metrics.ts";

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
