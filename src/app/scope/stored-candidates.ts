import { AppError } from "../../base/error.ts";
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import { nameKey } from "../../base/text.ts";
import { parse } from "../../ingest/skill/skill.ts";
import { demand } from "../../registry/accounts/roles.ts";
import type { Look } from "../../registry/registry.ts";
import type { App } from "../app.ts";
import { demandEntry } from "../find.ts";
import { seenBy } from "../seen.ts";
import { type Candidate, type Candidates, isAboutScope } from "./candidates.ts";
import { namedCandidates } from "./named-candidates.ts";

/** The approved skills of these names, as the present generation has them, their bytes verified (invariant 1). */
export async function storedCandidates(
  app: Pick<App, "registry" | "person" | "llm">,
  names: readonly string[],
): Promise<Candidates> {
  demand(app.person, "read", app.llm.policy);
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
