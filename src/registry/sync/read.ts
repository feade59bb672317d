import type { Digest, FileDigest } from "../../base/digest.ts";
import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import { pages } from "../../base/pages.ts";
import type { Bundle } from "../../ingest/skill/bundle.ts";
import { readFolder } from "../../ingest/source/folder.ts";
import type { Source } from "../../ingest/source/source.ts";
import type { Entry } from "../entry.ts";
import type { RegistryReads } from "../port.ts";
import { createRevision } from "../revision.ts";
import type { SyncContext } from "./context.ts";
import type { HeldLock } from "./lock.ts";

export interface SyncOptions {
  readonly onProgress?: (done: number, total: number) => void;
  /** Writes every revision again, also those that are kept already: heals rows that were changed by hand. */
  readonly repair?: boolean;
}

/** What a source was seen to hold. The bytes of what is new are in the store, or will be after `keep`. */
export interface SourceReading {
  readonly skills: readonly SkillReading[];
  readonly unvisited: readonly string[];
  readonly findings: readonly Finding[];
  readonly bytes: number;
  /** Writes the revisions that are still waiting. */
  keep(): Promise<void>;
}

interface SkillReading {
  readonly path: string;
  /** Null: it is there, but could not be read as a whole. */
  readonly digest: Digest | null;
  /** JSON of the findings of loading it. */
  readonly loading: string;
  readonly files: readonly FileDigest[];
}

type WholeBundle = Bundle & { readonly digest: Digest };

/** So much is held before it is written. A kept revision is whole, and nobody's until an entry names it. */
const batchBytes = 4 * 1024 * 1024;

export async function readSource(
  context: SyncContext,
  source: Source,
  lock: HeldLock,
  { onProgress = () => {}, repair = false }: SyncOptions,
): Promise<SourceReading> {
  const known = repair ? new Map<string, Digest>() : await digestsByPath(context.kept.read, source.id);
  // Nothing is written before the fingerprint is known to be right (IN-22).
  const mayKeep = source.expectedFingerprint === null;
  const waiting: WholeBundle[] = [];
  let waitingBytes = 0;
  const keep = async () => {
    waitingBytes = 0;
    await keepRevisions(context, waiting.splice(0), repair);
  };
  const skills: SkillReading[] = [];
  const reading = readKind(context, source, onProgress);
  for (let step = await reading.next(); ; step = await reading.next()) {
    if (step.done === true) return { skills, ...step.value, keep };
    const { path, bundle } = step.value;
    skills.push({
      path,
      digest: bundle.digest,
      loading: JSON.stringify(bundle.findings),
      files: bundle.files.map((file) => ({ path: file.path, digest: file.digest })),
    });
    if (isWhole(bundle) && known.get(path) !== bundle.digest) {
      waiting.push(bundle);
      waitingBytes += bundle.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    }
    await lock.beat();
    if (mayKeep && waitingBytes > batchBytes) await keep();
  }
}

function readKind(context: SyncContext, source: Source, onProgress: (done: number, total: number) => void) {
  const bounds = source.bounds ?? context.bounds;
  if (source.kind === "folder") return readFolder(context, source.url, { bounds, onProgress });
  throw new AppError("usage.invalid", `a source of the kind ${source.kind} cannot be synced by this version`);
}

async function digestsByPath(port: RegistryReads, source: string): Promise<ReadonlyMap<string, Digest>> {
  const digests = new Map<string, Digest>();
  for (const { path, present, current } of await entriesOf(port, source)) if (present) digests.set(path, current);
  return digests;
}

export async function entriesOf(port: RegistryReads, source: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const read = (after: string) => port.listEntries({ source, after, limit: 5000 });
  for await (const some of pages(read, "", ({ id }) => id)) for (const entry of some) entries.push(entry);
  return entries;
}

function isWhole(bundle: Bundle): bundle is WholeBundle {
  return bundle.digest !== null;
}

/** RV-2: by digest; identical files once. What was repaired must be read again by every process. */
async function keepRevisions(
  { kept, keys }: SyncContext,
  bundles: readonly WholeBundle[],
  repair: boolean,
): Promise<void> {
  if (bundles.length === 0) return;
  const revisions = new Map(bundles.map((bundle) => [bundle.digest, createRevision(bundle, keys)]));
  const blobs = new Map(bundles.flatMap(({ files }) => files.map(({ digest, bytes }) => [digest, bytes])));
  await kept.transaction(async (port) => {
    await port.putRevisions([...revisions.values()], blobs);
    if (repair) await port.raiseGeneration();
  });
}
