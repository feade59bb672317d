import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";

/** What a log may say of an error. */
interface ShownError {
  readonly error: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: ShownError;
  readonly at?: readonly string[];
}

/**
 * Our own messages are written to be shown. Others can carry a piece of what was being read, a prompt or a secret:
 * of those only the kind and the place are kept.
 */
export function shownError(error: unknown): ShownError {
  if (!(error instanceof Error)) return { error: typeof error };
  const own = error instanceof AppError ? { code: error.code, message: safeLine(error.message, 400) } : codeOf(error);
  const cause = error.cause === undefined ? {} : { cause: shownCause(error.cause) };
  return { error: error.name, ...own, ...cause, at: framesOf(error) };
}

function shownCause(cause: unknown): ShownError {
  return cause instanceof Error ? { error: cause.name, ...codeOf(cause) } : { error: typeof cause };
}

function codeOf(error: Error): { code?: string } {
  return "code" in error && typeof error.code === "string" ? { code: safeLine(error.code, 40) } : {};
}

/** The message stands before the first frame and can have lines that look like one: what is kept begins after it. */
function framesOf({ stack = "", message }: Error): string[] {
  const start = stack.indexOf(message);
  const frames = start === -1 ? "" : stack.slice(start + message.length);
  return frames
    .split("\n", 11)
    .slice(1)
    .map((frame) => safeLine(frame.trim(), 200));
}
