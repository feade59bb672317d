import type { AgentSkill, SkillSet } from "./agent-skill.ts";
import { named } from "./describe-change.ts";

/**
 * The skills that a model is told of (AG-2): what nobody has confirmed is a person's to look at first. What the agent
 * wrote itself it may use, from the user role.
 */
export function visibleSkills({ skills }: SkillSet): readonly AgentSkill[] {
  return skills.filter(({ standing, unusable, byModel }) => standing !== "unconfirmed" && unusable === null && byModel);
}

/** The skills that wait for a person's word. What cannot be used has nothing to be confirmed. */
export function unconfirmedSkills({ skills }: SkillSet): readonly AgentSkill[] {
  return skills.filter(({ standing, unusable }) => standing === "unconfirmed" && unusable === null);
}

/** What of the visible skills a model would notice, by alias. */
export function visibleDigests(set: SkillSet): ReadonlyMap<string, string> {
  return new Map(visibleSkills(set).map(({ alias, digest }) => [alias, digest ?? ""]));
}

/** AG-3: what changed since somebody last looked, for the model, in our words and in names of the public form; or nothing. */
export function announceChange(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  const added = [...after.keys()].filter((alias) => !before.has(alias));
  const removed = [...before.keys()].filter((alias) => !after.has(alias));
  const changed = [...after].filter(([alias, digest]) => before.has(alias) && before.get(alias) !== digest);
  const parts = [
    ...named("added", added),
    ...named(
      "changed",
      changed.map(([alias]) => alias),
    ),
    ...named("removed", removed),
  ];
  return parts.length === 0 ? "" : `(The available skills changed since the last message: ${parts.join("; ")}.)`;
}
