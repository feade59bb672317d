import { type Answer, createError, createText } from "./answer.ts";

export interface RateLimit {
  set(left: number | null, resetAt?: number): void;
  /** Counts one request; false when there is none left for it. */
  take(): boolean;
  /** It turned out not to count. */
  giveBack(): void;
  headers(): Readonly<Record<string, string>>;
  /** As `/rate_limit` says it. */
  answer(): Answer;
}

const most = 5000;
/** The end of the century: no test waits for it. */
const someDay = 4_102_444_800;

export function createRateLimit(): RateLimit {
  let [left, reset]: [number | null, number] = [null, someDay];
  return {
    set: (wanted, resetAt = someDay) => void ([left, reset] = [wanted, resetAt]),
    take() {
      if (left === 0) return false;
      if (left !== null) left -= 1;
      return true;
    },
    giveBack() {
      if (left !== null) left += 1;
    },
    headers: () => ({
      "x-ratelimit-limit": String(most),
      "x-ratelimit-remaining": String(left ?? most),
      "x-ratelimit-reset": String(reset),
      "x-ratelimit-used": String(Math.max(0, most - (left ?? most))),
      "x-ratelimit-resource": "core",
    }),
    answer() {
      const core = { limit: most, used: Math.max(0, most - (left ?? most)), remaining: left ?? most, reset };
      return createText(200, JSON.stringify({ resources: { core }, rate: core }), "application/json; charset=utf-8");
    },
  };
}

export function rateExceeded(): Answer {
  return createError(403, "API rate limit exceeded for 127.0.0.1.");
}
