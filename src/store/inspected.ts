import { AppError } from "../core/error.ts";
import { migrations } from "./migrations.ts";
import type { StoreReads } from "./store.ts";

/** A store opened for looking only: whatever is asked of it, not one byte of it changes. */
export interface InspectedStore {
  readonly read: StoreReads;
  /** How many migrations were done. */
  readonly version: number;
  /** What it takes on the disk. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** Looking brings nothing up to date, so it works with tables of this version and with no others. */
export function demandVersion(version: number): void {
  if (version === migrations.length) return;
  if (version === 0) throw new AppError("record.missing", "there is no store there yet; the first use makes it");
  const known = `the store has version ${version}, this Skillward works with ${migrations.length}`;
  if (version > migrations.length) throw new AppError("store.newer", `${known}; update Skillward`);
  throw new AppError("store.failed", `${known}; any use brings it up to date: \`skillward source list\``);
}
