import { nameKey } from "../../../base/text.ts";
import type { AgentSkill, FoundSkill } from "./agent-skill.ts";
import { qualifiedName } from "./names.ts";
import { nearestAliases } from "./nearest-aliases.ts";

/** Far more than any name of a skill has. */
const longestTyped = 2_048;

/** What a person or a model means by a name. What stands for one skill alone comes before what several may share. */
export function findSkill(skills: readonly AgentSkill[], typed: string): FoundSkill {
  const text = typed.slice(0, longestTyped).trim();
  const only = skills.find(({ entry }) => entry === text) ?? skills.find(({ alias }) => alias === text);
  if (only !== undefined) return { is: "one", skill: only };
  const key = nameKey(text);
  if (key === "") return { is: "none", near: [] };
  for (const wordsOf of [aliasOf, qualifiedName, nameOf]) {
    const [first, ...others] = skills.filter((skill) => nameKey(wordsOf(skill)) === key);
    if (first === undefined) continue;
    return others.length === 0 ? { is: "one", skill: first } : { is: "several", skills: [first, ...others] };
  }
  return { is: "none", near: nearestAliases(skills, text) };
}

function aliasOf({ alias }: AgentSkill): string {
  return alias;
}

function nameOf({ name }: AgentSkill): string {
  return name;
}
