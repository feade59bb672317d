import type { Timer } from "../../core/world.ts";
import { refuseUnknownVersion, requireLatestVersion } from "../migrate.ts";
import { sqliteQueries } from "../queries.ts";
import { createTables, type InspectedStore } from "../store.ts";
import { Connection, readVersion, storeName } from "./connection.ts";
import { createPatience } from "./patience.ts";

/** Through the one kind of connection that cannot write. The file must be there: SQLite would make it. */
export async function inspectSqlite(path: string, { timer }: { readonly timer: Timer }): Promise<InspectedStore> {
  const { untilFree } = createPatience({ timer });
  refuseUnknownVersion(storeName(path), readVersion(path));
  const reader = await untilFree(() => new Connection(path, "read"));
  const number = async (pragma: string) =>
    Number(Object.values((await untilFree(() => reader.all(`PRAGMA ${pragma}`)))[0] ?? {})[0]);
  try {
    const version = await number("user_version");
    requireLatestVersion(storeName(path), version);
    const bytes = (await number("page_count")) * (await number("page_size"));
    const queries = sqliteQueries((sql, parameters) => untilFree(() => reader.all(sql, parameters)));
    return {
      read: createTables(queries, { announce: async () => {}, locksRows: false }),
      version,
      bytes,
      close: async () => reader.close(),
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}
