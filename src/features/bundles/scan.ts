import { posix } from "node:path";
import type { Digest } from "../../core/digest.ts";
import { type Finding, isAtLeast, type Level, type Place } from "../../core/finding.ts";
import type { Files, FilesToWrite } from "../../core/world.ts";
import { skillFile } from "../../skill/bundle.ts";
import type { Capabilities } from "../../scan/capabilities.ts";
import { whyOf } from "../../scan/rules.ts";
import {
  type Accepted,
  acceptedKey,
  type BaselinePlace,
  findBaseline,
  loadBaseline,
  renderBaseline,
} from "./baseline.ts";
import { findAll, type NamedFolder, shownPath } from "./named-folders.ts";
import { type NamedFile, type Scanned, type SeenFinding, scanFile, scanFolder } from "./scanned.ts";

/** A finding as a scan reports it (RV-6): what, where, why it matters, and whether a person accepted it. */
export interface ScanFinding {
  readonly code: string;
  readonly level: Level;
  readonly message: string;
  /** Inside the skill's folder; of a finding about the set, as the path was named. */
  readonly at: Place;
  readonly excerpt: string | null;
  readonly decoded: string | null;
  readonly why: string | null;
  /** Of the bytes it is about: the file's, or the whole skill's where the path has none; null: it cannot be accepted. */
  readonly sha256: Digest | null;
  /** True: the baseline accepts it for exactly these bytes, so it does not fail. */
  readonly baseline: boolean;
}

export interface ScannedSkill {
  readonly path: string;
  /** `file`: one that was named by itself and is scanned by itself. */
  readonly kind: "skill" | "file";
  readonly name: string;
  readonly digest: Digest | null;
  readonly findings: readonly ScanFinding[];
  readonly capabilities: Capabilities;
}

/** Open findings by level; `failing` of them are at or above `failOn`. Accepted ones are counted apart. */
type ScanCounts = Readonly<Record<Level | "failing" | "accepted", number>>;

export interface ScanReport {
  readonly passes: boolean;
  readonly failOn: Level;
  readonly skills: readonly ScannedSkill[];
  /** About the set: folders that could not be read, links that were not followed. */
  readonly findings: readonly ScanFinding[];
  readonly counts: ScanCounts;
  /** How many findings the baseline has that was written; null without `write`. */
  readonly written: number | null;
}

export interface ScanOptions {
  readonly failOn?: Level;
  /** A file of accepted findings. `write`: accept what is found now. */
  readonly baseline?: { readonly file: string; readonly write: boolean };
  readonly onProgress?: (done: number, total: number) => void;
}

/** Scans every skill and file that was named (RV-6). Rejects only for a path or a baseline that cannot be used. */
export async function scan(
  files: Files & FilesToWrite,
  paths: readonly string[],
  { failOn = "high", baseline, onProgress }: ScanOptions = {},
): Promise<ScanReport> {
  const place = baseline === undefined ? null : await findBaseline(files, baseline.file);
  const before = baseline === undefined || place === null ? [] : await acceptedBefore(files, place, baseline);
  const named = await findNamed(files, paths);
  const scanned = await scanAll(files, named, place?.path ?? null, onProgress);
  if (place === null || baseline?.write !== true) return reportOf(scanned, named.findings, failOn, place, before);
  const accepted = acceptedNow(scanned, named.roots, place, before);
  await files.write(place.path, Buffer.from(renderBaseline(accepted)));
  return { ...reportOf(scanned, named.findings, failOn, place, accepted), written: accepted.length };
}

async function acceptedBefore(
  files: Files,
  place: BaselinePlace,
  { file, write }: NonNullable<ScanOptions["baseline"]>,
): Promise<readonly Accepted[]> {
  // What is there and is no baseline is refused also when it would be written: it is somebody else's file.
  return write && !place.isThere ? [] : await loadBaseline(files, place, file);
}

interface Named {
  readonly folders: readonly NamedFolder[];
  readonly alone: readonly NamedFile[];
  readonly findings: readonly Finding[];
  /** The real paths of what was named: everything below them was looked at. */
  readonly roots: readonly string[];
}

