/** What comes of a set. */
interface Outcome {
  readonly allowed: string;
  readonly forbidden: string;
  /** Skills that stand together are joined by `+`. */
  readonly groups: string;
  /** None when left out. */
  readonly errors?: string;
}

/** Sets of skills and what each must come to. Lists are written with a comma and a space. */
export interface SkillSet {
  readonly about: string;
  /** A line for each: `name: allow …; forbid …; requires …; needs …; incompatible …; bars …`. */
  readonly skills: string;
  /** All of them, unless it is said. */
  readonly ask?: string;
  /** The host's tools; without them those that the skills name. */
  readonly tools?: string;
  readonly expected: Outcome;
  /** What differs when every skill stands for itself, besides the groups. */
  readonly strict?: Partial<Outcome>;
}

const names: readonly SkillSet[] = [
  {
    about: "A allows read, write; B allows read, execute and forbids write",
    skills: `
      a: allow read, write
      b: allow read, execute; forbid write`,
    expected: { allowed: "read", forbidden: "write", groups: "a, b" },
  },
  {
    about: "one skill keeps what it allows",
    skills: "a: allow read, write",
    expected: { allowed: "read, write", forbidden: "", groups: "a" },
  },
  {
    about: "lists with nothing in common leave nothing",
    skills: `
      a: allow read
      b: allow write`,
    expected: { allowed: "", forbidden: "", groups: "a, b" },
  },
  {
    about: "of three lists remains what all have",
    skills: `
      a: allow read, list, search
      b: allow list, search, write
      c: allow search, list, shell`,
    expected: { allowed: "list, search", forbidden: "", groups: "a, b, c" },
  },
  {
    about: "pairs that overlap in turn leave nothing to all three",
    skills: `
      a: allow read, list
      b: allow list, search
      c: allow search, read`,
    expected: { allowed: "", forbidden: "", groups: "a, b, c" },
  },
  {
    about: "forbidden by one is forbidden, whoever allows it",
    skills: `
      a: allow read, write
      b: allow read, write
      c: allow read, write; forbid write`,
    expected: { allowed: "read", forbidden: "write", groups: "a, b, c" },
  },
  {
    about: "allowed and forbidden in one skill is forbidden",
    skills: "a: allow read, write; forbid write",
    expected: { allowed: "read", forbidden: "write", groups: "a" },
  },
  {
    about: "what is forbidden adds up",
    skills: `
      a: allow read, list, search; forbid read
      b: allow read, list, search; forbid list`,
    expected: { allowed: "search", forbidden: "list, read", groups: "a, b" },
  },
  {
    about: "the same forbidden twice is there once",
    skills: `
      a: allow read; forbid write
      b: allow read; forbid write`,
    expected: { allowed: "read", forbidden: "write", groups: "a, b" },
  },
  {
    about: "a skill named twice is one",
    skills: "a: allow read",
    ask: "a, session/a, a",
    expected: { allowed: "read", forbidden: "", groups: "a" },
  },
  {
    about: "the order of the names changes nothing",
    skills: `
      a: allow read, write
      b: allow read, execute; forbid write`,
    ask: "b, a",
    expected: { allowed: "read", forbidden: "write", groups: "a, b" },
  },
  {
    about: "no skill at all is the empty scope",
    skills: "a: allow read",
    ask: "",
    expected: { allowed: "", forbidden: "", groups: "" },
  },
  {
    about: "no skill at all allows nothing of a host either",
    skills: "a: allow *",
    ask: "",
    tools: "read, write",
    expected: { allowed: "", forbidden: "", groups: "" },
  },
];

