import type { App } from "../../app/app.ts";
import { AppError } from "../../core/error.ts";
import { type EntryId, parseEntryId } from "../../core/ids.ts";
import { nameKey } from "../../core/text.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import type { Look } from "../../registry/registry.ts";
import { parsePattern } from "../../scope/tools/patterns.ts";
import { canonicalTools, displayName } from "../../scope/tools/tools.ts";
import { parse } from "../../skill/skill.ts";
import { demandEntry, seenBy } from "../skills/find.ts";
import { type Candidate, type Candidates, isAboutScope, namedCandidates } from "./candidates.ts";
import { type AskedScope, lookAtScope, type ScopeSet } from "./scope-set.ts";

/** What a set of approved skills comes to, by whoever asks through a door without a workspace of its own. */
export async function storedScope(app: App, asked: Omit<AskedScope, "forbidden">): Promise<ScopeSet> {
  const { tools, ...others } = asked;
  const named = tools === undefined ? {} : { tools: demandTools(tools, "tools") };
  return lookAtScope(await storedCandidates(app, asked.names), { ...others, ...named });
}

/** Names of tools; of an entry as a skill would write it, the tool that it is about. `where` they were typed. */
export function demandTools(entries: readonly string[], where: string): readonly string[] {
  const tools = entries.map((entry) => (canonicalTools(entry).length > 0 ? entry : nameIn(entry)));
  if (tools.length > 0 && tools.every((tool) => tool !== undefined)) return tools;
  throw new AppError("usage.invalid", `${where}: expected names of tools, such as read and Bash`);
}

function nameIn(entry: string): string | undefined {
  const tools = parsePattern(entry)?.tools;
  return tools === undefined ? undefined : displayName(tools);
}

/** The approved skills of these names, as the present generation has them, their bytes verified (invariant 1). */
export async function storedCandidates(
  app: Pick<App, "registry" | "person" | "policy">,
  names: readonly string[],
): Promise<Candidates> {
  requireRight(app, "read");
  const look = seenBy(app.person, await app.registry.look());
  const asked = new Map(names.map((name) => [name, entryNamed(look, name)]));
  const entries = new Set([...asked.values()].filter((entry) => typeof entry === "string"));
  const found = await Promise.all([...entries].map((entry) => storedCandidate(app, look, entry)));
  const { all, named } = namedCandidates(found, []);
  return {
    all,
    findings: [],
    named: (name) => {
      const entry = asked.get(name) ?? entryNamed(look, name);
      if (entry instanceof AppError) throw entry;
      return named(entry);
    },
  };
}

/** The entry that is meant by an id, by a name that only one has, or by `source/name`; else why there is none. */
function entryNamed(look: Look, name: string): EntryId | AppError {
  try {
    return demandEntry(look, name).id;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return qualifiedEntry(look, name) ?? error;
  }
}

function qualifiedEntry({ facts }: Look, typed: string): EntryId | undefined {
  const key = nameKey(typed);
  const [only, ...others] = [...facts.entries.values()].filter(
    ({ source, current, present }) =>
      present &&
      typed.startsWith(`${source}/`) &&
      key === nameKey(`${source}/${facts.summaries.get(current)?.name ?? ""}`),
  );
  return others.length === 0 ? only?.id : undefined;
}

async function storedCandidate(
  { registry }: Pick<App, "registry">,
  { facts, snapshot }: Look,
  entry: EntryId,
): Promise<Omit<Candidate, "alias">> {
  const { source = "", path = entry } = parseEntryId(entry) ?? {};
  const summary = facts.summaries.get(facts.entries.get(entry)?.current ?? "");
  const place = { entry, source, path, name: snapshot.usable.get(entry)?.name ?? summary?.name ?? path };
  try {
    const bundle = await registry.use(snapshot, entry);
    const { skill = null, findings: seen } = parse(bundle, "ingest");
    const why = skill === null ? "it cannot be read as a skill" : null;
    return { ...place, skill, why, contract: null, findings: seen.filter(isAboutScope(false)) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "entry.unusable")) throw error;
    return { ...place, skill: null, why: error.message, contract: null, findings: [] };
  }
}
