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

/** They require each other, so that neither is chosen alone (SC-4). */
const implementing = ["opencode-implementer", "specification-engine"];

/** The capability skills that fit a task (SC-9). It only ever proposes: what they allow, the set decides. */
export function selectCapabilities({ risk, coding }: TaskTraits): SelectedCapabilities {
  const why = new Map<string, string>();
  if (coding) for (const name of implementing) why.set(name, "the task is to write code");
  // A risk that is none of the words counts as the highest.
  if (risk !== "low" && risk !== "medium") why.set("guarded", "the risk is high");
  const skills = [...why.keys()].toSorted();
  return { skills, why: skills.map((skill) => `${skill}: ${why.get(skill)}`) };
}
