import { pino } from "pino";
import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import type { Clock } from "../base/world.ts";

/** Where lines go. Only the command line prints: it says where. */
export interface LogStream {
  write(line: string): void;
}

/** What is written down of one request (SV-8): no header, no query, and of the prompt only what was switched on. */
interface RequestLine {
  readonly request: string;
  readonly method: string;
  /** The pattern, never the path as it came: that can hold anything. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly principal: string | null;
  readonly in: number;
  readonly out: number;
  /** What the door noted: `configuration`, `injection` and the like. */
  readonly [noted: string]: string | number | boolean | null;
}

export interface Log {
  request(line: RequestLine): void;
  /** What nobody foresaw while a request was answered. */
  failure(request: string, error: unknown): void;
  /** Something about the server itself. */
  note(event: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
}

/** One JSON object on each line. */
export function createLog(stream: LogStream, clock: Clock): Log {
  const timestamp = () => `,"time":"${new Date(clock.now()).toISOString()}"`;
  const logger = pino({ base: null, timestamp, formatters: { level: (label) => ({ level: label }) } }, stream);
  return {
    request: (line) => logger.info(line, "request"),
    failure: (request, error) => logger.error({ request, ...shownError(error) }, "failure"),
    note: (event, fields = {}) => logger.info(fields, event),
  };
}

/**
 * Our own messages are written to be shown. Others can carry a piece of what was being read, a prompt or a secret:
 * of those only the kind and the place are kept.
 */
function shownError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const own = error instanceof AppError ? { code: error.code, message: safeLine(error.message, 400) } : codeOf(error);
  const cause = error.cause === undefined ? {} : { cause: shownCause(error.cause) };
  return { error: error.name, ...own, ...cause, at: framesOf(error) };
}

function shownCause(cause: unknown): Record<string, unknown> {
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
