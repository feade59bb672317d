import type { Finding, Level } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { safeLine } from "../core/text.ts";

interface PublishFault {
  readonly level: Level;
  readonly why: string;
}

/** What is said of skills that are switched on for publishing. Each is the reason why one is not served (SV-6). */
export const publishFaults = {
  "published.tampered": {
    level: "high",
    why: "The row that publishes a skill was written or changed outside Skillward, or put back after somebody had unpublished it. It publishes nothing: `skillward skill unpublish` takes it away.",
  },
  "published.unusable": {
    level: "low",
    why: "The skill may not be used now: it waits for review, is disabled, blocked or gone. It is served again by itself when it may.",
  },
  "published.bytes": {
    level: "critical",
    why: "The bytes of the skill in the store are not the approved ones: look at the store with `skillward audit verify`.",
  },
  "published.name": {
    level: "medium",
    why: "The name of the skill is not lowercase letters, digits and single hyphens between them. The index can hold no other: have its author rename it.",
  },
  "published.description": {
    level: "medium",
    why: "The skill has no description, or one of more than 1,024 characters. Readers of the index leave such a skill out.",
  },
  "published.twin": {
    level: "medium",
    why: "Another published skill has the same name, and a name stands in the index once. The more trusted one is served, of equals the one whose id comes first: unpublish one of them.",
  },
  "published.path": {
    level: "medium",
    why: "A file of the skill has a path that not every reader of archives knows: at most 155 bytes up to a slash, and 100 behind it.",
  },
} as const satisfies Record<string, PublishFault>;

type PublishCode = keyof typeof publishFaults;

export function publishFinding(code: PublishCode, entry: EntryId, message: string): Finding {
  const file = `entry:${safeLine(entry, 240)}`;
  return { code, level: publishFaults[code].level, message: safeLine(message, 320), at: { file, line: 1 } };
}
