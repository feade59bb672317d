import { hasUnseen } from "../../core/text.ts";

/** Tools and what is said of them: names, patterns and calls, each read once (SC-7). */

/** The tools of an agent of ours, by the names everything else is brought to (AG-7). */
export const hostTools = [
  "read",
  "list",
  "search",
  "write",
  "replace",
  "patch",
  "shell",
  "load_skill",
  "read_skill_file",
  "find_skill",
  "spawn",
] as const;

/** What an entry says beside the name of a tool. */
export type ToolArgument =
  /** `git:*` is the word `git`, open; `npm run test` is three words, and no more. */
  | { readonly kind: "command"; readonly words: readonly string[]; readonly isOpen: boolean }
  /** Folders and the file's name: `*` and `?` inside a name, `**` for any folders. */
  | { readonly kind: "path"; readonly segments: readonly string[] };

/** An entry that allows: a whole tool, or the calls of it that fit. */
export interface ToolPattern {
  /** As it was written. */
  readonly text: string;
  /** Canonical; `edit` is two. */
  readonly tools: readonly string[];
  readonly argument: ToolArgument | null;
}

/** An entry that forbids. What cannot be read of it forbids more, never less. */
export interface ForbiddenTool {
  readonly text: string;
  readonly reach:
    | { readonly kind: "tools"; readonly tools: readonly string[] }
    | { readonly kind: "paths"; readonly tools: readonly string[]; readonly segments: readonly string[] }
    /** Every tool of an MCP server: `mcp__server__*`. */
    | { readonly kind: "prefix"; readonly prefix: string }
    | { readonly kind: "everything" };
}

/** A tool call, as the host understands it: what is executed is what is judged. */
export interface ToolCall {
  readonly tool: string;
  /** For a tool that runs commands: the very text that would be run. */
  readonly command?: string | undefined;
  /** For a tool that touches files: every path, from the root of the workspace, links resolved. */
  readonly paths?: readonly string[] | undefined;
}

/** A call that was read: everything that entries are held against. */
export interface ReadCall {
  /** As it was named. */
  readonly name: string;
  /** Canonical; empty for what is no name of a tool. */
  readonly tools: readonly string[];
  /** The words of a simple command; a text when it is none: why. Null: no command. */
  readonly words: readonly string[] | string | null;
  /** Normalised paths by segments; a text when one cannot be: why. Null: no paths. */
  readonly paths: readonly (readonly string[])[] | string | null;
  /** The last word that starts something else: only a pattern that has it among its own words lets them through. */
  readonly refused: RefusedWord | null;
}

/** A word of a command that exists to start other programs, or to write elsewhere. */
export interface RefusedWord {
  readonly at: number;
  readonly why: string;
}

const bothEdits: readonly string[] = ["replace", "patch"];

/** A map, not an object: `constructor` and `__proto__` are names like any other. */
const aliases: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["Read", ["read"]],
  ["LS", ["list"]],
  ["Glob", ["list"]],
  ["Grep", ["search"]],
  ["Write", ["write"]],
  ["edit", bothEdits],
  ["Edit", bothEdits],
  ["MultiEdit", bothEdits],
  ["Bash", ["shell"]],
]);

/** ASCII only: letters of another script that look the same are no name at all. */
const plainName = /^[A-Za-z_][A-Za-z0-9_./-]{0,127}$/;

/** What a name means: itself, what it is an alias of, or nothing when it is no name of a tool (SC-7). */
export function canonicalTools(name: string): readonly string[] {
  return aliases.get(name) ?? (plainName.test(name) ? [name] : []);
}

/** How tools that stand together are shown. */
export function displayName(tools: readonly string[]): string {
  const isEdit = tools.length === bothEdits.length && bothEdits.every((tool) => tools.includes(tool));
  return isEdit ? "edit" : tools.join(", ");
}

/** The unseen parts of an emoji, where they are just that: `❤️` is two characters, and a family is held by joiners. */
const joiners =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu;

/** Whether a text has characters that are not seen, other than those that emoji are made of. */
export function hasHidden(text: string): boolean {
  return hasUnseen(text) && hasUnseen(withoutJoiners(text));
}

export function withoutJoiners(text: string): string {
  return text.replace(joiners, "");
}
