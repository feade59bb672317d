import { sql } from "kysely";
import type { Digest } from "../../core/digest.ts";
import type { InquiryReads } from "../../registry/inquiry.ts";
import { parseUsageEvent } from "../../registry/usage/usage.ts";
import type { Db } from "../queries.ts";
import { usesTable } from "./uses.ts";

export function inquiryTables(db: Db): InquiryReads {
  return {
    ...usesTable(db),
    // Counted where the rows are: there may be millions of them.
    async countUsage({ since, before, configurations }) {
      let rows = db.selectFrom("usage").where("at", ">=", since).where("at", "<", before);
      // An empty list is no SQL; nobody's configurations are those of nothing.
      if (configurations?.length === 0) rows = rows.where(sql<boolean>`1 = 0`);
      else if (configurations !== null) rows = rows.where("configuration", "in", configurations);
      const grouped = rows
        .select(({ fn }) => ["entry", "event", "tool", fn.countAll<number>().as("times"), fn.max("at").as("last")])
        .groupBy(["entry", "event", "tool"]);
      return (await grouped.execute()).map((row) => Object.assign(row, { event: parseUsageEvent(row.event) }));
    },
    async findAudit({ act = "", acts, subject = "", by, since, after, before, limit }) {
      let rows = db.selectFrom("audit").select(auditColumns).limit(limit);
      if (act !== "") rows = rows.where(sql`substr(act, 1, length(cast(${act} as text)))`, "=", act);
      if (acts !== undefined) rows = rows.where("act", "in", acts);
      // What both engines have for "contains", by bytes and without patterns.
      if (subject !== "") rows = rows.where(sql`replace(subject, ${subject}, '')`, "<>", sql.ref("subject"));
      if (by !== undefined) rows = rows.where("by_whom", "=", by);
      if (since !== undefined) rows = rows.where("at", ">=", since);
      if (before !== undefined) rows = rows.where("seq", "<", before);
      if (after !== undefined) rows = rows.where("seq", ">", after);
      return rows.orderBy("seq", after === undefined ? "desc" : "asc").execute();
    },
    async keptDigests({ after, limit }) {
      const rows = db.selectFrom("entry_revisions").select("digest").distinct().where("digest", ">", after);
      return (await rows.orderBy("digest").limit(limit).execute()).map(({ digest }) => digest);
    },
    async findDigests(start, limit) {
      // One after the other by the index: of one digest there may be a million uses.
      const found: Digest[] = [];
      while (found.length < limit) {
        const next = await nextDigest(db, start, found.at(-1));
        if (next === undefined) break;
        found.push(next);
      }
      return found;
    },
    async strayUsage(limit) {
      const kept = db.selectFrom("usage_batches").select("id").where("expired_at", "is", null);
      const uses = db.selectFrom("usage").select("batch").where("batch", "not in", kept);
      const injections = db.selectFrom("injections").select("batch").where("batch", "not in", kept);
      return (await uses.union(injections).orderBy("batch").limit(limit).execute()).map(({ batch }) => batch);
    },
  };
}

/** The first digest that begins so, behind another. */
async function nextDigest(db: Db, start: string, after: Digest | undefined): Promise<Digest | undefined> {
  const next = await Promise.all(
    (["entry_revisions", "usage"] as const).map((table) => {
      // Behind every hex digit: what begins so ends before.
      const rows = db.selectFrom(table).select("digest").where("digest", "<", `${start}g`).orderBy("digest").limit(1);
      return (
        after === undefined ? rows.where("digest", ">=", start) : rows.where("digest", ">", after)
      ).executeTakeFirst();
    }),
  );
  return next.flatMap((row) => row?.digest ?? []).toSorted()[0];
}

const auditColumns = ["seq", "at", "by_whom as by", "act", "subject", "details", "prev", "hash"] as const;
