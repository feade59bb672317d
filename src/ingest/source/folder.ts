import { ahead } from "../../base/ahead.ts";
import type { Finding } from "../../base/finding.ts";
import { limits } from "../../base/limits.ts";
import { safeLine } from "../../base/text.ts";
import type { Clock, Files } from "../../base/world.ts";
import type { Bundle } from "../skill/bundle.ts";
import { finding } from "../skill/faults.ts";
import { findSkills } from "../skill/find-skills.ts";
import { loadBundle, type SkillFolder } from "../skill/load-bundle.ts";
import type { SyncBounds } from "./source.ts";

/** One skill a source was seen to have. Without a digest it is there, but could not be read as a whole. */
export interface SeenSkill {
  /** Inside the source, with `/`; empty for the root. */
  readonly path: string;
  readonly bundle: Bundle;
}

/** What reading a source tells at its end. */
export interface ReadingEnd {
  /** Paths below which nothing is known: no entry there may be taken for gone (IN-16, IN-21). */
  readonly unvisited: readonly string[];
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly bytes: number;
}

export interface ReadFolderOptions {
  readonly bounds: SyncBounds;
  readonly onProgress: (done: number, total: number) => void;
}

/** Reads the skills of a folder, one after the other and within bounds; rejects when there is no such folder. */
export async function* readFolder(
  { files, clock }: { readonly files: Files; readonly clock: Clock },
  root: string,
  { bounds, onProgress }: ReadFolderOptions,
): AsyncGenerator<SeenSkill, ReadingEnd> {
  const started = clock.now();
  // A folder that is gone or cannot be looked into is an error, never an empty source (IN-21).
  await files.list(root, 1);
  const found = await findSkills(files, root, walkLimits(bounds));
  const findings = found.findings.map((each) => relativeTo(root, each));
  const unvisited = findings.filter(hidesSkills).map(({ code, at }) => (code === "walk.bounds" ? "" : at.file));
  const tooLong = found.folders.map((folder) => pathIn(root, folder.path)).filter(isTooLong);
  findings.push(...tooLong.map(unnameable));
  unvisited.push(...tooLong);
  const folders = found.folders.filter((folder) => !isTooLong(pathIn(root, folder.path)));
  const read = { files: 0, bytes: 0 };
  let done = 0;
  const load = async (folder: SkillFolder) => ({
    path: pathIn(root, folder.path),
    bundle: await loadBundle(files, folder, limits.skill.ingest),
  });
  for await (const seen of ahead(folders, loadedAhead, load)) {
    onProgress(done, folders.length);
    read.files += seen.bundle.files.length;
    read.bytes += sizeOf(seen.bundle);
    const bound = boundReached(bounds, { ...read, seconds: (clock.now() - started) / 1000 });
    if (bound !== undefined) {
      findings.push(bounded(bound, done, folders.length));
      unvisited.push(...folders.slice(done).map((rest) => pathIn(root, rest.path)));
      break;
    }
    done++;
    yield seen;
  }
  onProgress(folders.length, folders.length);
  return { unvisited, findings, ...read };
}

/** Reading waits for the disk most of the time. */
const loadedAhead = 8;

/** As many skills as there may be files, since each has one; folders in proportion. */
function walkLimits({ files }: SyncBounds) {
  return { ...limits.walk, skills: files, folders: Math.max(limits.walk.folders, files * 4) };
}

/** IN-16: the bound that a skill goes beyond, if one; then it is not taken in, and nothing after it. */
function boundReached(bounds: SyncBounds, read: SyncBounds): string | undefined {
  if (read.files > bounds.files) return `${bounds.files} files`;
  if (read.bytes > bounds.bytes) return `${bounds.bytes} bytes`;
  return read.seconds > bounds.seconds ? `${bounds.seconds} seconds` : undefined;
}

function sizeOf({ files }: Bundle): number {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** An entry is found by its path, and the engines' indexes hold keys of about 2,000 bytes. */
const longestPath = 1024;

function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > longestPath;
}

function unnameable(path: string): Finding {
  return finding("path.unsafe", `a path of more than ${longestPath} bytes; not taken in`, safeLine(path));
}

function hidesSkills(seen: Finding): boolean {
  return seen.code === "walk.bounds" || seen.code === "folder.unreadable";
}

function bounded(bound: string, done: number, total: number): Finding {
  return finding(
    "walk.bounds",
    `more than ${bound}; ${done} of ${total} skills were read, the rest stays as it is`,
    ".",
  );
}

function relativeTo(root: string, seen: Finding): Finding {
  return { ...seen, at: { ...seen.at, file: pathIn(root, seen.at.file) } };
}

function pathIn(root: string, path: string): string {
  return path === root ? "" : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
