import { builtIns } from "./built-ins.ts";
import type { CapabilitySkill } from "./capability.ts";
import type { CapabilityRegistry } from "./registry.ts";
import { rulesOf } from "./resolve.ts";

/** What a host knows of a task before somebody is sent to do it. */
export interface TaskTraits {
  readonly task: string;
  readonly risk: "low" | "medium" | "high";
  readonly coding: boolean;
}

export interface SelectedCapabilities {
  /** Names, in order; none: no scope is needed. */
  readonly skills: readonly string[];
  /** For each why it is there, in words. */
  readonly why: readonly string[];
}

const implementing = ["opencode-implementer", "specification-engine"];

/** The capability skills that fit a task (SC-9). It only ever proposes: what they allow, the set decides. */
export function selectCapabilities(
  { risk, coding }: TaskTraits,
  registry?: Pick<CapabilityRegistry, "get">,
): SelectedCapabilities {
  const why = new Map<string, string>();
  if (coding) for (const name of implementing) why.set(name, "the task is to write code");
  // A risk that is none of the words counts as the highest.
  if (risk !== "low" && risk !== "medium") why.set("guarded", "the risk is high");
  complete(why, registry);
  const skills = [...why.keys()].toSorted();
  return { skills, why: skills.map((skill) => `${skill}: ${why.get(skill)}`) };
}

/** Adds what the chosen ones require, and what those require: a set that lacks a companion is refused (SC-4). */
function complete(why: Map<string, string>, registry: Pick<CapabilityRegistry, "get"> | undefined): void {
  const get = (name: string) => registry?.get(name) ?? builtIns.find(({ id }) => id === name);
  // A map gives what is added while it is walked, too.
  for (const chosen of why.keys()) {
    const skill = get(chosen);
    for (const companion of skill === undefined ? [] : companionsOf(skill, get))
      if (!why.has(companion.id)) why.set(companion.id, `${chosen} requires it`);
  }
}

function companionsOf(
  skill: CapabilitySkill,
  get: (name: string) => CapabilitySkill | undefined,
): readonly CapabilitySkill[] {
  return rulesOf(skill)
    .filter(({ type }) => type === "requires")
    .flatMap(({ target }) => get(`${skill.source}/${target}`) ?? get(target) ?? []);
}
