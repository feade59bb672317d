import { ahead } from "../core/async.ts";
import type { Finding } from "../core/finding.ts";
import { limits } from "../core/limits.ts";
import type { Clock, Files } from "../core/world.ts";
import { findSkills } from "../skill/find-skills.ts";
import { loadBundle, type SkillFolder } from "../skill/load-bundle.ts";
import { boundFinding, boundReached, isTooLong, pathTooLong } from "./bounds.ts";
import type { OnProgress, ReadingEnd, ReadSkill } from "./reading.ts";
import type { SyncBounds } from "./schema.ts";

export interface ReadFolderOptions {
  readonly bounds: SyncBounds;
  readonly onProgress: OnProgress;
}

/** Reads the skills of a folder, one after the other and within bounds; rejects when there is no such folder. */
export async function* readFolder(
  { files, clock }: { readonly files: Files; readonly clock: Clock },
  root: string,
  { bounds, onProgress }: ReadFolderOptions,
): AsyncGenerator<ReadSkill, ReadingEnd> {
  const started = clock.now();
  // A folder that is gone or cannot be looked into is an error, never an empty source (IN-21).
  await files.list(root, 1);
  const found = await findSkills(files, root, walkLimits(bounds));
  const findings = found.findings.map((each) => relativeTo(root, each));
  const unvisited = findings
    .filter((seen) => seen.code === "walk.bounds" || seen.code === "folder.unreadable")
    .map(({ code, at }) => (code === "walk.bounds" ? "" : at.file));
  const tooLong = found.folders.map((folder) => pathIn(root, folder.path)).filter(isTooLong);
  findings.push(...tooLong.map(pathTooLong));
  unvisited.push(...tooLong);
  const folders = found.folders.filter((folder) => !isTooLong(pathIn(root, folder.path)));
  const read = { files: 0, bytes: 0 };
  let done = 0;
  const progress = (count: number) =>
    onProgress({ done: count, total: folders.length, of: "skills", bytes: read.bytes, left: null });
  const load = async (folder: SkillFolder) => ({
    path: pathIn(root, folder.path),
    bundle: await loadBundle(files, folder, limits.skill.ingest),
    provenance: null,
    pin: [],
  });
  for await (const seen of ahead(folders, loadedAhead, load)) {
    progress(done);
    read.files += seen.bundle.files.length;
    read.bytes += seen.bundle.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const bound = boundReached(bounds, { ...read, seconds: (clock.now() - started) / 1000 });
    if (bound !== undefined) {
      findings.push(boundFinding(bound, done, folders.length));
      unvisited.push(...folders.slice(done).map((rest) => pathIn(root, rest.path)));
      break;
    }
    done++;
    yield seen;
  }
  progress(folders.length);
  return { unvisited, findings, ...read, requests: 0, limitedUntil: null, remote: null };
}

/** Reading waits for the disk most of the time. */
const loadedAhead = 8;

/** As many skills as there may be files, since each has one; folders in proportion. */
function walkLimits({ files }: SyncBounds) {
  return { ...limits.walk, skills: files, folders: Math.max(limits.walk.folders, files * 4) };
}

function relativeTo(root: string, seen: Finding): Finding {
  return { ...seen, at: { ...seen.at, file: pathIn(root, seen.at.file) } };
}

function pathIn(root: string, path: string): string {
  return path === root ? "" : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
