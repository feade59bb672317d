import { sql } from "kysely";
import type { InquiryReads } from "../../registry/inquiry.ts";
import { parseUsageEvent } from "../../registry/usage/usage.ts";
import type { Db } from "../queries.ts";

/** Counted where the rows are: there may be millions of them. */
export function usageCounts(db: Db): Pick<InquiryReads, "countUsage"> {
  return {
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
  };
}