const stars: readonly SkillSet[] = [
  {
    about: "a star takes nothing away",
    skills: `
      a: allow *
      b: allow read, write`,
    expected: { allowed: "read, write", forbidden: "", groups: "a, b" },
  },
  {
    about: "a star alone allows what the host has",
    skills: "a: allow *",
    tools: "read, specKit",
    expected: { allowed: "read, specKit", forbidden: "", groups: "a" },
  },
  {
    about: "a star with something forbidden",
    skills: "a: allow *; forbid shell",
    tools: "read, shell",
    expected: { allowed: "read", forbidden: "shell", groups: "a" },
  },
  {
    about: "two stars are one",
    skills: `
      a: allow *
      b: allow *; forbid write`,
    tools: "read, write",
    expected: { allowed: "read", forbidden: "write", groups: "a, b" },
  },
  {
    about: "an empty list allows nothing",
    skills: "a: allow",
    tools: "read",
    expected: { allowed: "", forbidden: "", groups: "a" },
  },
  {
    about: "an empty list stays empty beside a star",
    skills: `
      a: allow
      b: allow *`,
    tools: "read",
    expected: { allowed: "", forbidden: "", groups: "a, b" },
  },
  {
    about: "an empty list stays empty beside a full one",
    skills: `
      a: allow
      b: allow read, write`,
    expected: { allowed: "", forbidden: "", groups: "a, b" },
  },
  {
    about: "guarded takes commands and changes away from whoever it is put to",
    skills: "a: allow read, write, shell, edit",
    ask: "a, guarded",
    expected: { allowed: "read", forbidden: "edit, patch, shell, write", groups: "a, guarded" },
  },
];

const groups: readonly SkillSet[] = [
  {
    about: "the built-in pair requires each other and is one group",
    skills: "",
    ask: "specification-engine, opencode-implementer",
    expected: {
      allowed: "opencode-executor, specKit",
      forbidden: "edit, write",
      groups: "opencode-implementer+specification-engine",
    },
    strict: { allowed: "" },
  },
  {
    about: "the built-in pair under guard",
    skills: "",
    ask: "specification-engine, opencode-implementer, guarded",
    expected: {
      allowed: "opencode-executor, specKit",
      forbidden: "edit, patch, shell, write",
      groups: "guarded, opencode-implementer+specification-engine",
    },
    strict: { allowed: "" },
  },
  {
    about: "one of the built-in pair alone lacks the other",
    skills: "",
    ask: "specification-engine",
    expected: {
      allowed: "specKit",
      forbidden: "",
      groups: "specification-engine",
      errors: "MISSING_REQUIRED specification-engine",
    },
  },
  {
    about: "two that require each other unite what they allow",
    skills: `
      a: allow read; requires b
      b: allow write; requires a`,
    expected: { allowed: "read, write", forbidden: "", groups: "a+b" },
    strict: { allowed: "" },
  },
  {
    about: "both lists of rules count for a pair",
    skills: `
      a: allow read; requires b
      b: allow write; needs a`,
    expected: { allowed: "read, write", forbidden: "", groups: "a+b" },
    strict: { allowed: "" },
  },
  {
    about: "a pair keeps what both have also in strict mode",
    skills: `
      a: allow read, list; requires b
      b: allow write, list; requires a`,
    expected: { allowed: "list, read, write", forbidden: "", groups: "a+b" },
    strict: { allowed: "list" },
  },
  {
    about: "what one of a pair forbids, the other cannot allow",
    skills: `
      a: allow read, write; requires b
      b: allow list; forbid write; requires a`,
    expected: { allowed: "list, read", forbidden: "write", groups: "a+b" },
    strict: { allowed: "" },
  },
  {
    about: "a star in a pair makes the pair a star",
    skills: `
      a: allow *; requires b
      b: allow read; requires a`,
    tools: "read, write",
    expected: { allowed: "read, write", forbidden: "", groups: "a+b" },
    strict: { allowed: "read" },
  },
  {
    about: "an empty list in a pair has what the other brings",
    skills: `
      a: allow; requires b
      b: allow read; requires a`,
    expected: { allowed: "read", forbidden: "", groups: "a+b" },
    strict: { allowed: "" },
  },
  {
    about: "three in a ring are one group",
    skills: `
      a: allow read; requires b
      b: allow list; requires c
      c: allow search; requires a`,
    expected: { allowed: "list, read, search", forbidden: "", groups: "a+b+c" },
    strict: { allowed: "" },
  },
  {
    about: "two pairs with one in common are one group",
    skills: `
      a: allow read; requires b
      b: allow list; requires a, c
      c: allow search; requires b`,
    expected: { allowed: "list, read, search", forbidden: "", groups: "a+b+c" },
    strict: { allowed: "" },
  },
  {
    about: "two pairs beside each other are two groups",
    skills: `
      a: allow read; requires b
      b: allow list; requires a
      c: allow read; requires d
      d: allow search; requires c`,
    expected: { allowed: "read", forbidden: "", groups: "a+b, c+d" },
    strict: { allowed: "" },
  },
  {
    about: "a ring that is not closed is no group",
    skills: `
      a: allow read, list; requires b
      b: allow list, search; requires c
      c: allow list`,
    expected: { allowed: "list", forbidden: "", groups: "a, b, c" },
  },
  {
    about: "whoever requires a pair without being required is not of it",
    skills: `
      a: allow read, list; requires b
      b: allow read; requires c
      c: allow list, shell; requires b`,
    expected: { allowed: "list, read", forbidden: "", groups: "a, b+c" },
    strict: { allowed: "" },
  },
  {
    about: "a third one narrows a pair like any other",
    skills: `
      a: allow read; requires b
      b: allow write; requires a
      c: allow read, shell`,
    expected: { allowed: "read", forbidden: "", groups: "a+b, c" },
    strict: { allowed: "" },
  },
  {
    about: "skills of two sources form no group, however they require each other",
    skills: `
      north/a: allow read, list; requires south/b
      south/b: allow write, list; requires north/a`,
    expected: { allowed: "list", forbidden: "", groups: "north/a, south/b" },
  },
  {
    about: "a source's own pair is a group, by names and by ids",
    skills: `
      north/a: allow read; requires b
      north/b: allow write; requires north/a`,
    expected: { allowed: "read, write", forbidden: "", groups: "north/a+north/b" },
    strict: { allowed: "" },
  },
  {
    about: "requiring a built-in one does not make a group with it",
    skills: "a: allow read, shell; requires guarded",
    ask: "a, guarded",
    expected: { allowed: "read", forbidden: "edit, patch, shell, write", groups: "a, guarded" },
  },
  {
    about: "whoever requires itself is alone",
    skills: `
      a: allow read; requires a
      b: allow read, write`,
    expected: { allowed: "read", forbidden: "", groups: "a, b" },
  },
];

