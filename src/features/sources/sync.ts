import type { App } from "../../app/app.ts";
import { tell } from "../../core/async.ts";
import { AppError } from "../../core/error.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import type { SyncContext } from "../../registry/sync/port.ts";
import type { SyncOptions } from "../../registry/sync/read.ts";
import { runSync } from "../../registry/sync/sync.ts";
import type { AskedPin } from "../../sources/read-skills.ts";
import { failureOf as failureFor } from "../http/statuses.ts";
import { countWaiting } from "../review/queue.ts";
import { demandNamedSource } from "../skills/find.ts";
import type { SyncResult } from "../../registry/schema.ts";
import type { Progress } from "../../sources/schema.ts";
import type { BrokenSync, LiveEvent, SyncFailure, SyncReport } from "./schema.ts";

export interface SyncsOptions extends Pick<SyncOptions, "repair"> {
  /** Where the one source stands, where that was asked a moment ago. */
  readonly asked?: AskedPin | null;
  readonly onProgress?: (source: string, progress: Progress) => void;
  /** Who looks on is told through it. */
  readonly live?: Live;
}

/** Of the sources that were named, or of all that are enabled: one after the other, also when one fails. */
export async function syncSources(app: App, ids: readonly string[], options: SyncsOptions = {}): Promise<SyncReport> {
  return runSyncs(app, requireRight(app, "administer"), ids, options);
}

/** The same within a flow that has checked the right. */
export async function runSyncs(
  app: App,
  permit: Permit<"administer">,
  ids: readonly string[],
  options: SyncsOptions = {},
): Promise<SyncReport> {
  const results: (SyncResult | SyncFailure)[] = [];
  for (const id of await namedOrAll(app, ids)) results.push(await syncOne(app, permit, id, options));
  return { results, waiting: await countWaiting(app) };
}

async function namedOrAll({ kept }: App, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return (await kept.read.listSources()).filter(({ enabled }) => enabled).map(({ id }) => id);
  for (const id of ids) {
    const { enabled } = await demandNamedSource(kept.read, id);
    if (!enabled) throw new AppError("usage.invalid", `the source ${id} is switched off; switch it on first`);
  }
  return [...new Set(ids)];
}

async function syncOne(
  { sync }: App,
  permit: Permit<"administer">,
  source: string,
  { repair = false, asked = null, onProgress, live }: SyncsOptions,
): Promise<SyncResult | SyncFailure> {
  try {
    const progress = (made: Progress) => onProgress?.(source, made);
    return await runToldSync(sync, permit, source, { repair, asked, onProgress: progress }, live);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { source, status: "error", error: { code: error.code, message: error.message } };
  }
}

/** Hands on what happens to whoever listens at that moment (SV-3). */
export class Live {
  readonly #listeners = new Set<(event: LiveEvent) => void>();

  tell(event: LiveEvent): void {
    for (const listener of this.#listeners) tell(listener, event);
  }

  /** Gives back how to stop listening. */
  listen(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Milliseconds. How often somebody who looks on is told: a sync can read thousands of files in a second. */
const tellEvery = 200;

/** A sync that whoever looks at this node is told of, from the moment it is the one of its source to its end (IN-23). */
export async function runToldSync(
  context: SyncContext,
  permit: Permit<"administer">,
  source: string,
  options: SyncOptions,
  live: Live | undefined,
): Promise<SyncResult> {
  if (live === undefined) return runSync(context, permit, source, options);
  let hasBegun = false;
  const onBegin = () => {
    hasBegun = true;
    live.tell({ is: "sync", source, progress: null });
  };
  const shown = nowAndThen(context, (progress) => live.tell({ is: "sync", source, progress }));
  const onProgress = (progress: Progress) => {
    options.onProgress?.(progress);
    shown(progress);
  };
  try {
    const result = await runSync(context, permit, source, { ...options, onBegin, onProgress });
    live.tell({ is: "synced", source, result });
    return result;
  } catch (error) {
    // Another one of the same source may be running, and is told of by itself.
    if (hasBegun) live.tell({ is: "synced", source, result: failureOf(source, error) });
    throw error;
  }
}

function nowAndThen({ clock }: SyncContext, show: (progress: Progress) => void): (progress: Progress) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = clock.now();
    // A clock that was set back is no reason to be silent.
    if (now >= toldAt && now - toldAt < tellEvery) return;
    toldAt = now;
    show(progress);
  };
}

function failureOf(source: string, error: unknown): BrokenSync {
  const broken = { code: "internal", message: "the sync broke off, and the log says why; sync it again" } as const;
  const { code, message } = error instanceof AppError ? error : broken;
  return { source, status: "error", error: { code, message } };
}

/** No more than a request that fails alike would say: what names files and addresses of the machine is for its log. */
export function shownFailure(failure: SyncFailure): SyncFailure {
  const { code, message } = failure.error;
  return { ...failure, error: { code, message: failureFor(new AppError(code, message)).detail } };
}

/** The same for whoever only looks on: what nobody foresaw has words of ours. */
export function toldFailure(failure: BrokenSync): BrokenSync {
  const { code, message } = failure.error;
  return code === "internal" ? failure : shownFailure({ ...failure, error: { code, message } });
}
