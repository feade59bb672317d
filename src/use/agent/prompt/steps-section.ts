import type { Finding } from "../../../base/finding.ts";
import { defuse } from "../../compose/defuse.ts";
import { createBoundary, markersOf } from "../../compose/markers.ts";
import type { Scope } from "../../scope/scope.ts";
import { primaryName } from "../agent-calls.ts";
import { advisedSteps, stepsIntro } from "../spawn/spawn-prompt.ts";

/** SC-6: steps that are sentences, fenced, for the user's role. The same steps are the same bytes (AG-3). */
export function renderSteps(
  key: Uint8Array,
  scope: Scope | null,
): { readonly block: string; readonly findings: readonly Finding[] } {
  const { lines, findings } = advisedSteps(scope, primaryName);
  if (lines.length === 0) return { block: "", findings };
  const defused = lines.map((line) => defuse(line).text);
  const { boundary, begin, end } = markersOf(createBoundary(key, ["steps", defused], defused));
  const head = `${stepsIntro} They stand between the begin and end markers with the boundary ${boundary}.`;
  return { block: [head, begin, ...defused, end].join("\n"), findings };
}