const refusals: readonly SkillSet[] = [
  {
    about: "a name that nobody has",
    skills: "a: allow read",
    ask: "a, nobody",
    expected: { allowed: "read", forbidden: "", groups: "a", errors: "UNKNOWN_SKILL nobody" },
  },
  {
    about: "a name that several have",
    skills: `
      north/a: allow read
      south/a: allow read`,
    ask: "a",
    expected: { allowed: "", forbidden: "", groups: "", errors: "UNKNOWN_SKILL a" },
  },
  {
    about: "a requirement outside of the set",
    skills: `
      a: allow read; requires b
      b: allow read`,
    ask: "a",
    expected: { allowed: "read", forbidden: "", groups: "a", errors: "MISSING_REQUIRED a" },
  },
  {
    about: "a requirement of another source has to be named with it",
    skills: `
      north/a: allow read; requires b
      south/b: allow read`,
    expected: { allowed: "read", forbidden: "", groups: "north/a, south/b", errors: "MISSING_REQUIRED north/a" },
  },
  {
    about: "the same requirement in both lists is missing once",
    skills: "a: allow read; requires b; needs b",
    expected: { allowed: "read", forbidden: "", groups: "a", errors: "MISSING_REQUIRED a" },
  },
  {
    about: "incompatible and forbidden, each said by the skill that says it",
    skills: `
      a: allow read; incompatible b
      b: allow read; bars a
      c: allow read; incompatible nobody`,
    expected: {
      allowed: "read",
      forbidden: "",
      groups: "a, b, c",
      errors: "INCOMPATIBLE_SKILLS a, FORBIDDEN_COMBINATION b",
    },
  },
  {
    about: "everything that is wrong at once",
    skills: `
      a: allow read, teleport; requires nobody; bars b
      b: allow read; incompatible a`,
    ask: "b, ghost, a",
    tools: "read",
    expected: {
      allowed: "read",
      forbidden: "",
      groups: "a, b",
      errors: "UNKNOWN_SKILL ghost, FORBIDDEN_COMBINATION a, MISSING_REQUIRED a, UNKNOWN_TOOL a, INCOMPATIBLE_SKILLS b",
    },
  },
];

