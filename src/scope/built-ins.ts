import type { CapabilityDefinition, CapabilitySkill } from "./capability.ts";
import { readDefinition } from "./definition.ts";
import { builtInSource } from "./resolve.ts";

/** The three that are always there (SC-8). The first two need each other, and so form one group. */
const definitions: readonly CapabilityDefinition[] = [
  {
    name: "specification-engine",
    description: "Turns a task into a written specification with acceptance criteria before anything is built.",
    version: "1.0.0",
    allowedTools: ["specKit"],
    executionProtocol: [
      "understand-the-task",
      "specify-with-acceptance-criteria",
      "settle-open-questions",
      "hand-over-the-specification",
    ],
    postconditions: ["There is a specification, and each of its acceptance criteria can be tested."],
    outputContract: { type: "markdown", schema: null },
    compatibilityRules: [
      { type: "requires", skill: "opencode-implementer", reason: "A specification is written to be implemented." },
    ],
  },
  {
    name: "opencode-implementer",
    description: "Implements a specification through the host's own executor, and changes no file itself.",
    version: "1.0.0",
    allowedTools: ["opencode-executor"],
    forbiddenTools: ["write", "edit"],
    executionProtocol: [
      "take-the-specification",
      "implement-one-criterion-at-a-time",
      "check-every-acceptance-criterion",
      "report-what-is-open",
    ],
    preconditions: ["There is a specification with acceptance criteria."],
    postconditions: ["Every acceptance criterion is met, or reported as open."],
    compatibilityRules: [
      { type: "requires", skill: "specification-engine", reason: "Nothing is implemented without a specification." },
    ],
  },
  {
    name: "guarded",
    description: "For work with a high risk: runs no command and changes no file.",
    version: "1.0.0",
    allowedTools: "*",
    forbiddenTools: ["shell", "write", "edit", "patch"],
    executionProtocol: ["look-before-acting", "ask-when-in-doubt"],
  },
];

export const builtIns: readonly CapabilitySkill[] = definitions.flatMap(
  (definition) => readDefinition(definition, { source: builtInSource }).skill ?? [],
);

/** What a host knows of a task before somebody is sent to do it. */
export interface TaskTraits {
  readonly task: string;
  readonly risk: "low" | "medium" | "high";
  readonly coding: boolean;
}

export interface SelectedCapabilities {
  /** Names, in order; none: no scope is needed. */
  readonly skills: readonly string[];
  /** For each why it is there, in words. */
  readonly why: readonly string[];
}

/** They require each other, so that neither is chosen alone (SC-4). */
const implementing = ["opencode-implementer", "specification-engine"];

/** The capability skills that fit a task (SC-9). It only ever proposes: what they allow, the set decides. */
export function selectCapabilities({ risk, coding }: TaskTraits): SelectedCapabilities {
  const why = new Map<string, string>();
  if (coding) for (const name of implementing) why.set(name, "the task is to write code");
  // A risk that is none of the words counts as the highest.
  if (risk !== "low" && risk !== "medium") why.set("guarded", "the risk is high");
  const skills = [...why.keys()].toSorted();
  return { skills, why: skills.map((skill) => `${skill}: ${why.get(skill)}`) };
}
