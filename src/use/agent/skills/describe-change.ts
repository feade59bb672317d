import { isPublicName } from "../../../base/text.ts";
import { blocks } from "../../../base/finding.ts";
import type { SkillChange } from "./agent-skill.ts";

const mostNames = 20;

/** AG-4: what the model is told of a reload that its own writing brought about. */
export function describeChange({ added, changed, removed, findings }: SkillChange): string {
  const parts = [...named("added", added), ...named("changed", changed), ...named("removed", removed)];
  const what = parts.length === 0 ? "nothing changed" : parts.join("; ");
  // Codes only: messages quote what authors wrote.
  const against = [...new Set(findings.filter(blocks).map(({ code }) => code))].slice(0, 3);
  return `Skills were reloaded: ${what}.${against.length === 0 ? "" : ` In the way of some: ${against.join(", ")}.`}`;
}

/** Aliases in our own sentences: those of the public form by name, the others by their number. */
export function named(word: string, aliases: readonly string[]): readonly string[] {
  if (aliases.length === 0) return [];
  const plain = aliases.filter(isPublicName).slice(0, mostNames);
  const more = aliases.length - plain.length;
  const names = plain.length === 0 ? "" : ` ${plain.join(", ")}`;
  return [`${word}${names}${more === 0 ? "" : `${plain.length === 0 ? "" : " and"} ${more} more`}`];
}
