import type { Selectable } from "kysely";
import { auditGenesis, type AuditWrites } from "../../registry/audit/audit.ts";
import type { Schema } from "../schema.ts";
import type { Db } from "../queries.ts";
import type { Announce } from "../store.ts";
import { inBatches } from "./batches.ts";
import type { AuditRecord } from "../../registry/schema.ts";

export function auditTables(db: Db, announce: Announce): AuditWrites {
  return {
    async auditHead() {
      const last = await db
        .selectFrom("audit")
        .select(["seq", "hash"])
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      if (last !== undefined) return last;
      const { id } = await db.selectFrom("store").select("id").executeTakeFirstOrThrow();
      return { seq: 0, hash: auditGenesis(id ?? "") };
    },
    async auditAfter(after, limit) {
      const rows = db.selectFrom("audit").selectAll().where("seq", ">", after).orderBy("seq").limit(limit);
      return (await rows.execute()).map(recordOf);
    },
    async insertAudit(records) {
      const rows = records.map(({ by, ...record }) => ({ ...record, by_whom: by }));
      await inBatches(rows, (some) => db.insertInto("audit").values(some).execute());
    },
    async raiseGeneration(by = 1) {
      const raised = db.updateTable("store").set((row) => ({ generation: row("generation", "+", by) }));
      const { generation } = await raised.returning("generation").executeTakeFirstOrThrow();
      await announce(db);
      return generation;
    },
  };
}

/** Field by field: a chain has a million of these, and copying the rest of a row costs ten times as much. */
function recordOf(row: Selectable<Schema["audit"]>): AuditRecord {
  const { seq, at, by_whom: by, act, subject, details, prev, hash } = row;
  return { seq, at, by, act, subject, details, prev, hash };
}
