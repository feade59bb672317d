import { AppError } from "../../core/error.ts";
import type { ChainHead } from "../../registry/audit/audit.ts";
import { demandContinuation, demandOwnKeys } from "../../registry/guard.ts";
import type { App } from "../app.ts";

/** How a node stands to its store, and what it could go on with (SV-7). */
export interface StoreStanding {
  /** Null: it is there. */
  readonly away: {
    readonly since: number;
    /** Since it last answered, and for how many the reserve holds. */
    readonly seconds: number;
    readonly mostSeconds: number;
    readonly why: Absence;
  } | null;
  /** How often it did not answer. */
  readonly failures: number;
  readonly reserve: { readonly generation: number; readonly missingBodies: number } | null;
}

export const there: StoreStanding = { away: null, failures: 0, reserve: null };

/** It does not answer; what answers is another one, or an older state of it; it follows a key file that this node does not have. */
export type Absence = "silent" | "another" | "rotated";

/** What becomes of the store, for the log of the server. */
export interface StandbyEvents {
  /** Once when it goes, and again when what came back is not the store that went. */
  readonly onAway: (fault: AppError) => void;
  readonly onBack: (seconds: number) => void;
  /** What this node would need without its store could not be kept: the reserve, or a body. */
  readonly onFailure: (error: unknown) => void;
}

/** What a node knows of its store. */
interface Known {
  /** The newest generation that it has spoken of. */
  readonly seen: number;
  readonly head: ChainHead | undefined;
}

/**
 * The present generation, of a store that is the one that was opened, is sealed with keys that this node has, and
 * continues what was seen of it (T19): as the guard demands at a start. Rejects otherwise, and when it does not answer.
 */
export async function askPulse(app: App, { seen, head }: Known): Promise<number> {
  const { pulse, kept, keys, places } = app;
  const identity = await pulse.storeIdentity();
  if (identity?.id !== kept.store) throw another();
  demandOwnKeys(identity, keys, places.keyFile);
  const known = kept.known();
  const isNewer = head !== undefined && head.seq > known.audit.seq;
  await demandContinuation(pulse, isNewer ? { ...known, audit: head } : known);
  const generation = await pulse.generation();
  if (generation < seen) throw behind(generation, seen);
  return generation;
}

/** Also of one that does not even have the tables that are asked for. */
export function another(cause?: unknown): AppError {
  const what = "what answers is not the store that this node was started with; bring that one back";
  return new AppError("store.rolled-back", `${what}, or start the node again`, { cause });
}

export function behind(generation: number, seen: number): AppError {
  const what = `the store is at generation ${generation}, and ${seen} was seen before: it was rolled back`;
  return new AppError("store.rolled-back", `${what}; restore it, or accept that and start the node again`);
}

/** Whether it may mean that the store is away, or another one; the pulse knows. */
export function mayBeAway(error: unknown): boolean {
  return error instanceof AppError && (error.code === "store.failed" || error.code === "store.rolled-back");
}
