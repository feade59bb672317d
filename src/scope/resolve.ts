import { isSourceId } from "../core/ids.ts";
import { nameKey } from "../core/text.ts";
import type { CapabilitySkill } from "./capability.ts";

export const builtInSource = "built-in";
export const sessionSource = "session";

/** What a skill says of another one. */
export interface RuleRef {
  readonly type: string;
  readonly target: string;
  readonly reason: string | null;
  /** Where the target is looked for, in this order: as an id, in the skill's own source, among the built-ins (SC-2). */
  readonly keys: readonly string[];
}

/** `choices`: the ids of those that share the name; none when nobody has it. */
export type Asked =
  | { readonly skill: CapabilitySkill; readonly choices?: never }
  | { readonly skill?: never; readonly choices: readonly string[] };

export function idOf(source: string, name: string): string {
  return source === builtInSource ? name : `${source}/${name}`;
}

/** What names are compared by. Most are in the plain form already, and folding costs more than all else of a lookup. */
export function foldName(name: string): string {
  return /^[a-z0-9-]{1,64}$/.test(name) ? name : nameKey(name);
}

export function keyOf({ source, name }: Pick<CapabilitySkill, "source" | "name">): string {
  return `${source}/${foldName(name)}`;
}

const rulesRead = new WeakMap<CapabilitySkill, readonly RuleRef[]>();

/** The rules of both lists, their targets folded once; those with a reason first, since they say more. */
export function rulesOf(skill: CapabilitySkill): readonly RuleRef[] {
  const known = rulesRead.get(skill);
  if (known !== undefined) return known;
  const rules = [...skill.compatibilityRules, ...skill.composabilityRules]
    .map(({ type, skill: target, reason }) => {
      const own = `${skill.source}/${foldName(target)}`;
      return { type, target, reason, keys: [...idKey(target), own, `${builtInSource}/${foldName(target)}`] };
    })
    .toSorted((a, b) => Number(a.reason === null) - Number(b.reason === null));
  rulesRead.set(skill, rules);
  return rules;
}

function idKey(text: string): string[] {
  const slash = text.indexOf("/");
  const source = text.slice(0, Math.max(slash, 0));
  return isSourceId(source) ? [`${source}/${foldName(text.slice(slash + 1))}`] : [];
}

/** Skills by what they are called. */
export class Names {
  readonly #byKey = new Map<string, CapabilitySkill>();
  readonly #byName = new Map<string, Set<string>>();

  get size(): number {
    return this.#byKey.size;
  }

  set(skill: CapabilitySkill): void {
    const key = keyOf(skill);
    const name = foldName(skill.name);
    this.#byKey.set(key, skill);
    const sharing = this.#byName.get(name);
    if (sharing === undefined) this.#byName.set(name, new Set([key]));
    else sharing.add(key);
  }

  has(skill: CapabilitySkill): boolean {
    return this.#byKey.has(keyOf(skill));
  }

  all(): CapabilitySkill[] {
    return [...this.#byKey.values()];
  }

  /** For whoever asks from outside: as an id, of the session, built in; then whoever alone has the name. */
  ask(name: string): Asked {
    if (typeof name !== "string") return { choices: [] };
    const folded = foldName(name);
    const skill = this.first([...idKey(name), `${sessionSource}/${folded}`, `${builtInSource}/${folded}`]);
    if (skill !== undefined) return { skill };
    const sharing = [...(this.#byName.get(folded) ?? [])].flatMap((key) => this.#byKey.get(key) ?? []);
    const [only, another] = sharing;
    return only !== undefined && another === undefined
      ? { skill: only }
      : { choices: sharing.map(({ id }) => id).toSorted() };
  }

  /** For a rule: nobody else's skill is meant by a plain name, however few have it. */
  first(keys: readonly string[]): CapabilitySkill | undefined {
    for (const key of keys) {
      const skill = this.#byKey.get(key);
      if (skill !== undefined) return skill;
    }
    return undefined;
  }
}
