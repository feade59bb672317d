import { sql } from "kysely";
import type { InquiryReads } from "../../registry/inquiry.ts";
import { parseUsageEvent } from "../../registry/usage.ts";
import type { Db } from "../queries.ts";
import { usageCounts } from "./usage-counts.ts";

export function inquiryTables(db: Db): InquiryReads {
  return {
    ...usageCounts(db),
    async findAudit({ act = "", subject = "", by, since, after, before, limit }) {
      let rows = db.selectFrom("audit").select(auditColumns).limit(limit);
      if (act !== "") rows = rows.where(sql`substr(act, 1, length(cast(${act} as text)))`, "=", act);
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
      const kept = db.selectFrom("entry_revisions").select("digest").where("digest", ">=", start);
      const used = db.selectFrom("usage").select("digest").where("digest", ">=", start);
      // Behind every hex digit: what begins so ends before.
      const both = kept.where("digest", "<", `${start}g`).union(used.where("digest", "<", `${start}g`));
      return (await both.orderBy("digest").limit(limit).execute()).map(({ digest }) => digest);
    },
    async usesOf(digest, limit) {
      const places = ["configuration", "task", "conversation", "entry", "event", "tool"] as const;
      const grouped = db
        .selectFrom("usage")
        .select(({ fn }) => [
          ...places,
          fn.countAll<number>().as("times"),
          fn.min("at").as("first"),
          fn.max("at").as("last"),
        ])
        .where("digest", "=", digest)
        .groupBy(places)
        .orderBy("last", "desc");
      // The engines differ in where nothing stands.
      const ordered = places.reduce((some, place) => some.orderBy(place, (order) => order.asc().nullsFirst()), grouped);
      const rows = await ordered.limit(limit).execute();
      return rows.map((row) => Object.assign(row, { event: parseUsageEvent(row.event) }));
    },
    async strayUsage(limit) {
      const kept = db.selectFrom("usage_batches").select("id").where("expired_at", "is", null);
      const uses = db.selectFrom("usage").select("batch").where("batch", "not in", kept);
      const injections = db.selectFrom("injections").select("batch").where("batch", "not in", kept);
      return (await uses.union(injections).orderBy("batch").limit(limit).execute()).map(({ batch }) => batch);
    },
  };
}

const auditColumns = ["seq", "at", "by_whom as by", "act", "subject", "details", "prev", "hash"] as const;
