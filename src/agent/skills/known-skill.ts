import { type Digest, setDigest, sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { limits } from "../../core/limits.ts";
import { safeLine } from "../../core/text.ts";
import type { Clock, Files, Stamp } from "../../core/world.ts";
import { type Bundle, contractFile, createBundle, scopeFile, skillFile } from "../../skill/bundle.ts";
import { finding } from "../../skill/faults.ts";
import { type BundleSurvey, bundleName, type SkillFolder, surveyBundle } from "../../skill/load-bundle.ts";
import type { RootSkill } from "./agent-skill.ts";
import { factsOf } from "./open-skill.ts";
import type { SkillPlace } from "./walk-root.ts";

/** A skill as it was read. Its facts are kept and not its bytes: of a file that changes, the digest is enough to know the new whole. */
export interface KnownSkill {
  readonly skill: RootSkill;
  readonly at: SkillFolder;
  readonly files: ReadonlyMap<string, KnownFile>;
  /** Bytes of all its files. */
  readonly size: number;
  /** The folders inside its own, as whole paths. */
  readonly folders: readonly string[];
  /** What was seen of it without reading: when that differs, so does the skill. */
  readonly shape: string;
}

interface KnownFile extends SeenFile {
  /** Null when it could not be read. */
  readonly digest: Digest | null;
  readonly fault: Finding | null;
}

/** The files whose bytes say what a skill is; of all others only the digest counts. */
const readForMeaning = new Set([skillFile, scopeFile, contractFile]);

const bounds = limits.skill.workspace;

interface World {
  readonly files: Files;
  readonly clock: Clock;
}

/** A skill as it is now. Only files that are not known to be the same are read. */
export async function readSkill(
  world: World,
  source: string,
  place: SkillPlace,
  before: KnownSkill | undefined,
): Promise<KnownSkill> {
  const { path: folder } = place.folder;
  const bytes = new Map<string, Uint8Array>();
  // One of which nothing is known is to be read in any case: at once, while it is open.
  const see = async (full: string, most: number, path: string): Promise<SeenInSurvey> =>
    before?.files.has(path) === true
      ? { stamp: await world.files.stamp(full), read: null }
      : await readFile(world, full, most, path, bytes);
  const survey = await surveyBundle(world.files, place.folder, bounds, see, place.listed);
  const shape = JSON.stringify([survey.complete, survey.files.map(([path]) => path), survey.findings]);
  const changed = survey.files.filter(([path, { stamp }]) => !isSameFile(before?.files.get(path), stamp));
  const isMeant = before?.shape !== shape || changed.some(([path]) => readForMeaning.has(path));
  if (before !== undefined && !isMeant && changed.length === 0) return before;

  const files = new Map<string, KnownFile>();
  for (const [path, { stamp, read }] of survey.files) {
    const known = before?.files.get(path);
    const isKept = known !== undefined && isSameFile(known, stamp) && !(isMeant && readForMeaning.has(path));
    files.set(path, read ?? (isKept ? known : await readAgain(world, `${folder}/${path}`, stamp, path, bytes)));
  }
  const bundle = bundleOf(place, survey, files, bytes);
  return {
    skill:
      isMeant || before === undefined
        ? factsOf(source, place.path, folder, bundle)
        : { ...before.skill, digest: bundle.digest },
    at: place.folder,
    files,
    size: survey.files.reduce((sum, [, { stamp }]) => sum + stamp.size, 0),
    folders: survey.folders.map((inside) => (inside === "" ? folder : `${folder}/${inside}`)),
    shape,
  };
}

interface SeenInSurvey {
  readonly stamp: Stamp;
  /** Null when it was not read. */
  readonly read: KnownFile | null;
}

/** Keeps the digest, and in `bytes` what has a meaning. */
async function readFile(
  { files, clock }: World,
  full: string,
  most: number,
  path: string,
  bytes: Map<string, Uint8Array>,
): Promise<SeenInSurvey> {
  const now = clock.now();
  const { stamp, bytes: all } = await files.readStamped(full, most);
  if (all === null) return { stamp, read: null };
  if (readForMeaning.has(path)) bytes.set(path, all);
  return { stamp, read: { ...seenAt(stamp, now), digest: sha256(all), fault: null } };
}

async function readAgain(
  world: World,
  full: string,
  stamp: Stamp,
  path: string,
  bytes: Map<string, Uint8Array>,
): Promise<KnownFile> {
  const seen = seenAt(stamp, world.clock.now());
  try {
    const { read } = await readFile(world, full, stamp.size, path, bytes);
    if (read === null) throw new AppError("disk.failed", `grew while it was read: ${safeLine(full)}`);
    return read;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fault = finding("path.unreadable", `${error.message}; left out`, safeLine(path));
    return { ...seen, digest: null, fault };
  }
}

/** The bundle as far as it is parsed: what is not read for its meaning has its digest and no bytes. */
function bundleOf(
  place: SkillPlace,
  survey: BundleSurvey<unknown>,
  files: ReadonlyMap<string, KnownFile>,
  bytes: ReadonlyMap<string, Uint8Array>,
): Bundle {
  const readable = [...files].filter(([, { digest }]) => digest !== null);
  const faults = [...files.values()].flatMap(({ fault }) => (fault === null ? [] : [fault]));
  const bare = createBundle(
    bundleName(place.folder),
    readable.map(([path]) => [path, bytes.get(path) ?? new Uint8Array()]),
    { findings: [...survey.findings, ...faults], complete: survey.complete },
  );
  if (readable.every(([path]) => bytes.has(path))) return bare;
  const whole = bare.files.map((file) => ({ ...file, digest: files.get(file.path)?.digest ?? file.digest }));
  return { ...bare, files: whole, digest: bare.digest === null ? null : setDigest(whole) };
}

/** A file as it was when it was read. */
export interface SeenFile {
  readonly mark: string;
  /** Whether a later write must have another mark. */
  readonly isSettled: boolean;
}

/** Disks count time in ticks, the coarsest of two seconds: what was written a moment ago may be written once more within the same. */
const longestTick = 2_000;

/** Both from before the reading: of what is written in between, the next stamp tells. */
export function seenAt({ mark, changedAt }: Stamp, now: number): SeenFile {
  return { mark, isSettled: now - changedAt >= longestTick };
}

/** Whether its bytes are those that were read. */
export function isSameFile(before: SeenFile | undefined, { mark }: Stamp): boolean {
  return before?.isSettled === true && before.mark === mark;
}
