import { createWorld } from "../../src/app/world/world.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { laterSteps } from "./store-steps.ts";

export type EngineName = "SQLite" | "PostgreSQL";

/** Where a store can be opened from any process: a file, or the URL of a database. */
export interface StoreAt {
  readonly engine: EngineName;
  readonly place: string;
}

export interface OpenOptions {
  readonly pollMilliseconds?: number;
  readonly patienceMilliseconds?: number;
  /** The rest is PostgreSQL's alone. Off, a new generation is found by looking. */
  readonly notifications?: boolean;
  readonly silenceMilliseconds?: number;
  readonly pulseMilliseconds?: number;
  /** How many of `laterSteps` this Skillward knows; without it, the released ones. */
  readonly steps?: number;
}

const { timer } = createWorld();

export function openAt({ engine, place }: StoreAt, { steps, ...options }: OpenOptions = {}): Promise<Store> {
  const known = steps === undefined ? undefined : laterSteps.slice(0, steps);
  return (engine === "SQLite" ? openSqlite : openPostgres)(place, { timer, steps: known, ...options });
}
