import type { Selectable } from "kysely";
import { parseInjection, renderInjection } from "../../registry/usage/injection.ts";
import type { RegistryWrites } from "../../registry/port.ts";
import { parseUsageEvent, type UsageRecord } from "../../registry/usage/usage.ts";
import type { Schema } from "../schema.ts";
import type { Db } from "../queries.ts";
import { inBatches } from "./batches.ts";

type Reads = "usageBatches" | "usageIn" | "usageOf" | "injectionsIn" | "findInjection";
export type UsagePort = Pick<RegistryWrites, Reads | "insertUsage" | "expireUsage">;

const batchColumns = ["id", "node", "at", "size as count", "hash", "expired_at as expiredAt"] as const;
const recordColumns = ["at", "event", "entry", "digest", "configuration", "task", "conversation", "tool"] as const;

export function usageTables(db: Db): UsagePort {
  return {
    async usageBatches({ after, limit }) {
      const batches = db.selectFrom("usage_batches").select(batchColumns);
      return batches.where("id", ">", after).orderBy("id").limit(limit).execute();
    },
    async usageIn(batch) {
      const rows = db.selectFrom("usage").select(recordColumns).where("batch", "=", batch).orderBy("number");
      return (await rows.execute()).map(usageOf);
    },
    async usageOf(digest, limit) {
      const rows = db.selectFrom("usage").select(recordColumns).where("digest", "=", digest);
      const latest = rows.orderBy("at", "desc").orderBy("batch", "desc").orderBy("number", "desc").limit(limit);
      return (await latest.execute()).map(usageOf);
    },
    async injectionsIn(batch) {
      const rows = db.selectFrom("injections").select(["id", "record"]).where("batch", "=", batch);
      return rows.orderBy("number").execute();
    },
    async findInjection(id) {
      const rows = db.selectFrom("injections").select(["id", "record"]).where("id", "=", id);
      const row = await rows.orderBy("batch").orderBy("number").limit(1).executeTakeFirst();
      return row && parseInjection(row);
    },
    async insertUsage({ count, expiredAt, ...batch }, records, injections) {
      const known = db.selectFrom("usage_batches").select("id").where("id", "=", batch.id);
      if ((await known.executeTakeFirst()) !== undefined) return false;
      await db
        .insertInto("usage_batches")
        .values({ ...batch, size: count, expired_at: expiredAt })
        .execute();
      const rows = records.map((record, number) => ({ ...record, batch: batch.id, number }));
      await inBatches(rows, (some) => db.insertInto("usage").values(some).execute());
      const given = injections.map((injection, number) => {
        return { batch: batch.id, number, id: injection.id, record: renderInjection(injection) };
      });
      const write = (some: typeof given) => db.insertInto("injections").values(some).execute();
      await inBatches(given, write, ({ record }) => 1 + record.length / 16_384);
      return true;
    },
    async expireUsage(before, at) {
      const old = await db
        .selectFrom("usage_batches")
        .select("id")
        .where("at", "<", before)
        .where("expired_at", "is", null)
        .execute();
      for (const { id } of old) {
        for (const table of ["usage", "injections"] as const)
          await db.deleteFrom(table).where("batch", "=", id).execute();
        await db.updateTable("usage_batches").set({ expired_at: at }).where("id", "=", id).execute();
      }
      return old.length;
    },
  };
}

function usageOf(record: Omit<Selectable<Schema["usage"]>, "batch" | "number">): UsageRecord {
  return Object.assign(record, { event: parseUsageEvent(record.event) });
}
