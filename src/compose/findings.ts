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
