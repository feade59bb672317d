import type { Finding, Level } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";

interface RouteFault {
  readonly level: Level;
  readonly why: string;
}

/** What is said of routing itself. None of it says what was asked: findings are kept longer than queries. */
export const routeFaults = {
  "route.link-failed": {
    level: "medium",
    why: "A link of the chain failed. It counts as having no answer, and the others decide without it.",
  },
  "route.link-late": {
    level: "low",
    why: "A link of the chain took longer than it may. It counts as having no answer, and the others decide without it.",
  },
  "route.link-rubbish": {
    level: "medium",
    why: "A link of the chain answered with something that is no evidence: a skill that may not be chosen, a skill named twice, a confidence that is none. That part of its answer, or all of a judge's, is left out.",
  },
  "route.link-skipped": {
    level: "low",
    why: "A link of the chain failed several times in a row and is not asked for a while. Then one query tries it again.",
  },
  "route.query-cut": {
    level: "info",
    why: "The query is longer than what is read of one: its beginning and its end decide, or the first of many paths.",
  },
  "route.failed": {
    level: "medium",
    why: "Choosing skills for a request failed. It has those that are attached or named, and no others.",
  },
  "route.first-unknown": {
    level: "info",
    why: "The model service keeps this conversation, and its first message is not known here. Skills were chosen by what the request itself says.",
  },
  "route.index-behind": {
    level: "low",
    why: "The routing index is being made, and not all skills can be found yet. The log of the server says how far it is.",
  },
  "route.index-failed": {
    level: "medium",
    why: "The routing index could not be brought up to date, mostly since the store could not be read. Skills that are new cannot be found until it can.",
  },
  "route.index-rebuilt": {
    level: "low",
    why: "The file of the routing index was damaged, or another version wrote it. The index was made again; nothing is lost.",
  },
  "route.index-unsaved": {
    level: "low",
    why: "The routing index could not be written to the data folder. It works; at the next start it is made again.",
  },
  "route.tampered": {
    level: "critical",
    why: "The bytes of a skill in the store are not the approved ones. It is neither routed nor used: look at the store with `skillward doctor` and `skillward audit verify`.",
  },
  "route.trigger-damaged": {
    level: "medium",
    why: "The triggers of a skill were changed by hand in the store and cannot be read. They count as none: remove and add them again.",
  },
} as const satisfies Record<string, RouteFault>;

export type RouteCode = keyof typeof routeFaults;

export function routeFinding(code: RouteCode, file: string, message: string): Finding {
  return { code, level: routeFaults[code].level, message: safeLine(message, 320), at: { file, line: 1 } };
}
