import type { Finding } from "../../core/finding.ts";
import { parseEntryId } from "../../core/ids.ts";
import { nearestFew } from "../../core/nearest.ts";
import { compareTexts, nameKey, safeLine } from "../../core/text.ts";
import { finding } from "../../skill/faults.ts";
import type { AgentSkill, FoundSkill, SkillOrigin } from "./agent-skill.ts";

/** A skill whose trust is settled, before it has its name among the others. */
export type TrustedSkill = Omit<AgentSkill, "alias">;

/** The same bytes in several places are one skill: the person's own stands for the others. */
export function collapseTwins(skills: readonly TrustedSkill[]): { skills: TrustedSkill[]; findings: Finding[] } {
  const first = new Map<string, TrustedSkill>();
  const kept: TrustedSkill[] = [];
  const findings: Finding[] = [];
  for (const skill of skills.toSorted(byRank)) {
    const earlier = skill.digest === null ? undefined : first.get(skill.digest);
    if (earlier === undefined) {
      kept.push(skill);
      if (skill.digest !== null) first.set(skill.digest, skill);
    } else findings.push(duplicate(skill, earlier));
  }
  return { skills: kept, findings };
}

const originRank: Readonly<Record<SkillOrigin, number>> = { user: 0, registry: 1, project: 2 };

function byRank(a: TrustedSkill, b: TrustedSkill): number {
  return (
    originRank[a.origin] - originRank[b.origin] || standingRank(a) - standingRank(b) || compareTexts(a.entry, b.entry)
  );
}

/** What was said of these bytes at one place must not be hidden by a copy of which nothing was said. */
function standingRank({ standing }: TrustedSkill): number {
  return standing === "confirmed" ? 0 : 1;
}

function duplicate(skill: TrustedSkill, earlier: TrustedSkill): Finding {
  const words = `"${skill.name}" is byte for byte the skill ${safeLine(earlier.entry)}, which stands for it`;
  return finding("set.duplicate", words, safeLine(skill.entry, 240));
}

/** Every skill with a name that stands for it alone (SK-13, SK-15), in the order of these names. */
export function withAliases(skills: readonly TrustedSkill[]): { skills: AgentSkill[]; findings: Finding[] } {
  const claims = new Claims(skills);
  const findings: Finding[] = [];
  const named = skills.map((skill): AgentSkill => {
    const alias = claims.aliasOf(skill);
    const other = claims.namesake(skill);
    if (other !== undefined && alias !== skill.name) findings.push(collision(skill, other, alias));
    return { ...skill, alias };
  });
  return { skills: named.toSorted((a, b) => compareTexts(a.alias, b.alias)), findings };
}

function collision(skill: TrustedSkill, other: TrustedSkill, alias: string): Finding {
  const words = `"${skill.name}" is also the name of the different skill ${safeLine(other.entry)}`;
  return finding("set.collision", `${words}; this one is called ${safeLine(alias, 120)}`, safeLine(skill.entry, 240));
}

/** Who can be meant by which words. */
class Claims {
  readonly #named = new Map<string, TrustedSkill[]>();
  readonly #qualified = new Map<string, TrustedSkill[]>();
  readonly #entries = new Map<string, TrustedSkill[]>();

  constructor(skills: readonly TrustedSkill[]) {
    for (const skill of skills) {
      claim(this.#named, nameKey(skill.name), skill);
      claim(this.#qualified, nameKey(qualifiedName(skill)), skill);
      claim(this.#entries, nameKey(skill.entry), skill);
    }
  }

  aliasOf(skill: TrustedSkill): string {
    if (this.#hasName(skill)) return skill.name;
    const qualified = qualifiedName(skill);
    // A name that is written like that stands behind it.
    return this.#isOnly(skill, nameKey(qualified)) ? qualified : skill.entry;
  }

  /** Another skill of that name. */
  namesake(skill: TrustedSkill): TrustedSkill | undefined {
    return this.#named.get(nameKey(skill.name))?.find((each) => each !== skill);
  }

  #hasName(skill: TrustedSkill): boolean {
    const key = nameKey(skill.name);
    if (key === "" || !this.#isOnly(skill, key)) return false;
    const others = this.#named.get(key)?.filter((each) => each !== skill) ?? [];
    if (others.length === 0) return true;
    // What a repository brings along takes no name away from what a person has.
    const isNobodys = ({ origin, standing }: TrustedSkill) => origin === "project" && standing !== "confirmed";
    return skill.origin !== "project" && skill.standing === "confirmed" && others.every(isNobodys);
  }

  /** Whether nobody else has this for a qualified name or an id. */
  #isOnly(skill: TrustedSkill, key: string): boolean {
    return [this.#qualified, this.#entries].every((table) => table.get(key)?.every((each) => each === skill) !== false);
  }
}

function claim(table: Map<string, TrustedSkill[]>, key: string, skill: TrustedSkill): void {
  const there = table.get(key);
  if (there === undefined) table.set(key, [skill]);
  else there.push(skill);
}

/** `source/name`, as a person types it. */
function qualifiedName({ entry, name }: Pick<TrustedSkill, "entry" | "name">): string {
  return `${parseEntryId(entry)?.source ?? ""}/${name}`;
}

/** Far more than any name of a skill has. */
const longestTyped = 2_048;

/** What a person or a model means by a name. What stands for one skill alone comes before what several may share. */
export function findSkill(skills: readonly AgentSkill[], typed: string): FoundSkill {
  const text = typed.slice(0, longestTyped).trim();
  const only = skills.find(({ entry }) => entry === text) ?? skills.find(({ alias }) => alias === text);
  if (only !== undefined) return { is: "one", skill: only };
  const key = nameKey(text);
  if (key === "") return { is: "none", near: [] };
  const spellings: readonly ((skill: AgentSkill) => string)[] = [
    ({ alias }) => alias,
    qualifiedName,
    ({ name }) => name,
  ];
  for (const spellingOf of spellings) {
    const [first, ...others] = skills.filter((skill) => nameKey(spellingOf(skill)) === key);
    if (first === undefined) continue;
    return others.length === 0 ? { is: "one", skill: first } : { is: "several", skills: [first, ...others] };
  }
  return { is: "none", near: nearestAliases(skills, text) };
}

const mostNear = 3;
/** Longer ones are not compared: that takes the product of both lengths (T26). */
const longestCompared = 80;
/** Fewer letters are a part of too much. */
const shortestPart = 3;

/** The aliases that somebody who typed this most likely meant: those it is a part of, then those that are a few letters away. */
export function nearestAliases(skills: readonly AgentSkill[], typed: string): readonly string[] {
  if (typed === "" || typed.length > longestCompared) return [];
  const word = typed.toLowerCase();
  const aliases = skills.map(({ alias }) => alias).filter(({ length }) => length <= longestCompared);
  const whole = word.length < shortestPart ? [] : aliases.filter((alias) => alias.toLowerCase().includes(word));
  if (whole.length >= mostNear) return whole.slice(0, mostNear);
  return [...new Set([...whole, ...nearestFew(word, aliases, mostNear)])].slice(0, mostNear);
}
