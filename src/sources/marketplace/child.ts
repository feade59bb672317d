import { sha256 } from "../../core/digest.ts";
import type { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { PinnedTree } from "../read-skills.ts";
import type { Provenance } from "../reading.ts";
import { type ObjectId, renderRef } from "../ref.ts";
import { identityOf, type Repository, repositoryKey } from "../repository.ts";
import { sourceFinding } from "../source-faults.ts";
import { type ChildrenBefore, unknownChild } from "./children.ts";
import type { MarketplacePlugin } from "./marketplace.ts";
import type { ChildState, SyncBounds } from "../schema.ts";

/** What became of one plugin. */
export interface ChildEnd {
  readonly state: ChildState;
  readonly unvisited: readonly string[];
  readonly findings: readonly Finding[];
}

/** One plugin of a marketplace, and what was known of it before. */
export class Child {
  readonly plugin: MarketplacePlugin;
  readonly where: string;
  readonly #before: ChildState | undefined;
  readonly #wasOfSkills: boolean;

  constructor(plugin: MarketplacePlugin, market: Repository, { byName, places }: ChildrenBefore) {
    this.plugin = plugin;
    const { place } = plugin;
    this.where = identityOf(place.kind === "here" ? market : place.repository, place.path);
    const before = byName.get(plugin.name);
    // Another place under the same name is another plugin: its ids and its commit say nothing about this one.
    this.#before = before?.where === this.where ? before : undefined;
    this.#wasOfSkills = places === null || places.has(this.where);
  }

  /** What was known of it, or that nothing was. */
  get before(): ChildState {
    const { plugin, where } = this;
    return this.#before ?? { ...unknownChild, name: plugin.name, outcome: "listed", where, reason: null };
  }

  /** The commit that its entry names; null: it follows what can move. */
  get sha(): ObjectId | null {
    return this.plugin.place.kind === "here" ? null : this.plugin.place.sha;
  }

  /**
   * Where what is here of it may be. A plugin that nothing is here of keeps nobody else's skills from being orphaned: a
   * path that ends in a slash is above no skill, and only says that not everything was looked at (IN-21).
   */
  get kept(): readonly string[] {
    const { skills, paths } = this.before;
    if (paths.length > 0) return paths;
    return [skills > 0 || this.#isUnderAnotherName ? this.where : `${this.where}/`];
  }

  get #isUnderAnotherName(): boolean {
    return this.#before === undefined && this.#wasOfSkills;
  }

  /** There, and nobody picked it. Nothing is kept of it, so that whoever picks it begins anew (T12). */
  listed(commit: ObjectId): ChildEnd {
    const { plugin, where } = this;
    return end({ ...unknownChild, name: plugin.name, outcome: "listed", where, commit, reason: null });
  }

  /** Nobody picked it, and whether it is still there could not be found out. */
  unlisted({ state, findings }: ChildEnd): ChildEnd {
    const { name, outcome, where, commit, reason } = state;
    return { ...end({ ...unknownChild, name, outcome, where, commit, reason }), findings };
  }

  /** Nothing of it changed since it was read to its end. */
  same(): ChildEnd {
    return end({ ...this.before, outcome: "read", reason: null });
  }

  /** IN-21: listed, but not reached: what is here of it stays. `read`: how many of its skills came before that. */
  unreached(why: AppError, read = 0): ChildEnd {
    return this.#without(why, "unreached", read);
  }

  failed(why: AppError, read = 0): ChildEnd {
    const code = why.code === "source.frozen" || why.code === "digest.mismatch" ? why.code : "source.child";
    const message = code === "source.frozen" ? frozen(why.message) : why.message;
    const finding = sourceFinding(code, `plugin "${safeLine(this.plugin.name)}": ${message}`, this.where);
    return { ...this.#without(why, "failed", read), findings: [finding] };
  }

  /** What is said inside of it, so that it can be found from outside. */
  says(repository: Repository, { message, at, ...finding }: Finding): Finding {
    const file = identityOf(repository, at.file === "." ? "" : at.file);
    return { ...finding, message: `plugin "${safeLine(this.plugin.name)}": ${message}`, at: { ...at, file } };
  }

  #without(why: AppError, outcome: "unreached" | "failed", read: number): ChildEnd {
    const skills = Math.max(this.before.skills, read);
    const state = { ...this.before, outcome, skills, reason: safeLine(why.message, 300) };
    // What came just now may be more than what was there when all of it was read.
    const isMore = read > 0 || this.#isUnderAnotherName;
    const known = isMore ? { ...state, under: null, paths: [this.where], trees: null } : state;
    return { ...end(known), unvisited: this.kept };
  }
}

/** What was found out, with the way out that a plugin has; the rest of the message is for a source of its own. */
function frozen(message: string): string {
  const [found = message] = message.split(". ", 1);
  return `${found}. Look at it; if it is meant, un-pick the plugin, sync, and pick it again`;
}

function end(state: ChildState): ChildEnd {
  return { state, unvisited: [], findings: [] };
}

/** Skills by their paths in the source, with where each comes from. */
type Seen = Iterable<readonly [string, Provenance | null]>;

/** Which trees are at which paths, in a word. Null: of one of them nobody knows. */
export function treesOf(seen: Seen): string | null {
  const trees: string[] = [];
  for (const [path, from] of seen) {
    if (from === null) return null;
    trees.push(JSON.stringify([path, from.hosts, from.repositoryId, from.tree]));
  }
  return sha256(Buffer.from(trees.toSorted().join("\n")));
}

interface HowRead {
  /** Null: not all of it could be read. Without `under` it is read with its marketplace, every time. */
  readonly settled: { readonly under: string | null; readonly seen: Seen } | null;
  /** Whether all that it names is known. */
  readonly isWhole: boolean;
}

/** What is kept of a plugin whose skills were read. */
export function readState(child: Child, at: PinnedTree, skills: number, { settled, isWhole }: HowRead): ChildState {
  const { before } = child;
  const ref = renderRef(at.ref);
  const settledBefore = before.ref === ref ? before.settled : null;
  const seen = [...(settled?.seen ?? [])];
  return {
    name: child.plugin.name,
    outcome: "read",
    where: child.where,
    commit: at.commit.id,
    repositoryId: at.facts.id,
    ownerId: at.facts.ownerId,
    ref,
    // What it named before is still here, and stays with it.
    skills: isWhole ? skills : Math.max(skills, before.skills),
    settled: settled === null ? settledBefore : at.commit.id,
    under: settled?.under ?? null,
    paths: seen.map(([path]) => path).toSorted(),
    trees: settled === null ? null : treesOf(seen),
    reason: settled !== null ? null : "not all of it could be read, or its commit is on no branch or tag",
  };
}

const unused: SyncBounds = { files: 0, bytes: 0, seconds: 0 };

/** How much of its bounds each repository has used, whichever plugins it was for (IN-14, IN-16). */
export class RepositoryBounds {
  readonly #bounds: SyncBounds;
  readonly #used = new Map<string, SyncBounds>();

  constructor(bounds: SyncBounds) {
    this.#bounds = bounds;
  }

  add(repository: Repository, { files = 0, bytes = 0, seconds = 0 }: Partial<SyncBounds>): void {
    const used = this.usedBy(repository);
    this.#used.set(repositoryKey(repository), {
      files: used.files + files,
      bytes: used.bytes + bytes,
      seconds: used.seconds + seconds,
    });
  }

  usedBy(repository: Repository): SyncBounds {
    return this.#used.get(repositoryKey(repository)) ?? unused;
  }

  leftOf(repository: Repository): SyncBounds {
    const { files, bytes, seconds } = this.#bounds;
    const used = this.usedBy(repository);
    return {
      files: Math.max(0, files - used.files),
      bytes: Math.max(0, bytes - used.bytes),
      seconds: Math.max(0, seconds - used.seconds),
    };
  }
}

/** A bound that is smaller than the one that was set needs a word. */
export function explainBound({ files }: SyncBounds, finding: Finding): Finding {
  if (finding.code !== "walk.bounds" || files === 0) return finding;
  return { ...finding, message: `${finding.message}; ${files} files of its repository were read for other plugins` };
}
