import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Clock } from "../../core/world.ts";
import { pino } from "pino";

/** Where lines go. Only the command line prints: it says where. */
export interface LogStream {
  /** Somebody looks at it while it is written. */
  readonly isTTY?: boolean;
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

type Fields = Readonly<Record<string, string | number | boolean>>;

export interface Log {
  request(line: RequestLine): void;
  /** What nobody foresaw while a request was answered. */
  failure(request: string, error: unknown): void;
  /** Something about the server itself. */
  note(event: string, fields?: Fields): void;
  /** The same of something that is not as it should be. */
  warn(event: string, fields?: Fields): void;
}

/** One JSON object on each line, for programs; what a person sits in front of is for people. */
export function createLog(stream: LogStream, clock: Clock): Log {
  return stream.isTTY === true ? createTerminalLog(stream, clock) : createJsonLog(stream, clock);
}

function createJsonLog(stream: LogStream, clock: Clock): Log {
  const timestamp = () => `,"time":"${new Date(clock.now()).toISOString()}"`;
  const logger = pino({ base: null, timestamp, formatters: { level: (label) => ({ level: label }) } }, stream);
  return {
    request: (line) => logger.info(line, "request"),
    failure: (request, error) => logger.error({ request, ...shownError(error) }, "failure"),
    note: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
  };
}

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
function shownError(error: unknown): ShownError {
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

/**
 * For a person at a terminal: short lines, and of requests only those that the server could not answer. What was printed at
 * the start stays in sight while pages are looked at.
 */
function createTerminalLog(stream: LogStream, clock: Clock): Log {
  const say = (text: string) => {
    const time = new Date(clock.now()).toTimeString().slice(0, 8);
    stream.write(`${time} ${text}\n`);
  };
  const tell = (event: string, fields: Fields = {}) => say(`${event}${renderFields(fields)}`);
  return {
    request({ request, route, status, code }) {
      const why = typeof code === "string" ? ` (${safeLine(code, 80)})` : "";
      if (status >= 500) say(`${route} answered ${status}${why}, request ${safeLine(request, 80)}`);
    },
    failure(request, error) {
      const { error: name, message, at = [] } = shownError(error);
      const what = message ?? [safeLine(name, 80), ...at.slice(0, 1)].join(" ");
      say(`failure in ${safeLine(request, 80)}: ${what}`);
    },
    note: tell,
    warn: tell,
  };
}

/** `: source team, status ok`; a message stands for itself. */
function renderFields({ message, ...fields }: Fields): string {
  const named = Object.entries(fields).map(([name, value]) => `${name} ${value}`);
  const parts = message === undefined ? named : [...named, String(message)];
  return parts.length === 0 ? "" : `: ${safeLine(parts.join(", "), 600)}`;
}
