import { parseSource, renderSource } from "../../ingest/source/source.ts";
import type { SyncWrites } from "../../registry/sync/port.ts";
import type { Db } from "../queries.ts";

export function syncTables(db: Db): SyncWrites {
  return {
    async findSource(id) {
      const row = await db.selectFrom("sources").selectAll().where("id", "=", id).executeTakeFirst();
      return row && parseSource(row.id, row.record);
    },
    async listSources() {
      const rows = await db.selectFrom("sources").selectAll().orderBy("id").execute();
      return rows.map(({ id, record }) => parseSource(id, record));
    },
    async putSource(source) {
      const record = renderSource(source);
      const insert = db.insertInto("sources").values({ id: source.id, record });
      await insert.onConflict((row) => row.column("id").doUpdateSet({ record })).execute();
    },
    async deleteSource(id) {
      await db.deleteFrom("sources").where("id", "=", id).execute();
    },
    async findLock(source) {
      const row = await db.selectFrom("sync_locks").selectAll().where("source", "=", source).executeTakeFirst();
      if (row === undefined) return undefined;
      return { source, token: row.token, holder: row.holder, takenAt: row.taken_at, beatAt: row.beat_at };
    },
    async putLock({ source, token, holder, takenAt, beatAt }) {
      const lock = { token, holder, taken_at: takenAt, beat_at: beatAt };
      const insert = db.insertInto("sync_locks").values({ source, ...lock });
      await insert.onConflict((row) => row.column("source").doUpdateSet(lock)).execute();
    },
  };
}
