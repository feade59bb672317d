import { nameKey } from "../../base/text.ts";
import { demandSkill, type FolderWorld, parseFolderSkill, readFolderAs } from "../folder-skills.ts";
import { type Candidate, type CandidateOptions, type Candidates, contractIn, isAboutScope } from "./candidates.ts";

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
  const all = withoutCopies(skills);
  return { all, named: (name) => demandSkill(all, name), findings };
}

/** Identical bytes under one name are one skill (SK-13). */
function withoutCopies(all: readonly Candidate[]): readonly Candidate[] {
  const first = new Map<string, Candidate>();
  return all.filter((candidate) => {
    if (candidate.skill === null) return true;
    const key = `${candidate.skill.digest} ${nameKey(candidate.name)}`;
    if (first.has(key)) return false;
    first.set(key, candidate);
    return true;
  });
}
