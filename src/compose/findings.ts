import type { Finding, Level } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { safeLine } from "../core/text.ts";

/** Every finding of composing, with its level (invariant 6). */
const levelOf = {
  "compose.unusable": "medium",
  "compose.below-floor": "medium",
  "compose.tampered": "critical",
  "compose.too-large": "medium",
  "compose.over-budget": "medium",
  "compose.defused": "low",
  "compose.reference-replaced": "info",
  "compose.catalogue-cut": "low",
} as const satisfies Record<string, Level>;

type ComposeCode = keyof typeof levelOf;

const longestMessage = 320;

/** About one entry. `line` is of its instructions. The message may quote what was found: it is made safe here. */
export function entryFinding(code: ComposeCode, entry: EntryId, message: string, line = 1): Finding {
  return composeFinding(code, placeOfEntry(entry), message, line);
}

/** Where findings about an entry are said to be. */
export function placeOfEntry(entry: EntryId): string {
  return `entry:${safeLine(entry)}`;
}

export function composeFinding(code: ComposeCode, file: string, message: string, line = 1): Finding {
  return { code, level: levelOf[code], message: safeLine(message, longestMessage), at: { file, line } };
}

/** CO-8: a list without a user turn stays as it is, and it is said. */
export const noUser = finding(
  "inject.no-user",
  "medium",
  "the request has no user message: no skill text was put into it",
);

export const noPlace = finding(
  "inject.no-place",
  "medium",
  "the first user message holds neither a text nor a list of parts: no skill text was put into it",
);

export const noLastPlace = finding(
  "inject.no-place",
  "medium",
  "no user message says anything: the skills that were meant for the last one were not put into it",
);

export const noPromptPlace = finding(
  "inject.no-place",
  "medium",
  "the prompt is neither a text nor a list of texts: no skill text was put into it",
);

export const noSystemPlace = finding(
  "inject.no-place",
  "medium",
  "the system prompt is neither a text nor a list of parts: no skill text was put behind it",
);

export const noSystem = finding(
  "inject.no-system",
  "info",
  "a completion has no system prompt: what was meant for it stands in front of the prompt",
);

/** The same for a request's values and for its bytes: a line of the body would not be. */
function finding(code: string, level: Level, message: string): Finding {
  return { code, level, message, at: { file: "request", line: 1 } };
}
