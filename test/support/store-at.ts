import { createWorld } from "../../src/app/world/world.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";

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
}

const { timer } = createWorld();

export function openAt({ engine, place }: StoreAt, options: OpenOptions = {}): Promise<Store> {
  return (engine === "SQLite" ? openSqlite : openPostgres)(place, { timer, ...options });
}
