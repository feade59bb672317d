import { parsePattern } from "../../../base/tools/patterns.ts";

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
