import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { isRecord } from "../../core/json/json.ts";
import { safeName } from "../../core/text.ts";
import type { Clock, Timer } from "../../core/world.ts";
import { kinds as allKinds } from "../../skill/manifest.ts";
import type { LexicalIndex } from "../index/lexical-index.ts";
import type { Link } from "../link.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import { declinedIn } from "../names/naming.ts";
import { isEmpty, type Query, readQuery } from "../query.ts";
import type { Routed, RouteOptions, Thresholds, TraceStep } from "../routed.ts";
import type { Shelf } from "../shelf.ts";
import { Breaker } from "./asking.ts";
import { Board } from "./board.ts";
import { settle, whyEnough } from "./settle.ts";
import { type Stage, takeStage, type Taking } from "./stage.ts";

/** Links in the order in which they are asked, cheapest first (RT-2). */
export interface Chain {
  /** RT-1. Rejects with the reason of the signal when that ends, and for options that cannot be asked. */
  route(shelf: Shelf, text: string, options: RouteOptions): Promise<Routed>;
  /**
   * Makes what the links need of a shelf, a few milliseconds at a time, so that the first query over it finds it made.
   * Nobody need wait for it. Rejects with the reason of the signal when that ends.
   */
  prepare(shelf: Shelf, signal?: AbortSignal): Promise<void>;
}

interface ChainOptions {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly thresholds: Thresholds;
}

export function createChain(links: readonly Link[], { clock, timer, thresholds: own }: ChainOptions): Chain {
  const stages = links.map((link): Stage => ({ link, breaker: new Breaker() }));
  return {
    async route(shelf, text, options) {
      demandRouteable(text, options);
      options.signal?.throwIfAborted();
      const [thresholds, limit] = [thresholdsOf(own, options.thresholds), limitOf(options.limit)];
      const { query, findings } = readQuery(text, options.context?.paths);
      const idle = whyIdle(query, shelf, options);
      if (idle !== null) return nothing(findings, idle, thresholds);
      const board = new Board(shelf, thresholds.margin);
      const asked = { query, shelf, allows: boundsOf(shelf, options) };
      const taking = {
        board,
        asked,
        declined: declinedIn(shelf, query),
        asking: { clock, timer, signal: options.signal },
      };
      const taken = await takeStages(stages, taking, thresholds);
      const { note, matches, ambiguous, tied, ranked, likelihood } = settle(board.clusters, thresholds, limit);
      const stopped = [taken.stopped, note, declinedNote(taking)].filter((each) => each !== null).join("; ");
      return {
        matches,
        abstained: matches.length === 0,
        ambiguous,
        tied,
        findings: [...findings, ...taken.findings],
        trace: { steps: taken.steps, stopped, likelihood, ranked, thresholds },
      };
    },
    prepare: (shelf, signal) => prepareShelf(links, shelf, { clock, timer, signal }),
  };
}

interface Taken {
  readonly steps: readonly TraceStep[];
  readonly findings: readonly Finding[];
  readonly stopped: string;
}

async function takeStages(stages: readonly Stage[], taking: Taking, thresholds: Thresholds): Promise<Taken> {
  const steps: TraceStep[] = [];
  const findings: Finding[] = [];
  for (const stage of stages) {
    const took = await takeStage(stage, taking);
    steps.push(took.step);
    findings.push(...took.findings);
    const enough = whyEnough(taking.board.open, thresholds);
    if (enough !== null) return { steps, findings, stopped: `${stage.link.name}: ${enough}` };
  }
  return { steps, findings, stopped: "no link is left" };
}

/**
 * RT-5: what may be chosen at all. What the index does not have may not: it says itself that no model may choose it, or
 * its bytes were not the approved ones, or it comes with the next generation of the index.
 */
function boundsOf(shelf: Shelf, { among, kinds }: RouteOptions): (entry: EntryId) => boolean {
  const wanted = kinds === undefined || allKinds.every((kind) => kinds.includes(kind)) ? null : new Set(kinds);
  const indexed = digestsIn.of(shelf.index);
  return (id) => {
    const entry = shelf.entries.get(id);
    if (entry === undefined || among?.has(id) === false || !indexed.has(entry.digest)) return false;
    if (wanted === null) return true;
    const kind = shelf.declaredBy(entry)?.kind;
    return kind !== undefined && wanted.has(kind);
  };
}

const mostShown = 3;

