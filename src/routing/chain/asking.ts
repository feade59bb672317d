import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { hasUnseen, safeLine, safeName } from "../../core/text.ts";
import type { Clock, Timer } from "../../core/world.ts";
import type { Asked, Evidence, Link } from "../link.ts";
import { type RouteCode, routeFinding } from "../route-faults.ts";

/** What came of asking a link, nothing in it believed yet. */
export type Reply =
  | { readonly is: "answer"; readonly answer: unknown }
  | { readonly is: "late" }
  /** Only errors of our own have a code, and are quoted: what others say may hold the query, or a secret. */
  | { readonly is: "failed"; readonly code: string | null; readonly reason: string };

export interface Asking {
  readonly clock: Clock;
  readonly timer: Timer;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
}

/** RT-4: one link, within its time box. Rejects only with the reason of the caller's own signal. */
export async function askLink(link: Link, asked: Omit<Asked, "signal">, asking: Asking): Promise<Reply> {
  const reply = await firstReply(link, asked, asking);
  asking.signal?.throwIfAborted();
  return reply;
}

/** Whatever comes first: an answer, the end of the time box, the caller leaving. */
async function firstReply(link: Link, asked: Omit<Asked, "signal">, asking: Asking): Promise<Reply> {
  const { clock, timer, signal } = asking;
  const ending = new AbortController();
  const end = new Promise<Reply>((resolve) => {
    ending.signal.addEventListener("abort", () => resolve({ is: "late" }), { once: true });
  });
  const leave = (): void => ending.abort(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  const deadline = timer.every(link.timeBox, () => ending.abort(new Error("the time box is over")));
  try {
    return await Promise.race([replyOf(link, { ...asked, signal: ending.signal }, clock), end]);
  } finally {
    deadline.stop();
    signal?.removeEventListener("abort", leave);
  }
}

/** Never rejects, also when nobody waits any more. */
async function replyOf(link: Link, asked: Asked, clock: Clock): Promise<Reply> {
  const start = clock.now();
  try {
    const found = link.find(asked);
    // One that keeps the process busy for too long is done before its deadline could be noticed. Told here, at once: what
    // other requests do before this one goes on is none of its doing.
    const isLate = clock.now() - start > link.timeBox;
    const answer = await found;
    return isLate ? { is: "late" } : { is: "answer", answer };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Reply {
  try {
    if (error instanceof AppError)
      return { is: "failed", code: error.code, reason: `${error.code}: ${safeLine(error.message, 200)}` };
  } catch {
    // Something was thrown that cannot even be looked at.
  }
  return { is: "failed", code: null, reason: "it threw an error" };
}

/** More than this is no answer that anybody looks through. */
const mostEvidence = 1000;
const longestWhy = 1000;

/** What of a link's answer is evidence. */
interface Answer {
  readonly evidence: readonly Evidence[];
  /** How much of it is not. */
  readonly dropped: number;
}

/**
 * RT-4: a link is believed nothing but what can be checked: entries that it may name, each once, with a confidence and
 * words that can be shown. Null is no list at all. Throws what the answer itself throws.
 */
function readAnswer(answer: unknown, mayName: (entry: EntryId) => boolean): Answer | null {
  if (!Array.isArray(answer)) return null;
  const { length } = answer;
  if (!Number.isSafeInteger(length)) return null;
  const evidence = new Map<EntryId, Evidence>();
  for (let at = 0; at < Math.min(length, mostEvidence); at++) {
    const one = evidenceAt(answer, at);
    if (one !== undefined && !evidence.has(one.entry) && mayName(one.entry)) evidence.set(one.entry, one);
  }
  return { evidence: [...evidence.values()], dropped: length - evidence.size };
}

/** Each member is read once: what is checked is what is used. One that throws when it is read is none. */
function evidenceAt(answer: readonly unknown[], at: number): Evidence | undefined {
  try {
    const item = answer[at];
    if (typeof item !== "object" || item === null) return undefined;
    if (!("entry" in item && "confidence" in item && "why" in item)) return undefined;
    const { entry, confidence, why } = item;
    if (typeof entry !== "string" || !isShare(confidence) || !isShown(why)) return undefined;
    return { entry, confidence, why };
  } catch {
    return undefined;
  }
}

function isShare(value: unknown): value is number {
  // Also false for what is not a number.
  return typeof value === "number" && value >= 0 && value <= 1;
}

function isShown(value: unknown): value is string {
  return typeof value === "string" && value.length <= longestWhy && !hasUnseen(value);
}

/** What is taken of a link's reply. Null evidence is no answer: nothing on the board changes. */
export interface Heard {
  readonly outcome: "answered" | "none" | "failed" | "late";
  readonly evidence: readonly Evidence[] | null;
  readonly note: string | null;
  readonly findings: readonly Finding[];
}

export function hear(link: Link, reply: Reply, mayName: (entry: EntryId) => boolean): Heard {
  if (reply.is === "late") return unheard(link, "route.link-late", `took longer than ${link.timeBox} ms`);
  if (reply.is === "failed") {
    const message = reply.code === null ? "failed" : `failed (${reply.code})`;
    return { ...unheard(link, "route.link-failed", message), note: reply.reason };
  }
  const answer = read(reply.answer, mayName);
  if (answer === null) return unheard(link, "route.link-rubbish", "answered with something that is no list");
  const { evidence, dropped } = answer;
  const rubbish = `named ${dropped} that ${dropped === 1 ? "is" : "are"} no evidence`;
  // A judge puts aside by not naming: what is dropped of its answer would be a word that it did not say.
  if (dropped > 0 && (link.role === "judges" || evidence.length === 0))
    return unheard(link, "route.link-rubbish", rubbish);
  const outcome = evidence.length > 0 || link.role === "judges" ? "answered" : "none";
  if (dropped === 0) return { outcome, evidence, note: null, findings: [] };
  return { outcome, evidence, note: rubbish, findings: [linkFinding(link, "route.link-rubbish", rubbish)] };
}

/** RT-4: about a link, never about what was asked. */
export function linkFinding(link: Link, code: RouteCode, message: string): Finding {
  const name = safeName(link.name);
  return routeFinding(code, `link:${name}`, `the ${name} link ${message}`);
}

function read(answer: unknown, mayName: (entry: EntryId) => boolean): Answer | null {
  try {
    return readAnswer(answer, mayName);
  } catch {
    return null;
  }
}

function unheard(link: Link, code: RouteCode, message: string): Heard {
  const outcome = code === "route.link-late" ? "late" : "failed";
  return { outcome, evidence: null, note: message, findings: [linkFinding(link, code, message)] };
}

/** So many failures in a row, and a link is left alone. */
const mostFailures = 3;
const restMilliseconds = 30_000;

/** Whoever has one may ask; it is given back with what came of it. */
export interface Pass {
  readonly isProbe: boolean;
}

/** Leaves a link that keeps failing alone for a while, then lets one query try it (RT-4). */
export class Breaker {
  #failures = 0;
  #openedAt: number | null = null;
  #isProbed = false;

  /** Null when it is not to be asked now. */
  enter(now: number): Pass | null {
    if (this.#openedAt === null) return { isProbe: false };
    if (this.#isProbed || this.restLeft(now) > 0) return null;
    this.#isProbed = true;
    return { isProbe: true };
  }

  /** Milliseconds. A clock that was set back must not make the rest longer than it is. */
  restLeft(now: number): number {
    if (this.#openedAt === null) return 0;
    const left = this.#openedAt + restMilliseconds - now;
    return left > restMilliseconds ? 0 : Math.max(0, left);
  }

  succeeded(pass: Pass): void {
    this.left(pass);
    this.#failures = 0;
    this.#openedAt = null;
  }

  failed(pass: Pass, now: number): void {
    this.left(pass);
    this.#failures++;
    // One that was asked before the rest began and fails during it does not make it longer.
    if (pass.isProbe || (this.#openedAt === null && this.#failures >= mostFailures)) this.#openedAt = now;
  }

  /** Nobody waited for the answer: that says nothing about the link. */
  left({ isProbe }: Pass): void {
    if (isProbe) this.#isProbed = false;
  }
}
