import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import pg from "pg";
import { inject } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { createDatabase, dropDatabase } from "./postgres.mjs";
import { type EngineName, openAt, type OpenOptions, type StoreAt } from "./store-at.ts";

/** An empty place for one store, on a real engine. */
export interface StorePlace extends StoreAt {
  open(options?: OpenOptions): Promise<Store>;
  /** Past the store: what a hand in the database sees and does. */
  readonly query: (sql: string) => Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** Every engine there is, and how a place on it is made. */
export const engines: Readonly<Record<EngineName, () => Promise<StorePlace>>> = {
  SQLite: sqlitePlace,
  PostgreSQL: () => postgresPlace(),
};

export async function sqlitePlace(): Promise<StorePlace> {
  const folder = await mkdtemp(join(tmpdir(), "skillward-store-"));
  await chmod(folder, 0o755);
  const at = { engine: "SQLite", place: join(folder, "store.db") } as const;
  return {
    ...at,
    open: (options) => openAt(at, options),
    query: async (sql) => querySqlite(at.place, sql),
    remove: () => rm(folder, { recursive: true }),
  };
}

export async function postgresPlace(server = inject("postgres")): Promise<StorePlace> {
  const at = { engine: "PostgreSQL", place: await createDatabase(server) } as const;
  return {
    ...at,
    open: (options) => openAt(at, options),
    ...handIn(at.place, () => dropDatabase(at.place)),
  };
}

/** Places in one database, which is made with the first: each of them is a schema, and takes no time to make. */
export function postgresSchemas(): { newPlace: () => Promise<StorePlace>; remove: () => Promise<void> } {
  let database: Promise<StorePlace> | undefined;
  let made = 0;
  return {
    async newPlace() {
      const { place, query } = await (database ??= postgresPlace());
      const schema = `s${made++}`;
      await query(`CREATE SCHEMA ${schema}`);
      const own = new URL(place);
      own.searchParams.set("options", `-c search_path=${schema}`);
      const at = { engine: "PostgreSQL", place: own.href } as const;
      return {
        ...at,
        open: (options) => openAt(at, options),
        ...handIn(at.place, () => query(`DROP SCHEMA ${schema} CASCADE`)),
      };
    },
    remove: async () => (await database)?.remove(),
  };
}

function querySqlite(path: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** One connection for all that is asked past the store. */
function handIn(url: string, remove: () => Promise<unknown>): Pick<StorePlace, "query" | "remove"> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // It is replaced when it is asked for the next time.
  pool.on("error", () => {});
  return {
    query: async (sql) => (await pool.query(sql)).rows,
    async remove() {
      await pool.end();
      await remove();
    },
  };
}

/** All that is in a store, by table, as the database itself lists them. */
export async function contentOf(place: StorePlace): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of await tablesOf(place)) content[table] = await place.query(`SELECT * FROM ${table}`);
  return content;
}

async function tablesOf({ engine, query }: StorePlace): Promise<string[]> {
  const rows = await query(
    engine === "SQLite"
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema ORDER BY table_name",
  );
  return rows.map(({ name }) => String(name)).filter((name) => name !== "schema_version");
}
