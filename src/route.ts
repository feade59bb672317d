/** `skillward/route`: the right skill for a text, or none, without a store. */
import { demandSkills } from "./features/routing/given-skills.ts";
import { createPoolShelf, openPool, type RoutableSkill } from "./features/routing/pool-routing.ts";
import { createWorld } from "./app/world/world.ts";
import { createChain } from "./routing/chain/chain.ts";
import { defaultThresholds, ownLinks } from "./routing/default-chain.ts";
import type { Link } from "./routing/link.ts";
import type { Routed, RouteOptions, Thresholds } from "./routing/routed.ts";
import type { Shelf } from "./routing/shelf.ts";

export type { RoutableSkill } from "./features/routing/pool-routing.ts";
export { AppError, type ErrorCode } from "./core/error.ts";
export type { Finding, Level, Place } from "./core/finding.ts";
export type { EntryId } from "./core/ids.ts";
export type { Embedder, Model, ModelAnswer, ModelRequest, Reranker } from "./core/model.ts";
export type { Kind } from "./skill/manifest.ts";
export type { Trust } from "./sources/trust.ts";
export type { Asked, Evidence, Link } from "./routing/link.ts";
export { llmLink } from "./routing/links/llm.ts";
export { rerankLink } from "./routing/links/rerank.ts";
export type { Query } from "./routing/query.ts";
export type { Match, Outcome, Routed, RouteOptions, Thresholds, Trace, TraceStep } from "./routing/routed.ts";
export type { Shelf, ShelfEntry } from "./routing/shelf.ts";

/** Chooses among skills that do not change. */
export interface SkillRouter {
  /** How many skills it chooses among. */
  readonly size: number;
  /** What was left out, and why: skills that cannot be read, or are not to be routed. */
  readonly notes: readonly string[];
  /** The skills that fit, the best first, with the reason; none when nothing fits (RT-1). */
  route(query: string, options?: RouteOptions): Promise<Routed>;
}

export interface RouterOptions {
  /** How skills are found, cheapest first; `defaultLinks` without it. */
  readonly links?: readonly Link[];
  readonly thresholds?: Partial<Thresholds>;
}

/** The links that need no model and no network: names, aliases, triggers, paths, words. */
export const defaultLinks: readonly Link[] = Object.values(ownLinks);

/** A router over skills as they are given. `usage.invalid` names what is missing, or is not what it should be. */
export function createRouter(skills: readonly RoutableSkill[], options: RouterOptions = {}): SkillRouter {
  return routerOver(createPoolShelf(createWorld(), demandSkills(skills)).shelf, [], options);
}

/** A router over the skills of folders, and of `.jsonl` or `.jsonl.gz` pools. */
export async function loadRouter(places: readonly string[], options: RouterOptions = {}): Promise<SkillRouter> {
  const notes: string[] = [];
  const { shelf } = await openPool(createWorld(), places, { onNote: (note) => notes.push(note) });
  return routerOver(shelf, notes, options);
}

function routerOver(shelf: Shelf, notes: readonly string[], options: RouterOptions): SkillRouter {
  const { links = defaultLinks, thresholds = {} } = options;
  const { stopwatch, timer } = createWorld();
  const chain = createChain(links, { clock: stopwatch, timer, thresholds: { ...defaultThresholds, ...thresholds } });
  return { size: shelf.entries.size, notes, route: (query, asked = {}) => chain.route(shelf, query, asked) };
}
