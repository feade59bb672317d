import type { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { type ChildrenBefore, type ChildState, unknownChild } from "./children.ts";
import type { MarketplacePlugin } from "./marketplace.ts";
import type { ObjectId } from "../ref.ts";
import { identityOf, type Repository } from "../repository.ts";
import { sourceFinding } from "../source-faults.ts";

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
