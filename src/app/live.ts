import { tell } from "../base/tell.ts";
import type { Progress } from "../ingest/source/reading.ts";
import type { SyncResult } from "../registry/sync/sync.ts";
import type { SyncFailure } from "./syncs.ts";

/** What happens on a running node while somebody looks. Nothing here is needed to know the state: that is in the store. */
export type LiveEvent =
  /** Everything may have changed: whoever shows something reads it again. */
  | { readonly is: "generation"; readonly generation: number }
  | { readonly is: "sync"; readonly source: string; readonly progress: Progress | null }
  | { readonly is: "synced"; readonly source: string; readonly result: SyncResult | SyncFailure };

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
