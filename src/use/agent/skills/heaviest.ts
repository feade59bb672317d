import { type Finding, levels } from "../../../base/finding.ts";
import { agentFinding } from "../agent-faults.ts";

/** As they are, or, when there are too many, the heaviest of them and a word on how many more there were. */
export function keepHeaviest(findings: readonly Finding[], most: number, file: string): readonly Finding[] {
  if (findings.length <= most) return findings;
  const heaviest = findings.toSorted((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level)).slice(0, most);
  const more = agentFinding("agent.findings-cut", file, `${findings.length - most} more findings are not kept`);
  return [...heaviest, more];
}
