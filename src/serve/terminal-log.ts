import { safeLine } from "../base/text.ts";
import type { Clock } from "../base/world.ts";
import type { Fields, Log, LogStream } from "./log.ts";
import { shownError } from "./shown-error.ts";

/**
 * For a person at a terminal: short lines, and of requests only those that the server could not answer. What was printed at
 * the start stays in sight while pages are looked at.
 */
export function createTerminalLog(stream: LogStream, clock: Clock): Log {
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
