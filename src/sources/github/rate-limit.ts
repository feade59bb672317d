import { AppError } from "../../core/error.ts";
import type { Incoming } from "../../core/transport.ts";

/** IN-11: no more requests for now. It ends what is under way; it is neither retried nor taken for a missing file. */
export class RateLimited extends AppError {
  /** Milliseconds since the epoch; null: the service does not say. */
  readonly resetAt: number | null;

  constructor(host: string, resetAt: number | null, { now, hasToken }: { now: number; hasToken: boolean }) {
    const advice = hasToken ? "" : "; with a token there are more (`--token-env`)";
    super("source.limited", `${host} allows no more requests ${until(resetAt, now)}: try again then${advice}`);
    this.resetAt = resetAt;
  }
}

function until(resetAt: number | null, now: number): string {
  if (resetAt === null) return "for now and does not say until when, wait a minute at least";
  const minutes = Math.max(1, Math.ceil((resetAt - now) / 60_000));
  return `until ${new Date(resetAt).toISOString()} (in ${minutes} ${minutes === 1 ? "minute" : "minutes"})`;
}

/** Whether an answer means that the limit is reached. GitHub says some limits by their message alone. */
export function isLimit({ status, headers }: Incoming, message: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isSaid = headerOf(headers, "retry-after") !== undefined || leftOf(headers) === 0;
  return isSaid || /\brate limit\b/i.test(message);
}

/** How many requests are left, as an answer says. */
export function leftOf(headers: Incoming["headers"]): number | null {
  return wholeNumber(headerOf(headers, "x-ratelimit-remaining"));
}

/** No window of any service is longer; what says so is not believed, nor can it be written as a date. */
const longestWindow = 7 * 86_400_000;

/** When requests are allowed again, as an answer says: a wait that was asked for goes before the end of the window. */
export function resetOf(headers: Incoming["headers"], now: number): number | null {
  const wait = wholeNumber(headerOf(headers, "retry-after"));
  const reset = wholeNumber(headerOf(headers, "x-ratelimit-reset"));
  return believedReset(wait === null ? reset && reset * 1000 : now + wait * 1000, now);
}

/** Null: it is not said, or so that nobody can believe it. */
export function believedReset(at: number | null, now: number): number | null {
  return at !== null && at <= now + longestWindow ? at : null;
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

export function headerOf(headers: Incoming["headers"], name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value[0] : value;
}