async function findNamed(files: Files, paths: readonly string[]): Promise<Named> {
  const alone = new Map<string, NamedFile>();
  const [inFolders, roots]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const real = await files.resolve(path);
    const isSkillFile = posix.basename(real) === skillFile;
    if (isSkillFile || (await files.kind(real)) !== "file") inFolders.push(path);
    else if (!alone.has(real)) alone.set(real, { path: real, shown: shownPath(path) });
    roots.push(isSkillFile ? posix.dirname(real) : real);
  }
  return { ...(await findAll(files, inFolders)), alone: [...alone.values()], roots };
}

async function scanAll(
  files: Files,
  { folders, alone }: Named,
  aside: string | null,
  onProgress: ScanOptions["onProgress"],
): Promise<readonly Scanned[]> {
  const scanned: Scanned[] = [];
  const total = folders.length + alone.length;
  const add = (each: Scanned) => {
    scanned.push(each);
    onProgress?.(scanned.length, total);
  };
  for (const folder of folders) add(await scanFolder(files, folder, aside));
  for (const file of alone) add(await scanFile(files, file));
  return scanned;
}

/** Everything that was found now, and what the baseline says of places that were not looked at this time. */
function acceptedNow(
  scanned: readonly Scanned[],
  roots: readonly string[],
  { folder }: BaselinePlace,
  before: readonly Accepted[],
): readonly Accepted[] {
  const isElsewhere = ({ file }: Accepted) => !roots.some((root) => isBelow(posix.join(folder, file), root));
  const found = scanned.flatMap(({ seen }) => seen.flatMap((each) => acceptableAs(each, folder) ?? []));
  const unique = new Map([...before.filter(isElsewhere), ...found].map((each) => [acceptedKey(each), each]));
  return [...unique.values()];
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}

/** Without bytes to hold it to, a finding cannot be accepted: it would be accepted for good. */
function acceptableAs({ finding, file, sha256 }: SeenFinding, folder: string): Accepted | undefined {
  if (file === null || sha256 === null) return undefined;
  return { file: posix.relative(folder, file), sha256, code: finding.code };
}

function reportOf(
  scanned: readonly Scanned[],
  about: readonly Finding[],
  failOn: Level,
  place: BaselinePlace | null,
  accepted: readonly Accepted[],
): ScanReport {
  const keys = new Set(accepted.map(acceptedKey));
  const isAccepted = (seen: SeenFinding) => {
    const as = place === null ? undefined : acceptableAs(seen, place.folder);
    return as !== undefined && keys.has(acceptedKey(as));
  };
  const skills = scanned.map(({ seen, path, kind, name, digest, capabilities }) => {
    const findings = seen.map((each) => shown(each, isAccepted(each)));
    return { path, kind, name, digest, findings, capabilities };
  });
  const findings = about.map((finding) => shown({ finding, file: null, sha256: null }, false));
  const counts = countsOf([...findings, ...skills.flatMap((skill) => skill.findings)], failOn);
  // A gate that looked at nothing must not pass, however little it asks for.
  const passes = counts.failing === 0 && skills.length > 0;
  return { passes, failOn, skills, findings, counts, written: null };
}

function shown({ finding, sha256 }: SeenFinding, baseline: boolean): ScanFinding {
  const { code, level, message, at, excerpt = null, decoded = null } = finding;
  return { code, level, message, at, excerpt, decoded, why: whyOf(code) ?? null, sha256, baseline };
}

function countsOf(findings: readonly ScanFinding[], failOn: Level): ScanCounts {
  const open = findings.filter(({ baseline }) => !baseline);
  const of = (level: Level) => open.filter((each) => each.level === level).length;
  return {
    critical: of("critical"),
    high: of("high"),
    medium: of("medium"),
    low: of("low"),
    info: of("info"),
    failing: open.filter(({ level }) => isAtLeast(level, failOn)).length,
    accepted: findings.length - open.length,
  };
}