const spellings: readonly SkillSet[] = [
  {
    about: "Read and read are one tool",
    skills: `
      a: allow Read, Write
      b: allow read, Bash; forbid write`,
    expected: { allowed: "read", forbidden: "write", groups: "a, b" },
  },
  {
    about: "edit is replace and patch",
    skills: `
      a: allow Edit, read
      b: allow replace, read`,
    expected: { allowed: "read, replace", forbidden: "", groups: "a, b" },
  },
  {
    about: "half of edit forbidden is edit forbidden",
    skills: `
      a: allow edit
      b: allow MultiEdit; forbid patch`,
    tools: "edit, patch, replace",
    expected: { allowed: "replace", forbidden: "patch", groups: "a, b" },
  },
  {
    about: "names that are no aliases keep their case",
    skills: `
      a: allow specKit, read
      b: allow speckit, read`,
    expected: { allowed: "read", forbidden: "", groups: "a, b" },
  },
  {
    about: "tools of a server by their whole names",
    skills: `
      a: allow mcp__docs__find, mcp__docs__drop
      b: allow mcp__docs__find; forbid mcp__docs__drop`,
    expected: { allowed: "mcp__docs__find", forbidden: "mcp__docs__drop", groups: "a, b" },
  },
  {
    about: "all tools of a server forbidden",
    skills: "a: allow read, mcp__docs__find, mcp__docs__drop; forbid mcp__docs__*",
    expected: { allowed: "read", forbidden: "mcp__docs__*", groups: "a" },
  },
];

const patterns: readonly SkillSet[] = [
  {
    about: "a pattern that both have stays",
    skills: `
      a: allow read, Bash(git:*)
      b: allow read, Bash(git:*)`,
    expected: { allowed: "Bash(git:*), read", forbidden: "", groups: "a, b" },
  },
  {
    about: "of git and git status the narrow one stays",
    skills: `
      a: allow Bash(git:*)
      b: allow Bash(git status)`,
    expected: { allowed: "Bash(git status)", forbidden: "", groups: "a, b" },
  },
  {
    about: "patterns of a pair add up",
    skills: `
      a: allow Bash(git:*); requires b
      b: allow Edit(src/**); requires a`,
    expected: { allowed: "Bash(git:*), Edit(src/**)", forbidden: "", groups: "a+b" },
    strict: { allowed: "" },
  },
  {
    about: "a forbidden command forbids the shell",
    skills: "a: allow read, shell, Bash(git:*); forbid Bash(rm:*)",
    expected: { allowed: "read", forbidden: "shell", groups: "a" },
  },
  {
    about: "a forbidden path leaves no whole tool",
    skills: "a: allow read, Write; forbid Write(secret/**)",
    expected: { allowed: "read", forbidden: "Write(secret/**)", groups: "a" },
  },
  {
    about: "an entry in no known form allows nothing",
    skills: "a: allow read, Bash(git, read(~/x), wr ite",
    expected: { allowed: "read", forbidden: "", groups: "a" },
  },
  {
    about: "a forbidden entry in no known form forbids everything",
    skills: "a: allow read, write; forbid Ba sh",
    expected: { allowed: "", forbidden: "Ba sh", groups: "a" },
  },
];

export const sets: readonly SkillSet[] = [...names, ...stars, ...groups, ...refusals, ...spellings, ...patterns];
