/** "What is" or "how to operate" (SK-7). */
export type Kind = "host-knowledge" | "tool";

export const kinds: readonly Kind[] = ["tool", "host-knowledge"];

/** What a skill's header says, read once and the same for every door. */
export interface Manifest {
  /** As written, trimmed; the folder's name when there is none. Shown only through `safeName`. */
  readonly name: string;
  readonly description: string | null;
  readonly license: string | null;
  readonly compatibility: string | null;
  readonly metadata: { readonly [key: string]: string };
  readonly kind: Kind;
  /** What the skill asks to have pre-approved: null says nothing, `[]` asks for nothing. Never a restriction. */
  readonly allowedTools: readonly string[] | null;
  /** What the skill wants forbidden while it is held. */
  readonly disallowedTools: readonly string[] | null;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly triggers: readonly string[];
  readonly aliases: readonly string[];
  /** Path patterns for which the skill is meant. */
  readonly paths: readonly string[];
  /** May be routed and catalogued. */
  readonly modelInvocable: boolean;
  /** Has a slash command. */
  readonly userInvocable: boolean;
}

/** The shapes a header field can have. `tools` and `words` are a list or one string. */
type Shape = "text" | "text-map" | "kind" | "tools" | "words" | "flag";

export interface Field {
  readonly shape: Shape;
  /** In the public specification: the fields that `strict` knows. */
  readonly public: boolean;
  readonly required?: boolean;
  /** Bounds of a text in characters, as the public specification sets them. */
  readonly length?: { readonly min: number; readonly max: number };
  /** Other readers take an unquoted number here for a number, and refuse it. */
  readonly literal?: boolean;
  /** Also read from `metadata`, so that a file stays portable. */
  readonly portable?: boolean;
  /** Other spellings seen in the wild. */
  readonly also?: readonly string[];
  readonly about: string;
}

/**
 * The one model of the header (SK-14): the reader takes shapes, bounds and spellings from it, and the JSON Schemas
 * under `schema/` are generated from it.
 */
export const fields = {
  name: {
    shape: "text",
    public: true,
    required: true,
    length: { min: 1, max: 64 },
    about: "Lowercase letters, digits and single inner hyphens; equals the folder's name.",
  },
  description: {
    shape: "text",
    public: true,
    required: true,
    length: { min: 1, max: 1024 },
    about: "What the skill does and when to use it: what a router selects on.",
  },
  license: { shape: "text", public: true, about: "The licence, by name or by bundled file." },
  compatibility: {
    shape: "text",
    public: true,
    length: { min: 1, max: 500 },
    literal: true,
    about: "What the skill needs of its surroundings.",
  },
  metadata: { shape: "text-map", public: true, about: "Further properties, string to string." },
  "allowed-tools": {
    shape: "tools",
    public: true,
    also: ["allowed_tools"],
    about: "Tools the skill asks to have pre-approved, separated by spaces. Not a restriction.",
  },
  "disallowed-tools": {
    shape: "tools",
    public: false,
    also: ["disallowed_tools"],
    about: "Tools that are forbidden while the skill is held.",
  },
  kind: {
    shape: "kind",
    public: false,
    portable: true,
    about: "`tool` (how to operate) or `host-knowledge` (what is).",
  },
  inputs: { shape: "words", public: false, portable: true, about: "What the skill needs to be given." },
  outputs: { shape: "words", public: false, portable: true, about: "What the skill produces." },
  triggers: { shape: "words", public: false, portable: true, about: "Phrases for which the skill is meant." },
  aliases: { shape: "words", public: false, portable: true, about: "Other names of the skill." },
  paths: { shape: "words", public: false, about: "Path patterns for which the skill is meant." },
  "disable-model-invocation": {
    shape: "flag",
    public: false,
    about: "True keeps the skill out of routing and the catalogue.",
  },
  "user-invocable": { shape: "flag", public: false, about: "False takes away the slash command." },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

/** Every spelling of every field, to the field it stands for. */
export const spellings: ReadonlyMap<string, { readonly name: string; readonly field: Field }> = new Map(
  Object.entries<Field>(fields).flatMap(([name, field]) =>
    [name, ...(field.also ?? [])].map((spelling) => [spelling, { name, field }] as const),
  ),
);

/**
 * Splits a string of tools the way authors write them, at commas and white space but never inside parentheses
 * (SK-9): `Bash(git add *), Read` is two, and so is `Read Grep`.
 */
export function splitTools(text: string): string[] {
  const tools: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text.charAt(at);
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    const ends = at === text.length || (depth === 0 && /[\s,]/.test(char));
    if (!ends) continue;
    if (at > start) tools.push(text.slice(start, at).trim());
    start = at + 1;
  }
  return tools.filter((tool) => tool !== "");
}
