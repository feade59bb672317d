import type { LlmWrites, TargetKey } from "../../models/port.ts";
import type { Db } from "../queries.ts";
import { inBatches } from "./batches.ts";

export function llmTables(db: Db): LlmWrites {
  return {
    async findLlmRecord(kind, id) {
      const rows = db.selectFrom("llm_records").select(["id", "record", "secret"]);
      return rows.where("kind", "=", kind).where("id", "=", id).executeTakeFirst();
    },
    async listLlmRecords(kind) {
      const rows = db.selectFrom("llm_records").select(["id", "record", "secret"]);
      return rows.where("kind", "=", kind).orderBy("id").execute();
    },
    async listAttached(target) {
      const rows = db.selectFrom("attachments").select("entry").where("target", "=", target).orderBy("position");
      return (await rows.execute()).map(({ entry }) => entry);
    },
    async listTargetsOf(entry) {
      const rows = db.selectFrom("attachments").select("target").where("entry", "=", entry).orderBy("target");
      return (await rows.execute()).map(({ target }) => target).filter(isTarget);
    },
    async putLlmRecord(kind, { id, record, secret }) {
      const insert = db.insertInto("llm_records").values({ kind, id, record, secret });
      await insert.onConflict((row) => row.columns(["kind", "id"]).doUpdateSet({ record, secret })).execute();
    },
    async deleteLlmRecord(kind, id) {
      await db.deleteFrom("llm_records").where("kind", "=", kind).where("id", "=", id).execute();
    },
    async putAttached(target, entries) {
      await db.deleteFrom("attachments").where("target", "=", target).execute();
      const rows = entries.map((entry, position) => ({ target, position, entry }));
      await inBatches(rows, (some) => db.insertInto("attachments").values(some).execute());
    },
  };
}

function isTarget(target: string): target is TargetKey {
  return target.startsWith("config:") || target.startsWith("task:");
}
