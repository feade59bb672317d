import { parsePattern } from "../../scope/tools/patterns.ts";
import type { Value } from "../../skill/core-value.ts";
import type { Script } from "../../models/scripted-rules.ts";

/** What a case demands. All but the files and the response is read from what the agent itself recorded (AG-9). */
export type Check =
  | { readonly is: "toolCalled" | "toolDenied"; readonly tool: string }
  | {
      readonly is: "toolCalledWith";
      readonly tool: string;
      /** A part of the call's input, with exactly these values. */
      readonly input: Value;
      /** The same, but a text only has to be in the one that was given. */
      readonly contains: Value;
    }
  | { readonly is: "fileContains"; readonly path: string; readonly text: string }
  /** Changed, created or deleted. */
  | { readonly is: "fileModified"; readonly path: string }
  | { readonly is: "responseContains"; readonly text: string }
  /** Proven to take a bounded number of steps at each place. */
  | { readonly is: "responseMatches"; readonly pattern: RegExp }
  /** `skillInvoked`: a person applied it, or a model loaded it. */
  | { readonly is: "skillInvoked" | "skillRouted"; readonly skill: string };

export interface CaseCheck {
  readonly check: Check;
  /** It stands under `not`: it has to fail. */
  readonly isNot: boolean;
  readonly line: number;
}

/** A file that lies in the workspace of a case from the beginning. */
export interface CaseFile {
  readonly path: string;
  readonly text: string;
}

/** A situation in which skills have to prove themselves, as its author wrote it. */
export interface SkillCase {
  readonly name: string;
  readonly description: string | null;
  /** Folders with skills, as they are written: relative to the case. */
  readonly skills: readonly { readonly folder: string; readonly line: number }[];
  readonly files: readonly CaseFile[];
  /** What a person says, one line after the other. */
  readonly prompts: readonly string[];
  /** Null: it takes a model to run it. */
  readonly script: Script | null;
  /** Whether the skills of the workspace are confirmed. */
  readonly trust: boolean;
  /** What a person agreed to beforehand, as in `allowed-tools`. */
  readonly allow: readonly string[];
  /** How often it is run where nobody says otherwise. */
  readonly runs: number;
  readonly checks: readonly CaseCheck[];
  /** Whether its transcript has to be the one that is kept beside it. */
  readonly golden: boolean;
}

/** More says no more about a rate, and costs. */
export const mostRuns = 100;

/** What stays in the workspace of a run, whoever asks for it. */
const ofFiles: ReadonlySet<string> = new Set(["read", "list", "search", "write", "replace", "patch"]);

/**
 * Of what a case wants granted, all that goes beyond files: commands first of all. Whoever wrote the case would run them on
 * the machine of whoever tries it (T44). What is not known as a tool of files counts, and so does what cannot be read.
 */
export function commandsIn(allow: readonly string[]): readonly string[] {
  return allow.filter((entry) => {
    const pattern = parsePattern(entry);
    return pattern === null || !pattern.tools.every((tool) => ofFiles.has(tool));
  });
}
