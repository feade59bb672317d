import { type Bundle, contractFile } from "../../ingest/skill/bundle.ts";
import type { ContractSource } from "../../use/scope/capability.ts";
import { type FolderWorld, parseFolderSkill, readFolderAs } from "../folder-skills.ts";
import { type CandidateOptions, type Candidates, isAboutScope } from "./candidates.ts";
import { namedCandidates } from "./named-candidates.ts";

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
