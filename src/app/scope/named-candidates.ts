import type { Finding } from "../../base/finding.ts";
import { nameKey } from "../../base/text.ts";
import { demandSkill } from "../folder-skills.ts";
import type { Candidate, Candidates } from "./candidates.ts";

type Unaliased = Omit<Candidate, "alias">;

/** Candidates that a person can name: by entry, by name, as `source/name`, by path. */
export function namedCandidates(found: readonly Unaliased[], findings: readonly Finding[]): Candidates {
  const all = aliased(found);
  const byEntry = new Map(all.map((candidate) => [candidate.entry, candidate]));
  const byName = groupBy(all, ({ name }) => nameKey(name));
  const byId = groupBy(all, ({ source, alias }) => nameKey(`${source}/${alias}`));
  const named = (typed: string): Candidate => {
    const key = nameKey(typed);
    const exact = byEntry.get(typed) ?? only(byName.get(key)) ?? only(byName.has(key) ? undefined : byId.get(key));
    // What is left is a path, or has to be refused in words.
    return exact ?? demandSkill(all, typed);
  };
  return { all, named, findings };
}

/** SK-15: where several of one source have a name, each is known by its path, and nobody by the name alone. */
function aliased(found: readonly Unaliased[]): readonly Candidate[] {
  const sharing = groupBy(found, ({ source, name }) => nameKey(`${source}/${name}`));
  return found.map((candidate) => {
    const { source, name, path } = candidate;
    const isAlone = only(sharing.get(nameKey(`${source}/${name}`))) !== undefined;
    return Object.assign({}, candidate, { alias: isAlone || path === "" ? name : path });
  });
}

/** The first of those that are all the same bytes (SK-13). */
function only<Found extends Unaliased>(found: readonly Found[] | undefined): Found | undefined {
  const [first, ...others] = found ?? [];
  const isOne = others.every(({ skill }) => skill !== null && skill.digest === first?.skill?.digest);
  return isOne ? first : undefined;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
