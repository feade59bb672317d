import { sql } from "kysely";
import type { EntryUse, InquiryReads, UsageWanted } from "../../registry/inquiry.ts";
import { parseUsageEvent } from "../../registry/usage.ts";
import type { Db } from "../queries.ts";

type Counts = Pick<InquiryReads, "usageByDay" | "usageByEntry" | "deniedTools">;

/** Whole numbers on both engines, so that the rest is cut off. */
const day = sql<number>`at / 86400000`;

/** Counted where the rows are: there may be millions of them. */
export function usageCounts(db: Db): Counts {
  const wantedRows = ({ since, configurations }: UsageWanted) => {
    const rows = db.selectFrom("usage").where("at", ">=", since);
    // An empty list is no SQL; nobody's configurations are those of nothing.
    if (configurations?.length === 0) return rows.where(sql<boolean>`1 = 0`);
    return configurations === null ? rows : rows.where("configuration", "in", configurations);
  };
  return {
    async usageByDay(wanted) {
      const grouped = wantedRows(wanted)
        .select(({ fn }) => [day.as("day"), "event", fn.countAll<number>().as("times")])
        .groupBy([day, "event"]);
      return (await grouped.execute()).map((row) => Object.assign(row, { event: parseUsageEvent(row.event) }));
    },
    async usageByEntry(wanted, limit) {
      const grouped = wantedRows(wanted)
        .select(({ fn }) => [
          "entry",
          fn.countAll<number>().as("all"),
          timesOf("dropped").as("dropped"),
          timesOf("routed").as("routed"),
          timesOf("denied").as("denied"),
          fn.max("at").as("last"),
        ])
        .groupBy("entry");
      const rows = await grouped.orderBy("all", "desc").orderBy("entry").limit(limit).execute();
      return rows.map(countsOf);
    },
    async deniedTools(wanted, limit) {
      const rows = wantedRows(wanted)
        .select(({ fn }) => ["entry", "tool", fn.countAll<number>().as("times")])
        .where("event", "=", "denied")
        .where("tool", "is not", null)
        .groupBy(["entry", "tool"]);
      const most = await rows.orderBy("times", "desc").orderBy("entry").orderBy("tool").limit(limit).execute();
      return most.map(({ entry, tool, times }) => ({ entry, tool: tool ?? "", times }));
    },
  };
}

function timesOf(event: string) {
  return sql<number>`count(case when event = ${sql.lit(event)} then 1 end)`;
}

interface CountedRow {
  readonly entry: string;
  readonly all: number;
  readonly dropped: number;
  readonly routed: number;
  readonly denied: number;
  readonly last: number;
}

/** A word that is not known reads as the one that says most, here as everywhere. */
function countsOf({ entry, all, dropped, routed, denied, last }: CountedRow): EntryUse {
  return { entry, counts: { injected: all - dropped - routed - denied, dropped, routed, denied }, last };
}
