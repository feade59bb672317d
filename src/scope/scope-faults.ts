import type { Finding, Level } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import type { ScopeError } from "./registry.ts";

interface ScopeFault {
  readonly level: Level;
  readonly why: string;
}

/** What is said of capability skills, and of sets of them. The codes in capitals are errors: such a set is not used (SC-4). */
export const scopeFaults = {
  UNKNOWN_SKILL: {
    level: "high",
    why: "No capability skill has this name, or several have it. Name one by its id, `source/name`.",
  },
  MISSING_REQUIRED: {
    level: "high",
    why: "A skill requires another one that is not in the set. Add it; in a rule a plain name means a skill of the same source, or a built-in one.",
  },
  INCOMPATIBLE_SKILLS: {
    level: "high",
    why: "A skill says that it is incompatible with another one of the set. Leave one of them out.",
  },
  FORBIDDEN_COMBINATION: {
    level: "high",
    why: "A skill forbids another one in the same set. Leave one of them out.",
  },
  UNKNOWN_TOOL: {
    level: "high",
    why: "A skill allows a tool that the host does not have. Correct the name, or give the host the tool.",
  },
  "scope.invalid": {
    level: "high",
    why: "The definition of a capability skill cannot be read, or is more than may be kept. Nothing of it is registered: half a restriction is none.",
  },
  "scope.exists": {
    level: "high",
    why: "There is a capability skill of this name in the same source already. Override it, or choose another name.",
  },
  "scope.reserved": {
    level: "high",
    why: "The name of a built-in capability skill cannot be taken in any source, nor can a built-in one be overridden. Choose another name.",
  },
  "scope.full": {
    level: "high",
    why: "No more capability skills can be registered in one session.",
  },
  "scope.pattern": {
    level: "medium",
    why: "An entry for a tool is in no form that is known. One that allows then matches nothing, one that forbids forbids more than it says. Correct it.",
  },
  "scope.overlap": {
    level: "medium",
    why: "A skill allows and forbids the same thing. The forbidden entry holds: take one of them away.",
  },
  "scope.protocol-tool": {
    level: "low",
    why: "A step of the execution protocol names a tool that the skill itself does not leave. Allow the tool, or change the step.",
  },
  "scope.empty": {
    level: "medium",
    why: "Nothing is left that all skills of the set allow and none forbids: whoever holds them can call no tool. Leave one of them out, or let them allow more.",
  },
  "scope.unknown-forbidden": {
    level: "info",
    why: "A skill forbids a tool that the host does not have. It does no harm; look whether the name is right.",
  },
} as const satisfies Record<string, ScopeFault>;

type ScopeCode = keyof typeof scopeFaults;

/** `skill`: its id, or its name while it has none. */
export function scopeFinding(code: ScopeCode, skill: string, message: string, excerpt?: string): Finding {
  const said = { code, level: scopeFaults[code].level, message: safeLine(message, 320), at: placeOf(skill) };
  return excerpt === undefined ? said : { ...said, excerpt: safeLine(excerpt) };
}

/** An error of a set as a finding, for doors that show both alike. */
export function errorFinding({ code, skill, reason }: ScopeError): Finding {
  return { code, level: scopeFaults[code].level, message: safeLine(reason, 640), at: placeOf(skill) };
}

function placeOf(skill: string): Finding["at"] {
  return { file: `skill:${safeLine(skill, 160)}`, line: 1 };
}
