import { isPublicName } from "../core/text.ts";
import { canonicalTools } from "./tools/tools.ts";
import { effectiveTools, type ToolStanding } from "./effective.ts";
import type { Scope } from "./scope.ts";
import { toolRules } from "./scope-index.ts";
import { someOf } from "./lists.ts";

/** A step that is a mere name: no sentence of an author's fits into it (SC-6). */
const plainStep = /^[a-z0-9-]{1,64}$/;
const mostNames = 64;
const mostSteps = 64;

/**
 * The rules of a scope for the system prompt (SC-6): our own sentences, and of the skills only names of tools that the
 * host has, public names and steps that are names. Their patterns are authors' text, and are not repeated.
 */
export function renderRules(scope: Scope, catalogue: readonly string[]): string {
  const standings = effectiveTools(scope, catalogue);
  const allowed = standings.filter(({ decision }) => decision === "allow");
  const steps = scope.protocol.filter(isPlainStep);
  return [
    `Skills in force: ${namesOf(scope)}.`,
    `Allowed tools: ${orNone(allowed.map(allowedName))}.`,
    `Forbidden tools: ${orNone(standings.filter((standing) => isForbidden(scope, standing)).map(({ name }) => name))}.`,
    "No other tool is available. A call of another tool, or of one of these by another name, is refused and never runs.",
    ...(allowed.some(isLimited) ? [limitedRule] : []),
    ...(steps.length === 0 ? [] : [`Steps, in order: ${someOf(steps, mostSteps)}.`]),
  ].join("\n");
}

const limitedRule =
  "Of a tool marked as limited only some calls pass; a refused call says why, and other spellings of it are refused too.";

/** The steps that are sentences: text of the skills' authors, for the user turn, fenced. */
export function freeSteps(scope: Scope): readonly string[] {
  return scope.protocol.filter((step) => !isPlainStep(step));
}

/** Whether a step is a name, and so may stand in our own sentences. */
export function isPlainStep(step: string): boolean {
  return plainStep.test(step);
}

function namesOf(scope: Scope): string {
  const names = [...new Set(scope.skills.map(({ name }) => name))];
  const plain = names.filter(isPublicName).toSorted();
  const shown = plain.slice(0, mostNames);
  const more = names.length - shown.length;
  if (more === 0) return orNone(shown);
  return shown.length === 0 ? `${more} without a plain name` : `${shown.join(", ")} and ${more} more`;
}

function allowedName(standing: ToolStanding): string {
  return isLimited(standing) ? `${standing.name} (limited)` : standing.name;
}

function isLimited({ limited }: ToolStanding): boolean {
  return limited !== null;
}

/** A name that no tool can have is nowhere: what it says is not ours. */
function isForbidden(scope: Scope, { name }: ToolStanding): boolean {
  return canonicalTools(name).some((tool) => toolRules(scope, tool).banned.length > 0);
}

function orNone(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
