import { sha256 } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { LruCache } from "../../core/lru-cache.ts";
import type { Timer } from "../../core/world.ts";
import type { Snapshot } from "../../registry/snapshot.ts";
import { readTriggers } from "../../routing/admin-triggers.ts";
import { type Chain, createChain } from "../../routing/chain/chain.ts";
import { defaultThresholds, ownLinks } from "../../routing/default-chain.ts";
import type { LexicalIndex } from "../../routing/index/lexical-index.ts";
import type { Link } from "../../routing/link.ts";
import type { LinkName } from "../../routing/link-names.ts";
import { routeFinding } from "../../routing/route-faults.ts";
import type { Routed, RouteOptions } from "../../routing/routed.ts";
import { createShelf, type Shelf } from "../../routing/shelf.ts";
import type { Contexts } from "../../app/app.ts";
import type { RoutedChoice, Router } from "./router.ts";
import type { Target } from "../configurations/targets.ts";
import { IndexKeeper, type IndexProgress } from "./index-keeper.ts";
import { type Embedded, embedUsable } from "./embedding.ts";
import type { RouteModels } from "./model-links.ts";
import { boundsOf } from "./routable.ts";

/** A request waits for an index that is being made, and not for longer. */
const patience = 3000;
/** Of matches that are too close to call, a request is given so many. */
const mostChosen = 3;

/**
 * What was chosen when a link failed or the index was not whole yet holds for a while as well: the turns of a
 * conversation begin with the same bytes (CO-13). After that somebody else may have better luck.
 */
const poorFor = 15 * 60_000;

interface KeptChoice {
  readonly choice: RoutedChoice;
  readonly until: number;
}

export interface PrepareOptions {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How many skills can be found, what vectors were made, and why no more; null: all that were missing were asked for. */
export interface Prepared {
  readonly skills: number;
  readonly embedded: Embedded;
  readonly failure: unknown;
}

/** Routing over the registry: one index for all doors, brought up to date as generations come (RT-6). */
export class Routing implements Router {
  readonly #contexts: Contexts;
  readonly #models: RouteModels;
  readonly #chain: Chain;
  readonly #keeper: IndexKeeper;
  readonly #recent = new LruCache<KeptChoice>({ entries: 5000 });
  #damaged: readonly Finding[] = [];
  #shelf: { readonly snapshot: Snapshot; readonly index: LexicalIndex; readonly shelf: Promise<Shelf> } | undefined;

  constructor(contexts: Contexts, models: RouteModels) {
    this.#contexts = contexts;
    this.#models = models;
    this.#chain = chainOf(contexts, models);
    this.#keeper = new IndexKeeper(contexts, contexts.places.indexFile);
  }

