import { AppError } from "../base/error.ts";
import type { Progress } from "../ingest/source/reading.ts";
import type { Person } from "../registry/accounts/roles.ts";
import type { SyncContext } from "../registry/sync/context.ts";
import type { SyncOptions } from "../registry/sync/read.ts";
import { runSync, type SyncResult } from "../registry/sync/sync.ts";
import type { Live } from "./live.ts";
import type { SyncFailure } from "./syncs.ts";

/** Milliseconds. How often somebody who looks on is told: a sync can read thousands of files in a second. */
const tellEvery = 200;

/** A sync that whoever looks at this node is told of, from the moment it is the one of its source to its end (IN-23). */
export async function runToldSync(
  context: SyncContext,
  person: Person,
  source: string,
  options: SyncOptions,
  live: Live | undefined,
): Promise<SyncResult> {
  if (live === undefined) return runSync(context, person, source, options);
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
    const result = await runSync(context, person, source, { ...options, onBegin, onProgress });
    live.tell({ is: "synced", source, result });
    return result;
  } catch (error) {
    // Another one of the same source may be running, and is told of by itself.
    if (hasBegun) live.tell({ is: "synced", source, result: failureOf(source, error) });
    throw error;
  }
}

function nowAndThen({ clock }: SyncContext, tell: (progress: Progress) => void): (progress: Progress) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = clock.now();
    // A clock that was set back is no reason to be silent.
    if (now >= toldAt && now - toldAt < tellEvery) return;
    toldAt = now;
    tell(progress);
  };
}

function failureOf(source: string, error: unknown): SyncFailure {
  const broken = { code: "internal", message: "the sync broke off, and the log says why; sync it again" } as const;
  const { code, message } = error instanceof AppError ? error : broken;
  return { source, status: "error", error: { code, message } };
}
