import type { Randomness } from "../../core/world.ts";
import { RateLimited } from "../../sources/github/rate-limit.ts";
import type { Source } from "../../sources/schema.ts";
import type { Permit } from "../accounts/permit.ts";
import type { SyncContext } from "./port.ts";
import type { SyncResult } from "../schema.ts";

/** Of the interval, to either side: sources that were added together are not asked for together forever. */
const jitter = 0.1;
/** Nor are all that waited for the end of a limit asked for in the same moment. */
const spreadMilliseconds = 60_000;

/** When a source is due after now (IN-24), at no time before `notBefore`; null: it has no interval. */
export function nextDue(
  { interval }: Pick<Source, "interval">,
  now: number,
  random: Randomness,
  notBefore = now,
): number | null {
  if (interval === null) return null;
  const share = Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
  const usual = now + interval * 1000 * (1 - jitter + 2 * jitter * share);
  return Math.round(Math.max(usual, notBefore + share * spreadMilliseconds));
}

export type DueContext = Pick<SyncContext, "kept" | "clock"> & { readonly random: Randomness };

export interface DueWork {
  /** Rejects when the sync failed; what is to be seen of it at the source is there already. */
  readonly sync: (source: string) => Promise<Pick<SyncResult, "limitedUntil">>;
  /** There was one that was due: there may be more. */
  readonly onClaim: () => void;
  readonly onFailure: (source: string, error: unknown) => void;
  /** From then on nothing is claimed, and what was claimed and did not come to its end is due again. */
  readonly signal: AbortSignal;
}

/** Claims and syncs, one after the other, until nothing is due. Rejects when the store is away; no sync is lost by that. */
export async function runDue(context: DueContext, _permit: Permit<"administer">, work: DueWork): Promise<void> {
  while (!work.signal.aborted) {
    const source = await claim(context);
    if (source === undefined && (await recallAstray(context))) continue;
    if (source === undefined) return;
    work.onClaim();
    await syncClaimed(context, source, work);
  }
}

/** The source row is the job: whoever writes its next time does it, on whatever node (IN-24). */
function claim({ kept, clock, random }: DueContext): Promise<Source | undefined> {
  const now = clock.now();
  return kept.transaction((port) => port.claimDue(now, (source) => nextDue(source, now, random)));
}

/** Milliseconds: no service makes anybody wait for longer. */
const longestLimit = 7 * 86_400_000;

/** Its time is further away than its interval says: a clock was ahead that wrote it. */
function isAstray({ enabled, interval, dueAt: at }: Source, now: number): boolean {
  return enabled && interval !== null && at !== null && at > now + interval * 1000 * (1 + jitter) + longestLimit;
}

/** Nobody would sync these for as long as that clock was ahead: they are due now. False: there are none. */
async function recallAstray({ kept, clock }: DueContext): Promise<boolean> {
  const now = clock.now();
  const astray = (await kept.read.listSources()).filter((source) => isAstray(source, now));
  if (astray.length === 0) return false;
  await kept.transaction(async (port) => {
    for (const { id } of astray) {
      const source = await port.findSource(id);
      if (source !== undefined && isAstray(source, now)) await port.putSource({ ...source, dueAt: now });
    }
  });
  return true;
}

async function syncClaimed(context: DueContext, source: Source, { sync, onFailure, signal }: DueWork): Promise<void> {
  try {
    signal.throwIfAborted();
    const { limitedUntil } = await sync(source.id);
    await postpone(context, source, limitedUntil);
  } catch (error) {
    if (signal.aborted) return dueAt(context, source, () => context.clock.now());
    onFailure(source.id, error);
    await postpone(context, source, error instanceof RateLimited ? error.resetAt : null);
  }
}

/** IN-11: before that it would only be refused again. */
async function postpone(context: DueContext, source: Source, reset: number | null): Promise<void> {
  const { clock, random } = context;
  if (reset !== null) await dueAt(context, source, (now) => nextDue(now, clock.now(), random, reset));
}

/** Unless somebody said meanwhile that it is not to be synced by itself any more, or when. */
async function dueAt(
  { kept }: DueContext,
  { id, dueAt: claimed }: Source,
  next: (source: Source) => number | null,
): Promise<void> {
  await kept.transaction(async (port) => {
    const source = await port.findSource(id);
    if (source !== undefined && source.dueAt === claimed) await port.putSource({ ...source, dueAt: next(source) });
  });
}
