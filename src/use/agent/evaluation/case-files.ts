import { posix } from "node:path";
import { AppError } from "../../../base/error.ts";
import { limits } from "../../../base/limits.ts";
import { safeLine } from "../../../base/text.ts";
import type { Files, FileToPlace, Folders } from "../../../base/world.ts";
import { pathFault } from "../../../ingest/skill/bundle.ts";
import { findSkills } from "../../../ingest/skill/find-skills.ts";
import { loadBundle, type SkillFolder } from "../../../ingest/skill/load-bundle.ts";
import { skillsFolder } from "../../publish/agents.ts";
import type { SkillCase } from "./skill-case.ts";

interface Disk {
  readonly files: Files;
  readonly folders: Folders;
}

/** Why a case cannot have the files that it asks for. */
export interface FileFault {
  readonly message: string;
  readonly line: number;
}

/** More skills than an agent is judged by. */
const mostSkills = 200;

/** All that lies in the workspace of a case before it begins: its skills where a project keeps them, and its files. */
export async function loadCaseFiles(
  disk: Disk,
  { skills, files }: SkillCase,
  folder: string,
): Promise<{ readonly files: readonly FileToPlace[]; readonly faults: readonly FileFault[] }> {
  const faults: FileFault[] = [];
  const placed = new Map<string, FileToPlace>();
  const place = (file: FileToPlace, line: number) => {
    if (placed.has(file.path)) faults.push({ message: `two files would be ${safeLine(file.path, 160)}`, line });
    placed.set(file.path, file);
  };
  for (const { folder: named, line } of skills) {
    const read = await orFault(line, () => loadSkills(disk, posix.resolve(folder, named)));
    if ("message" in read) faults.push(read);
    else for (const file of read.files) place(file, line);
  }
  for (const { path, text } of files) place({ path, bytes: Buffer.from(text), executable: false }, 1);
  return { files: [...placed.values()], faults };
}

async function orFault<Read>(line: number, read: () => Promise<Read>): Promise<Read | FileFault> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { message: `skills: ${error.message}`, line };
  }
}

/** What could not be copied as it is would not be what is evaluated. */
async function loadSkills(
  { files, folders }: Disk,
  named: string,
): Promise<{ readonly files: readonly FileToPlace[] }> {
  const found = await findSkills(files, await files.resolve(named), { ...limits.walk, skills: mostSkills });
  const unseen = found.findings.find(({ code }) => code === "walk.bounds" || code === "folder.unreadable");
  if (unseen !== undefined) throw refused(named, unseen.message);
  if (found.folders.length === 0) throw refused(named, "no folder with a file named exactly SKILL.md");
  const placed: FileToPlace[] = [];
  for (const folder of found.folders) placed.push(...(await loadSkill({ files, folders }, folder)));
  return { files: placed };
}

async function loadSkill({ files, folders }: Disk, skill: SkillFolder): Promise<readonly FileToPlace[]> {
  const bundle = await loadBundle(files, skill, limits.skill.workspace);
  const fault = bundle.findings[0] ?? pathFault(bundle.folder);
  if (fault !== undefined) throw refused(skill.path, `${fault.at.file}: ${fault.message}`);
  const placed: FileToPlace[] = [];
  for (const { path, bytes } of bundle.files) {
    const executable = await folders.isExecutable(posix.join(skill.path, path));
    placed.push({ path: posix.join(skillsFolder, bundle.folder, path), bytes, executable });
  }
  return placed;
}

function refused(path: string, why: string): AppError {
  return new AppError("usage.invalid", `${safeLine(path, 160)}: ${why}`);
}
