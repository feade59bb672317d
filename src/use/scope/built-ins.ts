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
