import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import { parsePattern } from "../../base/tools/patterns.ts";
import type { ToolPattern } from "../../base/tools/tools.ts";

/** What a person agreed to beforehand, as a host gives it. One that grants nothing would be noticed far too late. */
export function readGrants(given: unknown): readonly ToolPattern[] {
  if (!Array.isArray(given)) throw invalid('expected a list of patterns, such as ["Bash(git status)"]');
  return given.map((grant: unknown) => {
    const pattern = typeof grant === "string" ? parsePattern(grant) : null;
    if (pattern !== null) return pattern;
    const shown = typeof grant === "string" ? `"${safeLine(grant)}"` : "what is no text";
    throw invalid(`${shown} is no pattern of a tool, such as read or Bash(git status)`);
  });
}

function invalid(message: string): AppError {
  return new AppError("usage.invalid", `grants: ${message}`);
}
