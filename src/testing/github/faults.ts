import { STATUS_CODES } from "node:http";
import { type Answer, createError, createText } from "./answer.ts";
import { flipped } from "./tar.ts";
import type { Fault, FaultKind, GitHubRequest, Misbehaviour } from "./script.ts";

export interface Faults {
  next(fault: Fault): void;
  misbehave(how: Misbehaviour | null): void;
  /** The one for this request, which uses it up. */
  take(request: GitHubRequest): FaultKind | undefined;
}

export function createFaults(): Faults {
  const queue: Fault[] = [];
  let always: Misbehaviour | null = null;
  return {
    next: (fault) => void queue.push(fault),
    misbehave: (how) => void (always = how),
    take(request) {
      const at = queue.findIndex((fault) => fits(fault, request));
      if (at >= 0) return queue.splice(at, 1)[0]?.how;
      return always === null ? undefined : chosen(always, request);
    },
  };
}

/** Luck is asked for every request, so that what is done about one does not change what happens to the others. */
function chosen({ rate, random, faults }: Misbehaviour, request: GitHubRequest): FaultKind | undefined {
  const [doesIt, which] = [random() < rate, random()];
  const fitting = faults.filter((fault) => fits(fault, request));
  return doesIt ? fitting[Math.floor(which * fitting.length)]?.how : undefined;
}

function fits({ on }: Fault, { service, path }: GitHubRequest): boolean {
  if (on === undefined || typeof on === "string") return on === undefined || on === service;
  // One with `g` would begin where it ended the last time.
  return new RegExp(on.source, on.flags.replaceAll(/[gy]/g, "")).test(`${service} ${path}`);
}

/** What is said instead of the real answer; undefined when the fault lies in how that is sent. */
export function answerByFault(how: FaultKind | undefined): Answer | undefined {
  if (how === "not-json")
    return createText(200, "<!doctype html><title>Unicorn!</title>\n", "text/html; charset=utf-8");
  if (how === undefined || typeof how === "string") return undefined;
  if ("redirect" in how) return { ...createText(how.redirect, ""), headers: { location: how.to } };
  const { status, headers = {}, body } = how;
  const usual = createError(status, STATUS_CODES[status] ?? "Unknown");
  const said = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    status,
    headers: { ...usual.headers, ...Object.fromEntries(said) },
    body: body === undefined ? usual.body : Buffer.from(body),
  };
}

/** The answer with what the fault does to its bytes, before they are compressed. */
export function spoiled(answer: Answer, how: FaultKind | undefined): Answer {
  return how === "flip" ? { ...answer, body: flipped(answer.body) } : answer;
}

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

export interface Gate {
  /** True when it was opened, false when the client left before. */
  wait(client: AbortSignal): Promise<boolean>;
  /** Lets all who wait go on. */
  open(): void;
}

export function createGate(): Gate {
  const waiting = new Set<() => void>();
  return {
    wait: (client) =>
      new Promise((resolve) => {
        if (client.aborted) return resolve(false);
        const pass = (): void => {
          waiting.delete(pass);
          client.removeEventListener("abort", leave);
          resolve(true);
        };
        const leave = (): void => {
          waiting.delete(pass);
          resolve(false);
        };
        client.addEventListener("abort", leave, { once: true });
        waiting.add(pass);
      }),
    open() {
      for (const pass of waiting) pass();
    },
  };
}
