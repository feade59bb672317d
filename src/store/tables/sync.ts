import type { Source } from "../../sources/schema.ts";
import { parseSource, renderSource } from "../../sources/source.ts";
import type { SyncWrites } from "../../registry/sync/port.ts";
import type { Db } from "../queries.ts";
import { inBatches, lastOfEach } from "./batches.ts";

/** `locksRows`: whether the engine can pass over rows that another node works on. */
export function syncTables(db: Db, locksRows: boolean): SyncWrites {
  return { ...sourceTable(db, locksRows), ...lockTable(db), ...provenanceTable(db), ...secretTable(db) };
}

function sourceTable(db: Db, locksRows: boolean) {
  const putSource = async (source: Source) => {
    const row = { record: renderSource(source), due_at: source.enabled ? source.dueAt : null };
    const insert = db.insertInto("sources").values({ id: source.id, ...row });
    await insert.onConflict((conflict) => conflict.column("id").doUpdateSet(row)).execute();
  };
  const findDue = (now: number) => {
    const due = db.selectFrom("sources").selectAll().where("due_at", "<=", now);
    const first = due.orderBy("due_at").orderBy("id").limit(1);
    return (locksRows ? first.forUpdate().skipLocked() : first).executeTakeFirst();
  };
  return {
    putSource,
    async findSource(id) {
      const row = await db.selectFrom("sources").selectAll().where("id", "=", id).executeTakeFirst();
      return row && parseSource(row.id, row.record);
    },
    async listSources() {
      const rows = await db.selectFrom("sources").selectAll().orderBy("id").execute();
      return rows.map(({ id, record }) => parseSource(id, record));
    },
    async deleteSource(id) {
      await db.deleteFrom("sources").where("id", "=", id).execute();
    },
    async claimDue(now, next) {
      for (let row = await findDue(now); row !== undefined; row = await findDue(now)) {
        const source = parseSource(row.id, row.record);
        const claimed = { ...source, dueAt: next(source) };
        await putSource(claimed);
        // One that is not enabled is due by a hand alone, and is not any more.
        if (claimed.enabled) return claimed;
      }
      return undefined;
    },
  } satisfies Partial<SyncWrites>;
}

function lockTable(db: Db) {
  return {
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
  } satisfies Partial<SyncWrites>;
}

function provenanceTable(db: Db) {
  return {
    async provenanceOf(entry) {
      const rows = db.selectFrom("provenance").select("record").where("entry", "=", entry);
      return (await rows.executeTakeFirst())?.record;
    },
    async listProvenance(source, { after, limit }) {
      // A colon ends the source of an id; what comes right after all of them begins with the character behind it.
      const own = db
        .selectFrom("provenance")
        .selectAll()
        .where("entry", ">=", `${source}:`)
        .where("entry", "<", `${source};`);
      return own.where("entry", ">", after).orderBy("entry").limit(limit).execute();
    },
    async putProvenance(rows) {
      await inBatches(
        lastOfEach(rows, ({ entry }) => entry).map(({ entry, record }) => ({ entry, record })),
        (some) =>
          db
            .insertInto("provenance")
            .values(some)
            .onConflict((conflict) =>
              conflict.column("entry").doUpdateSet((row) => ({ record: row.ref("excluded.record") })),
            )
            .execute(),
      );
    },
    async deleteProvenance(entries) {
      await inBatches(entries, (some) => db.deleteFrom("provenance").where("entry", "in", some).execute());
    },
  } satisfies Partial<SyncWrites>;
}

function secretTable(db: Db) {
  return {
    async findSecret(name) {
      const rows = db.selectFrom("secrets").select("secret").where("name", "=", name);
      return (await rows.executeTakeFirst())?.secret;
    },
    async listSecrets() {
      return db.selectFrom("secrets").selectAll().orderBy("name").execute();
    },
    async putSecret(name, secret) {
      const insert = db.insertInto("secrets").values({ name, secret });
      await insert.onConflict((row) => row.column("name").doUpdateSet({ secret })).execute();
    },
    async deleteSecret(name) {
      await db.deleteFrom("secrets").where("name", "=", name).execute();
    },
  } satisfies Partial<SyncWrites>;
}
