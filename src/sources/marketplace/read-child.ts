import { sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { LruCache } from "../../core/lru-cache.ts";
import type { GitHub } from "../github/github.ts";
import { type Pin, pinRepository } from "../github/pin.ts";
import { RateLimited } from "../github/rate-limit.ts";
import { resolveName } from "../github/resolve.ts";
import { movedFrom } from "../known-pin.ts";
import { treeAt } from "../read-repo.ts";
import { type OnFiles, type PinnedTree, readSkills, type RemoteReading, type TimedGitHub } from "../read-skills.ts";
import type { Provenance, SeenSkill } from "../reading.ts";
import { type Ref, renderRef } from "../ref.ts";
import { identityOf, repositoryKey } from "../repository.ts";
import type { TreeSkill } from "../tree-skills.ts";
import { type Child, type ChildEnd, explainBound, readState, RepositoryBounds, treesOf } from "./child.ts";
import type { MarketplacePlugin, PluginPlace } from "./marketplace.ts";
import type { PluginSearches } from "./plugin.ts";

/** What was spent on other repositories than the marketplace's own. */
export interface ChildrenSpent {
  files: number;
  bytes: number;
  requests: number;
  left: number | null;
}

type Elsewhere = Extract<PluginPlace, { readonly kind: "elsewhere" }>;

/** Many plugins of one repository at one commit are usual: its tree is asked for once. */
const treesKept = 8;

/** Reads plugins that lie in other repositories, one after the other, each repository within bounds of its own (IN-14). */
export class ChildReader {
  readonly spent: ChildrenSpent = { files: 0, bytes: 0, requests: 0, left: null };
  readonly used: RepositoryBounds;
  readonly #reading: RemoteReading;
  readonly #searches: PluginSearches;
  readonly #pins = new LruCache<Pin>({ entries: treesKept });
  readonly #trees = new LruCache<PinnedTree>({ entries: treesKept });
  readonly #ids: ReadonlyMap<string, RepositoryIds>;
  /** What was read as a whole in this sync, by path: another plugin that has it too need not ask for it again. */
  readonly #given = new Map<string, Provenance>();
  #stopped: RateLimited | undefined;

  constructor(reading: RemoteReading, searches: PluginSearches) {
    this.#reading = reading;
    this.#searches = searches;
    this.used = new RepositoryBounds(reading.bounds);
    this.#ids = idsIn(reading);
  }

  /** Why no more requests are made, once they are not allowed any more (IN-11). */
  get stopped(): RateLimited | undefined {
    return this.#stopped;
  }

  async *read(child: Child, isIncluded: boolean, onBytes: () => void): AsyncGenerator<SeenSkill, ChildEnd> {
    if (isIncluded && this.#isDone(child)) return yield* this.#asItWas(child);
    if (!isIncluded && child.sha !== null) return child.listed(child.sha);
    const end = yield* this.#ask(child, isIncluded, onBytes);
    // Whoever is not picked has nothing here that could be kept for it.
    return isIncluded ? end : child.unlisted(end);
  }

  async *#ask(child: Child, isIncluded: boolean, onBytes: () => void): AsyncGenerator<SeenSkill, ChildEnd> {
    if (this.#stopped !== undefined) return child.unreached(this.#stopped);
    const place = elsewhere(child);
    const { seconds } = this.used.leftOf(place.repository);
    if (seconds <= 0) return child.failed(outOfTime(this.#reading.bounds.seconds));
    const timed = this.#reading.open(seconds);
    const began = this.#reading.clock.now();
    const seen = new Map<string, Provenance | null>();
    try {
      const pin = await this.#pinOf(child, place, timed.github);
      if (!isIncluded) return child.listed(pin.commit.id);
      const at = await this.#treeOf(child, place, pin, timed.github);
      return yield* this.#skillsOf(child, at, timed, seen, onBytes);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!(error instanceof RateLimited)) return child.failed(error, seen.size);
      this.#stopped = error;
      return child.unreached(error, seen.size);
    } finally {
      const { requests, bytes, left } = timed.github.spent;
      this.spent.requests += requests;
      this.spent.bytes += bytes;
      this.spent.left = left ?? this.spent.left;
      this.used.add(place.repository, { seconds: (this.#reading.clock.now() - began) / 1000 });
      timed.close();
    }
  }

  /**
   * A commit that was read to its end is not asked for again: this is where a sync that was stopped goes on. But only
   * where its skills are here: another plugin may have brought other ones to their paths.
   */
  #isDone({ sha, before, plugin }: Child): boolean {
    const { known, readsAll, skip } = this.#reading;
    if (sha === null || before.settled !== sha || before.commit !== sha || readsAll) return false;
    const here = before.paths.map((path) => [path, known.get(path)?.provenance ?? null] as const);
    return before.under === settingsOf(plugin, skip) && before.trees === treesOf(here);
  }

  *#asItWas(child: Child): Generator<SeenSkill, ChildEnd> {
    for (const path of child.before.paths)
      yield { path, bundle: null, provenance: this.#reading.known.get(path)?.provenance ?? null, pin: [] };
    return child.same();
  }

  async *#skillsOf(
    child: Child,
    at: PinnedTree,
    timed: TimedGitHub,
    seen: Map<string, Provenance | null>,
    onBytes: () => void,
  ): AsyncGenerator<SeenSkill, ChildEnd> {
    const { found, findings: said, isWhole } = await this.#searches.skillsOf(timed.github, at, child.plugin);
    const pathOf = (path: string) => identityOf(at.repository, path);
    const used = this.used.usedBy(at.repository);
    const reading = { ...this.#reading, bounds: this.used.leftOf(at.repository) };
    const skills = found.skills.filter((skill) => !this.#isGiven(skill, at, pathOf(skill.path), seen));
    const counted = this.#counting(at, onBytes);
    const end = yield* this.#noting(seen, readSkills(reading, timed, at, skills, pathOf, counted));
    this.spent.files += end.files;
    const unvisited = [...found.unvisited.map(pathOf), ...end.unvisited, ...(isWhole ? [] : child.kept)];
    const isSettled = end.complete && unvisited.length === 0 && at.reachable !== null;
    const findings = [...said, ...end.findings.map((each) => explainBound(used, each))];
    const settled = isSettled ? { under: settingsOf(child.plugin, this.#reading.skip), seen } : null;
    return {
      state: readState(child, at, found.skills.length, { settled, isWhole }),
      unvisited,
      findings: findings.map((each) => child.says(at.repository, each)),
    };
  }

  /** The tree of a repository's root says nothing of which of its files are the skill's. */
  #isGiven({ path, tree }: TreeSkill, { facts }: PinnedTree, inSource: string, seen: Map<string, Provenance | null>) {
    const given = this.#given.get(inSource);
    if (path === "" || given?.tree !== tree || given.repositoryId !== facts.id) return false;
    seen.set(inSource, given);
    return true;
  }

  /** What is put aside while it passes by. */
  async *#noting<End>(
    seen: Map<string, Provenance | null>,
    skills: AsyncGenerator<SeenSkill, End>,
  ): AsyncGenerator<SeenSkill, End> {
    for (let step = await skills.next(); ; step = await skills.next()) {
      if (step.done === true) return step.value;
      const { path, bundle, provenance } = step.value;
      seen.set(path, provenance);
      if (provenance !== null && bundle?.digest !== null) this.#given.set(path, provenance);
      yield step.value;
    }
  }

  /** Also what came before something went wrong was read. */
  #counting({ repository }: PinnedTree, onBytes: () => void): OnFiles {
    let before = { files: 0, bytes: 0 };
    return (files, _, bytes) => {
      this.used.add(repository, { files: files - before.files, bytes: bytes - before.bytes });
      before = { files, bytes };
      onBytes();
    };
  }

  async #pinOf(child: Child, place: Elsewhere, github: GitHub): Promise<Pin> {
    const { repositoryId, ownerId } = this.#ids.get(repositoryKey(place.repository)) ?? child.before;
    const key = JSON.stringify([...keysOf(place), repositoryId, ownerId]);
    const known = this.#pins.get(key);
    if (known !== undefined) return known;
    const nothing = { defaultBranch: null, etags: { repository: null, commit: null }, commit: null };
    const ref = await refOf(github, place);
    const pin = await pinRepository(github, place.repository, ref, { repositoryId, ownerId, ...nothing });
    if ("unchanged" in pin) throw new AppError("upstream.invalid", "the service answered what was not asked");
    return this.#pins.set(key, pin);
  }

  /** T11: what a tag names is judged by where it was for this very plugin; the tree is the same for all of them. */
  async #treeOf({ before, where }: Child, place: Elsewhere, pin: Pin, github: GitHub): Promise<PinnedTree> {
    const isSameRef = before.ref === renderRef(pin.ref);
    const stood = {
      pin: isSameRef && before.skills > 0 ? before.commit : null,
      settled: isSameRef ? before.settled : null,
    };
    const own = [...this.#reading.known].flatMap(([path, skill]) => (isBelow(path, where) ? [skill] : []));
    const from = pin.ref.kind === "tag" ? movedFrom(own, stood, pin) : null;
    const keyFrom = (moved: string | null) => JSON.stringify([...keysOf(place), pin.facts.id, pin.commit.id, moved]);
    const known = this.#trees.get(keyFrom(from));
    if (known !== undefined) return known;
    const tree = this.#trees.get(keyFrom(null))?.tree;
    return this.#trees.set(keyFrom(from), await treeAt(github, place.repository, pin, from, place.ref, tree));
  }
}

function elsewhere({ plugin: { place } }: Child): Elsewhere {
  if (place.kind === "here") throw new TypeError("it is read with the marketplace");
  return place;
}

function outOfTime(seconds: number): AppError {
  return new AppError(
    "upstream.timeout",
    `the plugins of its repository took longer than ${seconds} seconds; try again, or raise it with --max-seconds`,
  );
}

/** Numbers that are sealed with what is here: whoever gets its name is still another repository (T12). */
interface RepositoryIds {
  readonly repositoryId: number;
  readonly ownerId: number;
}

function idsIn({ known }: RemoteReading): ReadonlyMap<string, RepositoryIds> {
  const ids = new Map<string, RepositoryIds>();
  for (const { provenance } of known.values())
    if (provenance !== null) ids.set(`${provenance.hosts} ${provenance.repository.toLowerCase()}`, provenance);
  return ids;
}

/** Which question its commit is the answer to. */
function keysOf({ repository, sha, ref }: Elsewhere): readonly unknown[] {
  return [repositoryKey(repository), sha, ref];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** What decides which of its skills are read, besides its commit. */
function settingsOf({ skills, strict }: MarketplacePlugin, skip: readonly string[]): string {
  return sha256(Buffer.from(JSON.stringify([skills, strict, skip])));
}

/** `sha` wins over `ref`; without either, the default branch (formats: marketplace.json). */
async function refOf(github: GitHub, { repository, ref, sha }: Elsewhere): Promise<Ref | null> {
  if (sha !== null) return { kind: "commit", id: sha };
  return ref === null ? null : resolveName(github, repository, ref);
}
