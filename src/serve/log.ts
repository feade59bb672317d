import { pino } from "pino";
import type { Clock } from "../base/world.ts";
import { shownError } from "./shown-error.ts";
import { createTerminalLog } from "./terminal-log.ts";

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

export type Fields = Readonly<Record<string, string | number | boolean>>;

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
