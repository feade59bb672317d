import { blocks, type Finding } from "../../core/finding.ts";
import { isPublicName } from "../../core/text.ts";
import { type AgentSkill, type SkillChange, type SkillSet, visibleSkills } from "./agent-skill.ts";

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
  return (
    before.length === after.length &&
    before.every((skill, at) => {
      const other = after[at];
      return other !== undefined && isSameSkill(skill, other);
    })
  );
}

const compared = [
  ...(["entry", "alias", "name", "digest", "standing", "trust", "unusable", "origin", "folder"] as const),
  ...(["description", "byModel", "byPerson", "argumentHint"] as const),
];

/** But for its findings: these are said, and nothing depends on them. */
function isSameSkill(a: AgentSkill, b: AgentSkill): boolean {
  const isSame = compared.every((field) => a[field] === b[field]);
  return isSame && isSameList(a.grants, b.grants) && isSameList(a.asks, b.asks);
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

/** What of the visible skills a model would notice, by alias. */
export function visibleDigests(set: SkillSet): ReadonlyMap<string, string> {
  return new Map(visibleSkills(set).map(({ alias, digest }) => [alias, digest ?? ""]));
}

/** AG-3: what changed since somebody last looked, for the model, in our words and in names of the public form; or nothing. */
export function announceChange(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  const added = [...after.keys()].filter((alias) => !before.has(alias));
  const removed = [...before.keys()].filter((alias) => !after.has(alias));
  const changed = [...after].filter(([alias, digest]) => before.has(alias) && before.get(alias) !== digest);
  const parts = named({ added, changed: changed.map(([alias]) => alias), removed });
  return parts === "" ? "" : `(The available skills changed since the last message: ${parts}.)`;
}

/** AG-4: what the model is told of a reload that its own writing brought about. */
export function describeChange({ added, changed, removed, findings }: SkillChange): string {
  const what = named({ added, changed, removed }) || "nothing changed";
  // Codes only: messages quote what authors wrote.
  const against = [...new Set(findings.filter(blocks).map(({ code }) => code))].slice(0, 3);
  return `Skills were reloaded: ${what}.${against.length === 0 ? "" : ` In the way of some: ${against.join(", ")}.`}`;
}

const mostNames = 20;

/** Aliases in our own sentences: those of the public form by name, the others by their number. */
function named(changes: Readonly<Record<string, readonly string[]>>): string {
  const parts = Object.entries(changes).flatMap(([word, all]) => {
    if (all.length === 0) return [];
    const plain = all.filter(isPublicName).slice(0, mostNames);
    const more = all.length - plain.length;
    const names = plain.length === 0 ? "" : ` ${plain.join(", ")}`;
    return [`${word}${names}${more === 0 ? "" : `${plain.length === 0 ? "" : " and"} ${more} more`}`];
  });
  return parts.join("; ");
}
