import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { nameKey } from "../../core/text.ts";
import type { ContractSource } from "../../scope/capability.ts";
import { type Bundle, contractFile } from "../../skill/bundle.ts";
import type { Skill } from "../../skill/skill.ts";
import { demandSkill, type FolderWorld, parseFolderSkill, readFolderAs } from "../bundles/folder-skills.ts";

/** A skill that may take part in a scope, wherever it comes from. */
export interface Candidate {
  readonly entry: EntryId;
  readonly source: string;
  readonly path: string;
  readonly name: string;
  /** What it is called in the registry: its name, or its path where others of its source have that name. */
  readonly alias: string;
  /** Null when it cannot be used; `why` says why. */
  readonly skill: Skill | null;
  readonly why: string | null;
  /** Only when the host opted in for this load (SC-10). */
  readonly contract: ContractSource | null;
  /** What is said of its scope and its contract. */
  readonly findings: readonly Finding[];
}

/** Candidates, and which of them a person means by a name. */
export interface Candidates {
  readonly all: readonly Candidate[];
  /** Throws `record.missing` or `usage.invalid` for a name that nobody, or more than one, has. */
  readonly named: (name: string) => Candidate;
  /** Of where they lie: what was not looked into. */
  readonly findings: readonly Finding[];
}

export interface CandidateOptions {
  /** What ids begin with, so that skills of several folders stay apart: `folder` without it. */
  readonly source?: string | undefined;
  /** Take contracts along, to be run in the sandbox. Never set by a bundle or a workspace (SC-10). */
  readonly allowContract?: boolean | undefined;
}

/** Of all that is said about a skill, what concerns its scope. An opted-in contract is not inert. */
export function isAboutScope(allowContract: boolean): (seen: Finding) => boolean {
  return ({ code }) =>
    code.startsWith("scope.") || code === "kind.carries" || (code === "contract.inert" && !allowContract);
}

/** The skills of a folder, with their `scope.yaml` as it lies there. Nobody has approved them. */
export async function folderCandidates(
  world: FolderWorld,
  folder: string,
  { source = "folder", allowContract = false }: CandidateOptions,
): Promise<Candidates> {
  const { skills, findings } = await readFolderAs(world, folder, (read) => {
    const { entry, path, name, skill, unusable, findings: seen } = parseFolderSkill(read, source);
    const usable = unusable === null && skill !== undefined ? skill : null;
    const contract = allowContract && usable !== null ? contractIn(read.bundle) : null;
    const said = seen.filter(isAboutScope(allowContract));
    return { entry, source, path, name, skill: usable, why: unusable, contract, findings: said };
  });
  return namedCandidates(skills, findings);
}

function contractIn({ files }: Bundle): ContractSource | null {
  const file = files.find(({ path }) => path === contractFile);
  return file === undefined ? null : { digest: file.digest, code: new TextDecoder().decode(file.bytes) };
}

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