/** T31: of what may be chosen, and of nothing else. */
function declinedNote({ asked, board, declined }: Taking): string | null {
  const entries = [...declined].filter((id) => asked.allows(id) && !board.has(id));
  const names = [...new Set(entries.map((id) => `"${safeName(asked.shelf.entries.get(id)?.name ?? id)}"`))];
  if (names.length === 0) return null;
  const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : "";
  return `left out because the query says so: ${names.slice(0, mostShown).join(", ")}${more}`;
}

function whyIdle(query: Query, shelf: Shelf, { among, kinds }: RouteOptions): string | null {
  if (isEmpty(query)) return "the query is empty";
  if (shelf.entries.size === 0) return "there are no skills";
  return among?.size === 0 || kinds?.length === 0 ? "no skill may be chosen" : null;
}

function nothing(findings: readonly Finding[], stopped: string, thresholds: Thresholds): Routed {
  const trace = { steps: [], stopped, likelihood: 0, ranked: [], thresholds };
  return { matches: [], abstained: true, ambiguous: false, tied: 0, findings, trace };
}

/** What an index has, to be looked up far more often than an index is made. */
const digestsIn = madeOnce(function* (index: LexicalIndex): Generator<void, ReadonlySet<Digest>> {
  const digests = new Set<Digest>();
  yield* inSteps(index.digests(), (digest) => digests.add(digest));
  return digests;
});

interface Preparing {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds after which others have their turn. */
const longestSlice = 5;

/** Makes what a chain needs of a shelf. A link that cannot is left: it says so itself when it is asked (RT-4). */
async function prepareShelf(links: readonly Link[], shelf: Shelf, preparing: Preparing): Promise<void> {
  await inSlices(digestsIn.prepare(shelf.index), preparing);
  for (const link of links)
    try {
      await inSlices(link.prepare?.(shelf) ?? [], preparing);
    } catch {
      preparing.signal?.throwIfAborted();
    }
}

async function inSlices(steps: Iterable<void>, { clock, timer, signal }: Preparing): Promise<void> {
  signal?.throwIfAborted();
  let start = clock.now();
  for (const _ of steps) {
    if (clock.now() - start < longestSlice) continue;
    await timer.after(1);
    signal?.throwIfAborted();
    start = clock.now();
  }
}

const defaultLimit = 5;
const highestLimit = 100;

function limitOf(limit = defaultLimit): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= highestLimit) return limit;
  throw new AppError("usage.invalid", `the limit must be a whole number from 1 to ${highestLimit}`);
}

/** What a caller leaves open is the chain's own. */
function thresholdsOf(own: Thresholds, asked: Partial<Thresholds> = {}): Thresholds {
  const thresholds = {
    accept: asked.accept ?? own.accept,
    margin: asked.margin ?? own.margin,
    floor: asked.floor ?? own.floor,
  };
  for (const [name, value] of Object.entries<unknown>(thresholds))
    if (!(typeof value === "number" && value >= 0 && value <= 1))
      throw new AppError("usage.invalid", `${name} must be a number from 0 to 1`);
  return thresholds;
}

/** Not every caller has a compiler: what cannot be asked is refused in words, before anything is done with it. */
function demandRouteable(text: unknown, options: unknown): void {
  demand(typeof text === "string", "the query must be a text");
  demand(isRecord(options), "the options must be an object");
  const { context = {}, among, kinds = [], thresholds = {}, signal } = options;
  demand(isRecord(context), 'context must be an object, as { paths: ["src/main.tf"] }');
  const { paths = [] } = context;
  demand(Array.isArray(paths) && paths.every((path) => typeof path === "string"), "paths must be a list of texts");
  demand(among === undefined || isSet(among), "among must be a set of ids");
  demand(Array.isArray(kinds) && kinds.every(isKind), `kinds must be a list of ${allKinds.join(", ")}`);
  demand(isRecord(thresholds), "thresholds must be an object, as { floor: 0.3 }");
  demand(signal === undefined || signal instanceof AbortSignal, "signal must be an AbortSignal");
}

function demand(isSo: boolean, rule: string): asserts isSo {
  if (!isSo) throw new AppError("usage.invalid", rule);
}

function isSet(value: unknown): boolean {
  return isRecord(value) && typeof value["has"] === "function" && typeof value["size"] === "number";
}

function isKind(value: unknown): boolean {
  return allKinds.some((kind) => kind === value);
}
