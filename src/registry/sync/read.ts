import type { Digest, FileDigest } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { Bundle } from "../../skill/bundle.ts";
import { readFolder } from "../../sources/folder.ts";
import { readMarketplace } from "../../sources/marketplace/read-marketplace.ts";
import { readRepo } from "../../sources/read-repo.ts";
import type { AskedPin, RemoteReading } from "../../sources/read-skills.ts";
import type { OnProgress, Provenance, ReadingEnd, SeenSkill } from "../../sources/reading.ts";
import type { Source, SyncBounds } from "../../sources/schema.ts";
import { readLoading } from "../entry.ts";
import type { Look } from "../registry.ts";
import { demandIntactRemote } from "../source-seal.ts";
import type { HeldLock } from "./lock.ts";
import { pinFindings, RollbackJudge, withoutPinFindings } from "./pins.ts";
import { knownEntries, type KnownEntry } from "./plan.ts";
import type { SyncContext } from "./port.ts";
import { openRemote, openToken, repositoryOf } from "./remote.ts";
import { createRevisions, putUnlessNewer } from "./revisions.ts";

export interface SyncOptions {
  /** From now on it is the one sync of its source: whoever is refused is never told of (IN-15). */
  readonly onBegin?: () => void;
  readonly onProgress?: OnProgress;
  /** Writes every revision again, also those that are kept already: heals rows that were changed by hand. */
  readonly repair?: boolean | undefined;
  /** Where the source stands, where that was asked a moment ago: it is not asked again. */
  readonly asked?: AskedPin | null;
  /** Ends it: what it has read by then was nobody's yet. */
  readonly signal?: AbortSignal | undefined;
}

/** What a source was seen to hold. The bytes of what is new are in the store, or will be after `keep`. */
export interface SourceReading extends ReadingEnd {
  readonly skills: readonly SkillReading[];
  /** Writes the revisions that are still waiting. */
  keep(): Promise<void>;
}

interface SkillReading {
  readonly path: string;
  /** Null: it is there, but could not be read as a whole. */
  readonly digest: Digest | null;
  /** JSON of the findings of loading it. */
  readonly loading: string;
  /** Null: none of its bytes were read, they are those of before. */
  readonly files: readonly FileDigest[] | null;
  readonly provenance: Provenance | null;
  /** Whether that is another commit than was known of it. */
  readonly isNews: boolean;
}

type WholeBundle = Bundle & { readonly digest: Digest };

/** So much is held before it is written. A kept revision is whole, and nobody's until an entry names it. */
const batchBytes = 4 * 1024 * 1024;

export async function readSource(
  context: SyncContext,
  source: Source,
  lock: HeldLock,
  look: Look,
  { onProgress = () => {}, repair = false, asked = null, signal }: SyncOptions,
): Promise<SourceReading> {
  const { known, isDoubtful } = await knownEntries(context, source.id);
  const reader = new SourceReader(context, known, repair, lock);
  const about = { sets: context.remote.hostSets, ledger: look.facts.ledger, source: source.id, known };
  const rollbacks = new RollbackJudge(about);
  const judge: RemoteReading["judge"] = (github, path, from) => rollbacks.judge(github, path, from);
  const before = { known, isRepair: repair || isDoubtful, asked, judge, beat: () => lock.beat() };
  const remote = source.kind === "folder" ? null : await remoteReading(context, source, before, signal);
  const reading = readKind(context, source, remote, onProgress);
  const take = async (seen: SeenSkill) => {
    signal?.throwIfAborted();
    reader.take(seen);
    await lock.beat();
    // Nothing is written before the fingerprint is known to be right (IN-22).
    if (source.expectedFingerprint === null && reader.waitingBytes > batchBytes) await reader.keep();
  };
  return reader.end(await overAll(reading, take), rollbacks.general);
}

/** Acts on all that is seen, and hands out what the reading says at its end. However it ends, the reading is closed. */
async function overAll(
  reading: AsyncGenerator<SeenSkill, ReadingEnd>,
  act: (seen: SeenSkill) => Promise<void>,
): Promise<ReadingEnd> {
  try {
    for (let step = await reading.next(); ; step = await reading.next()) {
      if (step.done === true) return step.value;
      await act(step.value);
    }
  } finally {
    await reading.return(nothing);
  }
}

const nothing: ReadingEnd = {
  unvisited: [],
  findings: [],
  files: 0,
  bytes: 0,
  requests: 0,
  limitedUntil: null,
  remote: null,
};

