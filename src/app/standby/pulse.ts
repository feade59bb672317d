import { AppError } from "../../core/error.ts";
import type { ChainHead } from "../../registry/audit/audit.ts";
import { demandContinuation, demandOwnKeys } from "../../registry/guard.ts";
import type { App } from "../app.ts";

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
