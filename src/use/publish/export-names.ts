import type { Digest } from "../../base/digest.ts";
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import { safeLine } from "../../base/text.ts";
import { type Trust, trusts } from "../../ingest/source/trust.ts";
import { folderOf, isFolderName } from "./folder-name.ts";
import { compareBytes } from "./lock.ts";

/** A skill that wants a name where each can be had once. */
export interface Nameable {
  readonly entry: EntryId;
  /** As its manifest says. */
  readonly name: string;
  readonly digest: Digest;
  readonly trust: Trust;
}

/** Why a skill did not get its name. `same`: one with the very same bytes has it. */
export interface Nameless<Skill extends Nameable> {
  readonly skill: Skill;
  readonly state: "refused" | "same";
  readonly reason: string;
}

/** SK-15: one name, one skill. The more trusted one has it, of equals the one whose id comes first; never by what it says. */
export function byRank(a: Pick<Nameable, "trust" | "entry">, b: Pick<Nameable, "trust" | "entry">): number {
  return trusts.indexOf(b.trust) - trusts.indexOf(a.trust) || compareBytes(a.entry, b.entry);
}

/** Pure. The folder of each skill, and those that get none. */
export function nameFolders<Skill extends Nameable>(
  skills: readonly Skill[],
): { readonly named: ReadonlyMap<string, Skill>; readonly nameless: readonly Nameless<Skill>[] } {
  const named = new Map<string, Skill>();
  const nameless: Nameless<Skill>[] = [];
  for (const skill of skills.toSorted(byRank)) {
    const folder = folderNameOf(skill);
    const other = folder === undefined ? undefined : named.get(folder);
    if (folder === undefined) nameless.push({ skill, state: "refused", reason: unnameable(skill) });
    else if (other !== undefined) nameless.push(twinOf(skill, other));
    else named.set(folder, skill);
  }
  return { named, nameless };
}

/** Its own name, as the specification wants it; of one that no folder can have, the name of the folder it came from. */
function folderNameOf({ name, entry }: Nameable): string | undefined {
  const { source, path } = parseEntryId(entry) ?? { source: "", path: "" };
  return [name, folderOf(path, source)].find(isFolderName);
}

function unnameable({ name }: Nameable): string {
  return `neither its name "${safeLine(name, 80)}" nor that of its folder can be the name of a skill's folder: lowercase letters, digits and single hyphens between them`;
}

function twinOf<Skill extends Nameable>(skill: Skill, other: Skill): Nameless<Skill> {
  const shown = safeLine(other.entry, 240);
  if (skill.digest === other.digest) return { skill, state: "same", reason: `it has the same bytes as ${shown}` };
  const reason = `${shown} has the same name and is more trusted or comes first; name the one you want`;
  return { skill, state: "refused", reason };
}
