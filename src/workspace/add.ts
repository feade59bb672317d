import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { resolveTyped } from "../sources/github/resolve.ts";
import { parseTyped } from "../sources/typed.ts";
import { chooseSkill, fetchCandidate, filesOf, judge, type OfferedSkill, offerOf } from "./candidate.ts";
import { folderOf, advisingFrozen } from "./locked-repository.ts";
import { isExported, isFolderName, type Locked, lockFile } from "./lock.ts";
import { PinnedTrees } from "./pinned-trees.ts";
import { alreadyThere, type Placement } from "./place.ts";
import { kindOf, noteUnused, placeOf, type Publishing } from "./workspace.ts";

/** A skill to be shown, and what is written once somebody agrees. */
export interface Addition {
  readonly offer: OfferedSkill;
  /** Null while a finding stands in the way. */
  readonly placement: Placement | null;
}

/** AG-11: resolved, pinned, proven, fetched and judged. Nothing is written yet. */
export async function planAddition(publishing: Publishing, text: string, ref: string | null): Promise<Addition> {
  const { github, sets, onFile, accept } = publishing;
  const typed = parseTyped(text, sets);
  if (typed.kind === "folder")
    throw new AppError(
      "usage.invalid",
      `"${safeLine(text)}" is a folder; write owner/repo/path or the address of a skill`,
    );
  const { at, path } = await advisingFrozen(typed.repository, undefined, async () => {
    const meant = await resolveTyped(github, typed, ref);
    return { at: await new PinnedTrees(github).current(typed.repository, meant.ref), path: meant.path };
  });
  const skill = chooseSkill(at, path);
  await demandFree(publishing, folderOf(skill.path, typed.repository.name));
  const candidate = await fetchCandidate(github, at, skill, onFile);
  const judgement = judge(candidate.findings, accept);
  noteUnused(publishing, judgement.accepted);
  const after = { ...candidate.locked, accepted: judgement.accepted };
  const placement: Placement = {
    folder: candidate.folder,
    before: undefined,
    after,
    files: filesOf(candidate),
    mayReplace: "nothing",
  };
  return { offer: offerOf(candidate, judgement), placement: judgement.refusing.length === 0 ? placement : null };
}

/** Before its bytes are fetched: nothing that is there is ever overwritten by adding. */
async function demandFree({ disk, workspace: { root, lock } }: Publishing, folder: string): Promise<void> {
  if (!isFolderName(folder))
    throw new AppError(
      "usage.invalid",
      `the skill's folder would be named "${safeLine(folder)}"; it can only be lowercase letters, digits and single hyphens between them`,
    );
  const locked = lock.get(folder);
  if (locked !== undefined) throw lockedAlready(folder, locked);
  if ((await kindOf(disk.files, placeOf(root, folder))) !== undefined) throw alreadyThere(root, folder);
}

function lockedAlready(folder: string, locked: Locked): AppError {
  const [from, advice] = isExported(locked)
    ? [`a registry, where it is ${safeLine(locked.entry, 240)}`, "remove it there, or the folder here, first"]
    : [locked.source, `\`skillward update ${folder}\` brings it up to date`];
  return new AppError("record.exists", `${folder} is in ${lockFile} already, from ${from}; ${advice}`);
}
