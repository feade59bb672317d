import { AppError, isUnreachable } from "../../core/error.ts";
import type { Incoming } from "../../core/transport.ts";
import type { Randomness, Timer } from "../../core/world.ts";
import { fullName, type Repository } from "../repository.ts";

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

/** What was asked for, as messages say it. */
interface Subject {
  readonly repository: Repository;
  /** `repository acme/skills`, `branch main of acme/skills`. */
  readonly about: string;
  readonly host: string;
  readonly hasToken: boolean;
}

/** What was asked for is not there, as opposed to a repository that is empty or withheld. */
export class NotThere extends AppError {}

/** What an answer that is no answer means (IN-11 apart), and what can be done about it. */
export function refusalOf(status: number, subject: Subject, quote: string): AppError {
  const { host, about, hasToken } = subject;
  const name = fullName(subject.repository);
  switch (status) {
    case 401:
      return hasToken
        ? new AppError("source.refused", `${host} does not accept the token; give a valid one (\`--token-env\`)`)
        : new AppError("source.refused", `${host} wants a token for ${name}; give one (\`--token-env\`)`);
    case 403:
      return new AppError("source.refused", `${host} refuses ${about}${quote}; ${rightsAdvice(hasToken)}`);
    case 404:
    case 422:
      return new NotThere("source.missing", `${host} has no ${about}; check its name, ${privateAdvice(hasToken)}`);
    case 409:
      return new AppError("source.missing", `${name} is empty: it has no commit yet; push one first`);
    case 451:
      return new AppError("source.missing", `${host} may not give out ${name} for legal reasons${quote}`);
    default:
      return faultOf(status, subject, quote);
  }
}

function rightsAdvice(hasToken: boolean): string {
  return hasToken ? "the token needs the right to read its contents" : "give a token that may read it (`--token-env`)";
}

function privateAdvice(hasToken: boolean): string {
  return hasToken
    ? "or give the token the right to read it: what a token may not see is answered like this"
    : "or give a token (`--token-env`) if it is private: private ones are answered like missing ones";
}

/** The service's own faults count as not being reached: they pass, and are tried again. */
function faultOf(status: number, { host, about }: Subject, quote: string): AppError {
  const isPassing = status >= 500 && status !== 501;
  const advice = isPassing ? "; try again later" : "";
  return new AppError(
    isPassing ? "upstream.unreachable" : "upstream.invalid",
    `${host} answered ${status} when asked for ${about}${quote}${advice}`,
  );
}

/** T12: the name belongs to nothing any more; what it once was has another one, or another owner. */
export function renamed(repository: Repository): AppError {
  return new AppError(
    "source.frozen",
    `${fullName(repository)} was renamed or transferred; look at where it went, then remove the source and add it under its new name`,
  );
}

const mostTries = 3;
const firstPause = 250;

interface RetryOptions {
  readonly timer: Timer;
  readonly random: Randomness;
  readonly signal: AbortSignal | undefined;
}

/** IN-11: tries again what failed on the way, a few times, after a pause that grows and that no two clients share. */
export async function retried<T>({ timer, random, signal }: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (tries === mostTries || !isUnreachable(error)) throw error;
    }
    await unlessAborted(timer.after(Math.round(fraction(random) * firstPause * 2 ** (tries - 1))), signal);
  }
}

function fraction(random: Randomness): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / 65_535;
}

/** The pause ends at once with the signal, as a request does. */
async function unlessAborted(pause: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return pause;
  if (signal.aborted) return;
  const over = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { signal: over.signal });
  });
  await Promise.race([pause, aborted]);
  over.abort();
}
