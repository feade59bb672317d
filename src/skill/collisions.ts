import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { nameKey, safeLine, safeName } from "../core/text.ts";
import { finding } from "./faults.ts";

/** What is compared of skills that stand side by side. */
export interface NamedSkill {
  readonly path: string;
  /** How its place is called where somebody reads it; without one, by its path. */
  readonly place?: string;
  readonly name: string;
  readonly digest: Digest | null;
}

/** Skills of one name: the same bytes are one skill in two places, different bytes need qualified names (SK-15). */
export function findCollisions(skills: readonly NamedSkill[]): Finding[] {
  const first = new Map<string, NamedSkill>();
  const findings: Finding[] = [];
  for (const skill of skills) {
    const key = nameKey(skill.name);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, skill);
    else findings.push(collision(skill, earlier));
  }
  return findings;
}

function collision(skill: NamedSkill, earlier: NamedSkill): Finding {
  const [name, other] = [safeName(skill.name), safeLine(earlier.place ?? earlier.path)];
  if (skill.digest !== null && skill.digest === earlier.digest)
    return finding("set.duplicate", `"${name}" is byte for byte the skill in ${other}`, skill.path);
  return finding("set.collision", `"${name}" is also the name of the different skill in ${other}`, skill.path);
}
