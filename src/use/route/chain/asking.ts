import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { Clock, Timer } from "../../../base/world.ts";
import type { Asked, Link } from "../link.ts";

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
