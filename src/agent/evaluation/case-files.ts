import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import { limits } from "../../core/limits.ts";
import { safeLine } from "../../core/text.ts";
import type { Files, FileToPlace, Folders, TooLarge } from "../../core/world.ts";
import { pathFault } from "../../skill/bundle.ts";
import { findSkills } from "../../skill/find-skills.ts";
import { loadBundle, type SkillFolder } from "../../skill/load-bundle.ts";
import { skillsFolder } from "../../skill/agent-folders.ts";
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
    try {
      for (const file of await loadSkills(disk, posix.resolve(folder, named))) place(file, line);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push({ message: `skills: ${error.message}`, line });
    }
  }
  for (const { path, text } of files) place({ path, bytes: Buffer.from(text), executable: false }, 1);
  return { files: [...placed.values()], faults };
}

/** What could not be copied as it is would not be what is evaluated. */
async function loadSkills({ files, folders }: Disk, named: string): Promise<readonly FileToPlace[]> {
  const found = await findSkills(files, await files.resolve(named), { ...limits.walk, skills: mostSkills });
  const unseen = found.findings.find(({ code }) => code === "walk.bounds" || code === "folder.unreadable");
  if (unseen !== undefined) throw refused(named, unseen.message);
  if (found.folders.length === 0) throw refused(named, "no folder with a file named exactly SKILL.md");
  const placed: FileToPlace[] = [];
  for (const folder of found.folders) placed.push(...(await loadSkill({ files, folders }, folder)));
  return placed;
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

/** What a run of a case works in: folders of its own, gone afterwards. */
export interface CaseRoom {
  readonly workspace: string;
  readonly home: string;
  /** The bytes of a file as it is now; null: there is none. Nothing outside of the workspace is looked at. */
  read(path: string): Promise<Uint8Array | TooLarge | null>;
  /** The bytes that it began with; null: it was not there. */
  before(path: string): Uint8Array | null;
}

/** Makes a room with these files, lets `act` work in it, and takes it away however that ends. */
export async function withRoom<Result>(
  disk: Disk,
  files: readonly FileToPlace[],
  act: (room: CaseRoom) => Promise<Result>,
): Promise<Result> {
  const folder = await disk.folders.makeTemporary();
  try {
    const [workspace, home] = [posix.join(folder, "workspace"), posix.join(folder, "home")];
    await disk.folders.make(workspace, files);
    await disk.folders.make(home, []);
    return await act({
      workspace,
      home,
      read: (path) => readInside(disk.files, workspace, path),
      before: (path) => files.find((each) => each.path === path)?.bytes ?? null,
    });
  } finally {
    await disk.folders.remove(folder);
  }
}

/** As large as a file of a skill may be: what is larger is surely not what a case began with. */
const mostBytes = limits.skill.workspace.bundleBytes;

/** A run may have left links behind that lead anywhere. */
async function readInside(files: Files, workspace: string, path: string): Promise<Uint8Array | TooLarge | null> {
  const place = posix.join(workspace, path);
  try {
    if ((await files.resolve(place)) !== place) return null;
    return await files.read(place, mostBytes);
  } catch (error) {
    const isNone = error instanceof AppError && (error.code === "path.missing" || error.code === "path.wrong-kind");
    if (isNone) return null;
    throw error;
  }
}

export const caseEnding = ".case.yaml";

const skipped = new Set([".git", "node_modules"]);
const mostCases = 1000;
const { depth: deepest, folders: mostFolders, folderEntries } = limits.walk;

/**
 * The cases in a folder and all below it, or the one that was named; paths relative to the folder. A walk that cannot
 * see all of them is refused: what is left out would pass.
 */
export async function findCases(
  files: Files,
  named: string,
): Promise<{ readonly folder: string; readonly cases: readonly string[] }> {
  // Links are followed here, and only here: this is a path that a person named.
  const real = await files.resolve(named);
  if ((await files.kind(real)) !== "folder") {
    if (!real.endsWith(caseEnding)) throw notCases(named, `is no folder, and its name does not end in ${caseEnding}`);
    return { folder: posix.dirname(real), cases: [posix.basename(real)] };
  }
  const cases: string[] = [];
  const waiting = [{ inside: "", depth: 0 }];
  for (const { inside, depth } of waiting) {
    const { entries, complete } = await files.list(posix.join(real, inside), folderEntries);
    if (!complete || depth > deepest || waiting.length > mostFolders || cases.length > mostCases)
      throw notCases(
        named,
        `has more than is looked through for cases, at ${safeLine(inside, 120)}; name a smaller folder`,
      );
    for (const { name, kind } of entries) {
      const path = posix.join(inside, name);
      if (kind === "file" && name.endsWith(caseEnding)) cases.push(path);
      else if (kind === "link" && name.endsWith(caseEnding))
        throw notCases(named, `has a case that is a symbolic link, and none is followed: ${safeLine(path, 120)}`);
      else if (kind === "folder" && !skipped.has(name)) waiting.push({ inside: path, depth: depth + 1 });
    }
  }
  if (cases.length === 0) throw notCases(named, `has no file that ends in ${caseEnding}: nothing would be proven`);
  return { folder: real, cases: cases.toSorted() };
}

function notCases(path: string, why: string): AppError {
  return new AppError("usage.invalid", `${safeLine(path, 240)} ${why}`);
}
