import type { Finding } from "../../../base/finding.ts";
import type { AgentSkill, SkillChange } from "./agent-skill.ts";

/** What became of skills between two sets of them, by alias. */
export function changesBetween(
  before: readonly AgentSkill[],
  after: readonly AgentSkill[],
): Pick<SkillChange, "added" | "changed" | "removed" | "confirmed"> {
  const [old, now] = [byEntry(before), byEntry(after)];
  const kept = after.flatMap((skill) => {
    const earlier = old.get(skill.entry);
    return earlier === undefined ? [] : [{ skill, earlier }];
  });
  const different = kept.filter(({ skill, earlier }) => !isSameSkill(earlier, skill));
  return {
    added: aliases(after.filter(({ entry }) => !old.has(entry))),
    changed: aliases(different.filter((each) => !isConfirmation(each)).map(({ skill }) => skill)),
    removed: aliases(before.filter(({ entry }) => !now.has(entry))),
    confirmed: aliases(different.filter(isConfirmation).map(({ skill }) => skill)),
  };
}

function byEntry(skills: readonly AgentSkill[]): ReadonlyMap<string, AgentSkill> {
  return new Map(skills.map((skill) => [skill.entry, skill]));
}

function aliases(skills: readonly AgentSkill[]): readonly string[] {
  return skills.map(({ alias }) => alias);
}

/** Nothing of it is another but that a person said yes. */
function isConfirmation({ skill, earlier }: { readonly skill: AgentSkill; readonly earlier: AgentSkill }): boolean {
  const { standing, trust, grants } = skill;
  return standing === "confirmed" && isSameSkill({ ...earlier, alias: skill.alias, standing, trust, grants }, skill);
}

export function isSameSet(before: readonly AgentSkill[], after: readonly AgentSkill[]): boolean {
  return before.length === after.length && before.every((skill, at) => isSame(skill, after[at]));
}

function isSame(skill: AgentSkill, other: AgentSkill | undefined): boolean {
  return other !== undefined && isSameSkill(skill, other);
}

/** But for its findings: these are said, and nothing depends on them. */
function isSameSkill(a: AgentSkill, b: AgentSkill): boolean {
  return (
    a.entry === b.entry &&
    a.alias === b.alias &&
    a.name === b.name &&
    a.digest === b.digest &&
    a.standing === b.standing &&
    a.trust === b.trust &&
    a.unusable === b.unusable &&
    a.origin === b.origin &&
    a.folder === b.folder &&
    a.description === b.description &&
    a.byModel === b.byModel &&
    a.byPerson === b.byPerson &&
    a.argumentHint === b.argumentHint &&
    isSameList(a.grants, b.grants) &&
    isSameList(a.asks, b.asks)
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((each, at) => each === b[at]));
}

/** Those of the findings that were not there before. */
export function newFindings(before: readonly Finding[], after: readonly Finding[]): readonly Finding[] {
  const said = new Set(before.map(keyOf));
  return after.filter((each) => !said.has(keyOf(each)));
}

function keyOf({ code, message, at }: Finding): string {
  return JSON.stringify([code, message, at.file, at.line]);
}
