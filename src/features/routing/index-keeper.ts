import type { Contexts } from "../../app/app.ts";
import type { Digest } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { Thread, Threads, Timer } from "../../core/world.ts";
import type { Snapshot, UsableEntry } from "../../registry/snapshot.ts";
import { decodeIndex, encodeIndex } from "../../routing/index/file.ts";
import { createIndex, type SegmentedIndex, withChanges } from "../../routing/index/segmented-index.ts";
import { type RouteCode, routeFinding } from "../../routing/route-faults.ts";
import { type Indexed, indexSkills, type RawSkill } from "./index-job.ts";
import { readRawSkills } from "./embedding.ts";

type KeeperContexts = Pick<Contexts, "kept" | "keys" | "world">;

/** So many skills go to the thread at a time: as many as make a part of the index that need not be merged again. */
const batchSize = 2000;
interface UpdateOptions {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Ends it between two batches. */
  readonly signal?: AbortSignal | undefined;
}

/** Below this the file is written whenever something changed: it takes milliseconds. */
const smallIndex = 2000;
const shareToSave = 0.02;
const mostIndexBytes = 2 ** 31 - 1;

export interface IndexProgress {
  readonly done: number;
  readonly of: number;
}

/**
 * Keeps the routing index in step with the registry (RT-6): what is in use and not indexed is added, what is no longer
 * in use removed, and the whole written beside the store when enough changed. An index that is behind only knows fewer
 * skills: what is in it is known by the digest of its bytes, and those never change.
 */
export class IndexKeeper {
  readonly #contexts: KeeperContexts;
  readonly #file: string;
  readonly #indexer: Indexer;
  #index: SegmentedIndex = createIndex([]);
  #loading: Promise<void> | undefined;
  #updating: Promise<void> = Promise.resolve();
  /** Skills that are in use and not to be routed. */
  readonly #passedOver = new Set<Digest>();
  /** The latest generation that the index was brought up to. */
  #inStepWith = -1;
  #findings: readonly Finding[] = [];
  /** Documents that came or went since the file was written. */
  #unsaved = 0;
  #isClosing = false;

  constructor(contexts: KeeperContexts, file: string) {
    this.#contexts = contexts;
    this.#file = file;
    this.#indexer = new Indexer(contexts.world);
  }

  /** What is there now. */
  get index(): SegmentedIndex {
    return this.#index;
  }

  /** About the index itself: a file that was damaged, bytes that are not the approved ones. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Whether all that is in use and may be routed is in the index. It never goes back to a generation before. */
  isInStep({ generation }: Snapshot): boolean {
    return generation <= this.#inStepWith;
  }

