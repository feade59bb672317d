import { requireLatestVersion } from "../migrate.ts";
import { postgresQueries } from "../queries.ts";
import { createTables, type InspectedStore } from "../store.ts";
import { createPool, type Session } from "./pool.ts";

/** Through connections that the server itself keeps from writing. */
export async function inspectPostgres(url: string): Promise<InspectedStore> {
  const readers = createPool(url, ["SET default_transaction_read_only = on"], 4);
  try {
    const version = await versionOf(readers);
    requireLatestVersion("the PostgreSQL store", version);
    const [size] = await readers.query("SELECT pg_database_size(current_database()) AS bytes");
    const read = createTables(postgresQueries(readers.query), { announce: async () => {}, locksRows: true });
    return { read, version, bytes: Number(size?.["bytes"]), close: () => readers.end() };
  } catch (error) {
    await readers.end();
    throw error;
  }
}

/** Whether tables of ours, of any version, are in that database. */
export async function isPostgresStore(url: string): Promise<boolean> {
  const reader = createPool(url, ["SET default_transaction_read_only = on"], 1);
  try {
    return (await versionOf(reader)) > 0;
  } finally {
    await reader.end();
  }
}

async function versionOf(session: Session): Promise<number> {
  const [found] = await session.query("SELECT to_regclass('schema_version') IS NOT NULL AS is_there");
  if (found?.["is_there"] !== true) return 0;
  return Number((await session.query("SELECT version FROM schema_version"))[0]?.["version"] ?? 0);
}
