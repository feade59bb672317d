import { AppError } from "../../base/error.ts";
import { type EntryId, parseEntryId } from "../../base/ids.ts";
import { parse } from "../../ingest/skill/skill.ts";
import { demand } from "../../registry/accounts/roles.ts";
import type { Look } from "../../registry/registry.ts";
import type { App } from "../app.ts";
import { demandEntry } from "../find.ts";
import { demandSkill } from "../folder-skills.ts";
import { type Candidate, type CandidateOptions, type Candidates, contractIn, isAboutScope } from "./candidates.ts";

/** The approved skills of these names, as the present generation has them, their bytes verified (invariant 1). */
export async function storedCandidates(
  app: Pick<App, "registry" | "person" | "llm">,
  names: readonly string[],
  { allowContract = false }: Pick<CandidateOptions, "allowContract"> = {},
): Promise<Candidates> {
  demand(app.person, "read", app.llm.policy);
  const look = await app.registry.look();
  const entries = new Set(names.flatMap((name) => entryNamed(look, name)));
  const all = await Promise.all([...entries].map((entry) => storedCandidate(app, look, entry, allowContract)));
  const named = (name: string) => {
    const { id } = demandEntry(look, name);
    return all.find(({ entry }) => entry === id) ?? demandSkill(all, name);
  };
  return { all, named, findings: [] };
}

/** None for a name that nobody has: `named` says so when it is asked for it. */
function entryNamed(look: Look, name: string): EntryId[] {
  try {
    return [demandEntry(look, name).id];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

async function storedCandidate(
  { registry }: Pick<App, "registry">,
  { facts, snapshot }: Look,
  entry: EntryId,
  allowContract: boolean,
): Promise<Candidate> {
  const { source = "", path = entry } = parseEntryId(entry) ?? {};
  const summary = facts.summaries.get(facts.entries.get(entry)?.current ?? "");
  const place = { entry, source, path, name: snapshot.usable.get(entry)?.name ?? summary?.name ?? path };
  try {
    const bundle = await registry.use(snapshot, entry);
    const { skill = null, findings: seen } = parse(bundle, "ingest");
    const why = skill === null ? "it cannot be read as a skill" : null;
    const contract = allowContract ? contractIn(bundle) : null;
    return { ...place, skill, why, contract, findings: seen.filter(isAboutScope(allowContract)) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "entry.unusable")) throw error;
    return { ...place, skill: null, why: error.message, contract: null, findings: [] };
  }
}