  /** One update at a time; whoever comes meanwhile waits, and then finds little to do. */
  update(snapshot: Snapshot, options: UpdateOptions = {}): Promise<SegmentedIndex> {
    const updating = this.#updating.then(() => this.#update(snapshot, options));
    this.#updating = updating.then(
      () => undefined,
      () => undefined,
    );
    return updating;
  }

  async #update(snapshot: Snapshot, { onProgress, signal }: UpdateOptions): Promise<SegmentedIndex> {
    await (this.#loading ??= this.#load());
    const isOver = () => this.#isClosing || signal?.aborted === true;
    if (this.isInStep(snapshot) || isOver()) return this.#index;
    const wanted = new Map([...snapshot.usable.values()].map((entry) => [entry.digest, entry]));
    const indexed = new Set(this.#index.digests());
    const gone = new Set([...indexed].filter((digest) => !wanted.has(digest)));
    const missing = [...wanted.values()].filter(({ digest }) => !indexed.has(digest) && !this.#passedOver.has(digest));
    if (gone.size > 0) this.#index = withChanges(this.#index, null, gone);
    this.#unsaved += gone.size;
    for (let at = 0; at < missing.length && !isOver(); at += batchSize) {
      onProgress?.({ done: at, of: missing.length });
      await this.#add(missing.slice(at, at + batchSize));
    }
    if (missing.length > 0 && !isOver()) onProgress?.({ done: missing.length, of: missing.length });
    if (this.#isWorthSaving()) await this.#save();
    if (!isOver()) this.#inStepWith = snapshot.generation;
    return this.#index;
  }

  async #add(entries: readonly UsableEntry[]): Promise<void> {
    const { raw, tampered } = await readRawSkills(this.#contexts, entries);
    this.#sayTampered(tampered);
    for (const indexed of await this.#indexer.index(raw)) {
      for (const digest of indexed.unroutable) this.#passedOver.add(digest);
      this.#sayTampered(indexed.tampered);
      if (indexed.segment === null) continue;
      const before = this.#index.size;
      this.#index = withChanges(this.#index, indexed.segment, new Set());
      this.#unsaved += this.#index.size - before;
    }
  }

  /** They are read again with the next generation: somebody may have put them right. */
  #sayTampered(digests: readonly Digest[]): void {
    for (const digest of digests)
      this.#say(
        "route.tampered",
        `revision ${digest.slice(0, 12)}: its SKILL.md is not the approved one; it is not routed`,
      );
  }

  /** A large file is not written anew for one skill: what it lacks is indexed again at the next start. */
  #isWorthSaving(): boolean {
    return this.#unsaved > 0 && (this.#index.size < smallIndex || this.#unsaved >= this.#index.size * shareToSave);
  }

  async #load(): Promise<void> {
    const { files } = this.#contexts.world;
    const bytes = await files.read(this.#file, mostIndexBytes).catch(() => undefined);
    if (!(bytes instanceof Uint8Array)) return;
    const decoded = decodeIndex(bytes);
    if ("fault" in decoded) this.#say("route.index-rebuilt", `the routing index is made again: ${decoded.fault}`);
    else this.#index = decoded;
  }

  /** Without the file the index is made again at the next start: no reason to fail. */
  async #save(): Promise<void> {
    const { files } = this.#contexts.world;
    try {
      await files.writePrivate(this.#file, partsOf(encodeIndex(this.#index)));
      this.#unsaved = 0;
    } catch (error) {
      const why = error instanceof Error ? error.message : "unknown";
      this.#say("route.index-unsaved", `the routing index could not be written: ${why}`);
    }
  }

  #say(code: RouteCode, message: string): void {
    const finding = routeFinding(code, "routing index", message);
    this.#findings = [...this.#findings.filter((each) => each.message !== finding.message), finding].slice(-20);
  }

  /** Ends what is under way; the next start goes on from what was saved. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#indexer.close();
    await this.#updating;
  }
}

async function* partsOf(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* parts;
}

/** So many skills are read and tokenised in one go where there is no thread for it: some milliseconds. */
const inOneGo = 8;

/** Turns skills into parts of an index, away from the event loop where it can (RT-6). */
export class Indexer {
  readonly #timer: Timer;
  readonly #threads: Threads;
  #thread: Thread | undefined;
  #isHere = false;
  #isClosed = false;

  constructor({ threads, timer }: { readonly threads: Threads; readonly timer: Timer }) {
    this.#threads = threads;
    this.#timer = timer;
  }

  /** Empty once it is closed. */
  async index(raw: readonly RawSkill[]): Promise<readonly Indexed[]> {
    if (this.#isHere || this.#isClosed) return this.#indexHere(raw);
    try {
      this.#thread ??= this.#threads.open("index-worker");
      if (this.#thread === undefined) return await this.#indexHere(raw);
      // Copies go over: should the thread fail, what was asked is still here.
      return [await this.#thread.ask<Indexed>(raw)];
    } catch {
      // A thread that cannot be had, for want of memory say, is no reason for having no index.
      this.#isHere = true;
      await this.#endThread();
      return this.#indexHere(raw);
    }
  }

  async #indexHere(raw: readonly RawSkill[]): Promise<readonly Indexed[]> {
    const indexed: Indexed[] = [];
    for (let at = 0; at < raw.length && !this.#isClosed; at += inOneGo) {
      indexed.push(indexSkills(raw.slice(at, at + inOneGo)));
      await this.#timer.after(0);
    }
    return indexed;
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endThread();
  }
}
