import { AppError, type ErrorCode } from "../base/error.ts";
import type { AskedPin } from "../ingest/source/read-skills.ts";
import type { Progress } from "../ingest/source/reading.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { SyncOptions } from "../registry/sync/read.ts";
import type { SyncResult } from "../registry/sync/sync.ts";
import type { App } from "./app.ts";
import { demandNamedSource } from "./find.ts";
import type { Live } from "./live.ts";
import { runToldSync } from "./told-sync.ts";
import { countWaiting } from "./queue.ts";

/** A sync that could not be done: nothing of it was written. */
export interface SyncFailure<Code extends string = ErrorCode | "internal"> {
  readonly source: string;
  readonly status: "error";
  /** `internal`: what nobody foresaw, for whoever looks on; whoever asked for the sync gets the error itself. */
  readonly error: { readonly code: Code; readonly message: string };
}

export interface SyncReport {
  readonly results: readonly (SyncResult | SyncFailure<ErrorCode>)[];
  /** How many skills wait for somebody's word, in all sources. */
  readonly waiting: number;
}

export interface SyncsOptions extends Pick<SyncOptions, "repair"> {
  /** Where the one source stands, where that was asked a moment ago. */
  readonly asked?: AskedPin | null;
  readonly onProgress?: (source: string, progress: Progress) => void;
  /** Who looks on is told through it. */
  readonly live?: Live;
}

/** Of the sources that were named, or of all that are enabled: one after the other, also when one fails. */
export async function syncSources(app: App, ids: readonly string[], options: SyncsOptions = {}): Promise<SyncReport> {
  demand(app.person, "administer", app.review.policy);
  const results: (SyncResult | SyncFailure<ErrorCode>)[] = [];
  for (const id of await namedOrAll(app, ids)) results.push(await syncOne(app, id, options));
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
  { sync, person }: App,
  source: string,
  { repair = false, asked = null, onProgress, live }: SyncsOptions,
): Promise<SyncResult | SyncFailure<ErrorCode>> {
  try {
    const progress = (made: Progress) => onProgress?.(source, made);
    return await runToldSync(sync, person, source, { repair, asked, onProgress: progress }, live);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { source, status: "error", error: { code: error.code, message: error.message } };
  }
}