  /** About what is chosen by, whatever is asked: that the index's file was damaged, say, or an admin's triggers. */
  get findings(): readonly Finding[] {
    return [...this.#keeper.findings, ...this.#damaged];
  }

  /** Brings the index up to date, and the vectors where they are used, however long that takes. */
  async prepare(snapshot: Snapshot, options: PrepareOptions = {}): Promise<Prepared> {
    const { size } = await this.#keeper.update(snapshot, options);
    if (options.signal?.aborted !== true) await this.shelfOf(snapshot);
    return { skills: size, ...(await this.#embed(options.signal)) };
  }

  /** RT-4: a service that makes no vectors is no reason for having no index. */
  async #embed(signal?: AbortSignal): Promise<Pick<Prepared, "embedded" | "failure">> {
    try {
      return { embedded: await embedUsable(this.#contexts, this.#models, signal), failure: null };
    } catch (error) {
      return { embedded: { made: 0, refused: 0 }, failure: error };
    }
  }

  /** RT-1, over everything that may be used in this snapshot and that `among` names. */
  async route(snapshot: Snapshot, query: string, options: RouteOptions): Promise<Routed> {
    const lacking = this.#keeper.isInStep(snapshot) ? null : await this.#waitForIndex(snapshot);
    const routed = await this.#chain.route(await this.shelfOf(snapshot), query, options);
    return lacking === null ? routed : { ...routed, findings: [lacking, ...routed.findings] };
  }

  async chooseFor(target: Target, query: string, signal?: AbortSignal): Promise<RoutedChoice> {
    const { configuration, look, attached } = target;
    if (!configuration.routing.enabled) return nothing;
    const bounds = boundsOf(target);
    // What is attached goes in anyway: without anything else there is nothing to choose.
    if (!hasMore(bounds.among, [...attached.configuration, ...attached.task])) return nothing;
    const key = `${look.snapshot.generation} ${configuration.id} ${target.task?.id ?? ""} ${sha256(Buffer.from(query))}`;
    const known = this.#recent.get(key);
    const now = this.#contexts.world.clock.now();
    if (known !== undefined && now < known.until) return known.choice;
    const routed = await this.route(look.snapshot, query, { ...bounds, ...(signal === undefined ? {} : { signal }) });
    const choice = { entries: chosenOf(routed), findings: routed.findings };
    // Nothing that was chosen for want of an index is worth keeping.
    if (choice.entries.length === 0 && !this.#keeper.isInStep(look.snapshot)) return choice;
    // What is only told, a long message that was read in part say, would be told again.
    const isWhole = routed.findings.every(({ level }) => level === "info");
    return this.#recent.set(key, { choice, until: isWhole ? Number.POSITIVE_INFINITY : now + poorFor }).choice;
  }

  /** Null: the index knows all that may be chosen. */
  #waitForIndex(snapshot: Snapshot): Promise<Finding | null> {
    const updated = this.#keeper.update(snapshot).then(
      () => null,
      () => failed,
    );
    return within(this.#contexts.world.timer, patience, updated, behind);
  }

  /** What is chosen from in this snapshot. Made once, however many requests come with a new generation. */
  shelfOf(snapshot: Snapshot): Promise<Shelf> {
    const { index } = this.#keeper;
    const known = this.#shelf;
    if (known?.snapshot === snapshot && known.index === index) return known.shelf;
    const shelf = this.#makeShelf(snapshot, known?.shelf);
    this.#shelf = { snapshot, index, shelf };
    // What failed is made again for the next request.
    shelf.catch(() => (this.#shelf = undefined));
    return shelf;
  }

  async #makeShelf({ usable }: Snapshot, former: Promise<Shelf> | undefined): Promise<Shelf> {
    const { index } = this.#keeper;
    const { triggers, findings } = await readTriggers(this.#contexts.kept.read);
    this.#damaged = findings;
    const set = new Map(triggers.map(({ entry, phrases }) => [entry, phrases]));
    const before = await former?.catch(() => undefined);
    const shelf = createShelf({ entries: usable, index, triggers: set, ...(before === undefined ? {} : { before }) });
    // In small parts, while requests are answered: at the first query it would be one long pause.
    await this.#chain.prepare(shelf);
    return shelf;
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }
}

/** RT-2: the chain is configuration. A link that asks a model and has none is refused here, at the start. */
function chainOf({ config, world }: Contexts, models: RouteModels): Chain {
  const asking: Readonly<Record<Exclude<LinkName, keyof typeof ownLinks>, () => Link>> = {
    semantic: () => models.semantic(),
    rerank: () => models.rerank(),
    llm: () => models.llm(),
  };
  const links = config.route.links.map((name) => (isOwn(name) ? ownLinks[name] : asking[name]()));
  return createChain(links, { clock: world.stopwatch, timer: world.timer, thresholds: defaultThresholds });
}

function isOwn(name: LinkName): name is keyof typeof ownLinks {
  return Object.hasOwn(ownLinks, name);
}

function hasMore(among: ReadonlySet<EntryId> = new Set(), attached: readonly EntryId[]): boolean {
  for (const entry of among) if (!attached.includes(entry)) return true;
  return false;
}

const nothing: RoutedChoice = { entries: [], findings: [] };

/** The best; where others are too close to it to call, these too (RT-3). */
function chosenOf({ matches, tied }: Routed): readonly EntryId[] {
  return matches.slice(0, Math.min(tied, mostChosen)).map(({ entry }) => entry);
}

const behind = routeFinding(
  "route.index-behind",
  "routing index",
  "the routing index is being made: not all skills can be found yet",
);

const failed = routeFinding(
  "route.index-failed",
  "routing index",
  "the routing index could not be brought up to date: skills that are new cannot be found",
);

/** What comes of something, or after so long something else. */
function within<Value>(timer: Timer, milliseconds: number, awaited: Promise<Value>, otherwise: Value): Promise<Value> {
  return new Promise((resolve) => {
    const late = timer.every(milliseconds, () => resolve(otherwise));
    void awaited.finally(() => late.stop()).then(resolve);
  });
}