function readKind(
  context: SyncContext,
  source: Source,
  remote: RemoteReading | null,
  onProgress: OnProgress,
): AsyncGenerator<SeenSkill, ReadingEnd> {
  if (remote === null) return readFolder(context, source.url, { bounds: boundsOf(context, source), onProgress });
  const sets = context.remote.hostSets;
  const repository = repositoryOf(source, sets);
  if (source.kind === "marketplace") return readMarketplace(remote, source, { repository, sets }, onProgress);
  return readRepo(remote, source, repository, onProgress);
}

function boundsOf({ bounds }: SyncContext, source: Source): SyncBounds {
  return source.bounds ?? bounds;
}

async function remoteReading(
  context: SyncContext,
  source: Source,
  before: Pick<RemoteReading, "known" | "isRepair" | "asked" | "judge" | "beat">,
  signal: AbortSignal | undefined,
): Promise<RemoteReading> {
  const { remote, kept, keys, clock } = context;
  demandIntactRemote(keys, source);
  const repository = repositoryOf(source, remote.hostSets);
  const secret = await openToken(kept.read, keys, source);
  const token = secret === null ? null : { secret, repository, forOwner: source.tokenForOwner };
  return {
    clock,
    ...before,
    open: await openRemote(remote, token, signal),
    bounds: boundsOf(context, source),
    skip: remote.skip,
    // IN-22: the fingerprint is over the bytes of all files.
    readsAll: before.isRepair || source.expectedFingerprint !== null,
  };
}

type Seen = Omit<SkillReading, "loading"> & { readonly loading: readonly Finding[]; readonly pin: readonly Finding[] };

/** Takes in what is seen, one skill after the other. */
class SourceReader {
  waitingBytes = 0;
  readonly #context: SyncContext;
  readonly #known: ReadonlyMap<string, KnownEntry>;
  readonly #repair: boolean;
  readonly #lock: HeldLock;
  readonly #waiting: WholeBundle[] = [];
  readonly #seen: Seen[] = [];

  constructor(context: SyncContext, known: ReadonlyMap<string, KnownEntry>, repair: boolean, lock: HeldLock) {
    this.#context = context;
    this.#lock = lock;
    this.#known = known;
    this.#repair = repair;
  }

  take({ path, bundle, provenance, pin }: SeenSkill): void {
    const known = this.#known.get(path);
    if (bundle === null) {
      const loading = withoutPinFindings(this.#loadingOf(known));
      const isNews = provenance?.commit !== known?.provenance?.commit;
      this.#seen.push({ path, digest: known?.digest ?? null, loading, files: null, provenance, pin, isNews });
      return;
    }
    const files = bundle.files.map((file) => ({ path: file.path, digest: file.digest }));
    this.#seen.push({ path, digest: bundle.digest, loading: bundle.findings, files, provenance, pin, isNews: true });
    if (isWhole(bundle) && (this.#repair || known?.digest !== bundle.digest)) {
      this.#waiting.push(bundle);
      this.waitingBytes += bundle.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    }
  }

  async keep(): Promise<void> {
    this.waitingBytes = 0;
    await keepRevisions(this.#context, this.#waiting.splice(0), this.#repair, this.#lock);
  }

  end(end: ReadingEnd, general: readonly Finding[]): SourceReading {
    const skills = this.#seen.map(({ pin, loading, ...skill }) => {
      const known = this.#known.get(skill.path);
      const isChanged = known?.digest !== skill.digest;
      const said = pinFindings(pin, isChanged, this.#loadingOf(known));
      return { ...skill, loading: JSON.stringify([...loading, ...said]) };
    });
    return { ...end, findings: [...end.findings, ...general], skills, keep: () => this.keep() };
  }

  #loadingOf(known: KnownEntry | undefined): readonly Finding[] {
    return (known && readLoading(this.#context.keys, known.entry)) ?? [];
  }
}

function isWhole(bundle: Bundle): bundle is WholeBundle {
  return bundle.digest !== null;
}

/** RV-2: by digest; identical files once. What was repaired must be read again by every process. */
async function keepRevisions(
  context: SyncContext,
  bundles: readonly WholeBundle[],
  repair: boolean,
  lock: HeldLock,
): Promise<void> {
  if (bundles.length === 0) return;
  const revisions = await createRevisions(context, bundles, lock);
  const blobs = new Map(bundles.flatMap(({ files }) => files.map(({ digest, bytes }) => [digest, bytes])));
  await context.kept.transaction(async (port) => {
    await putUnlessNewer(port, context.keys, revisions, blobs);
    if (repair) await port.raiseGeneration();
  });
}
