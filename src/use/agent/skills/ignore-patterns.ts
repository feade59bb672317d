import type { Finding } from "../../../base/finding.ts";
import { safeLine } from "../../../base/text.ts";
import { readPathPattern } from "../../../base/tools/paths.ts";
import { fitsHead } from "../../../base/tools/wildcards.ts";
import { agentFinding } from "../agent-faults.ts";

/** What `ignore` of `skillward.yaml` leaves out of a search. */
export interface IgnorePatterns {
  /** Whether a path, with `/` from the root on, or a folder that it is in, is left out. */
  covers(path: string): boolean;
  readonly findings: readonly Finding[];
}

export function readIgnorePatterns(written: readonly string[]): IgnorePatterns {
  const findings: Finding[] = [];
  const patterns: (readonly string[])[] = [];
  for (const text of written) {
    const segments = readPathPattern(text.endsWith("/") ? text.slice(0, -1) : text);
    if (typeof segments !== "string") patterns.push(segments);
    else findings.push(agentFinding("agent.ignore-pattern", "skillward.yaml", unreadWords(text, segments)));
  }
  if (patterns.length === 0) return { covers: () => false, findings };
  return {
    covers(path) {
      const segments = path.split("/");
      return patterns.some((pattern) => fitsHead(pattern, segments));
    },
    findings,
  };
}

function unreadWords(pattern: string, why: string): string {
  return `ignore: "${safeLine(pattern, 100)}" has no effect: ${why}`;
}
