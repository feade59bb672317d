import type { Digest } from "../../core/digest.ts";
import type { InquiryReads, Use } from "../../registry/inquiry.ts";
import { parseUsageEvent } from "../../registry/usage/usage.ts";
import type { Db } from "../queries.ts";

/** So many rows are grouped at once: a tenth of a second of SQLite, in which the whole node stands still. */
const piece = 20_000;

const placeColumns = ["configuration", "task", "conversation", "entry", "event", "tool"] as const;

type Counted = Omit<Use, "event"> & { readonly event: string };

/** Of one digest there may be a million uses: they are grouped piece by piece, with room for others in between (T41). */
export function usesTable(db: Db): Pick<InquiryReads, "usesOf"> {
  return {
    async usesOf(digest, limit) {
      const places = new Map<string, Counted>();
      for (let since = Number.MIN_SAFE_INTEGER; ; ) {
        const edge = await findEdge(db, digest, since);
        // All of one moment go together, however many they are.
        const before = edge === undefined ? undefined : Math.max(edge, since + 1);
        for (const row of await countPiece(db, digest, since, before)) addTo(places, row);
        if (before === undefined) break;
        since = before;
      }
      const latest = latestOf([...places.values()], limit);
      return latest.map((use) => Object.assign(use, { event: parseUsageEvent(use.event) }));
    },
  };
}

/** When the use happened that is a piece further on; undefined: there are not so many more. */
async function findEdge(db: Db, digest: Digest, since: number): Promise<number | undefined> {
  const later = db.selectFrom("usage").select("at").where("digest", "=", digest).where("at", ">=", since);
  return (await later.orderBy("at").offset(piece).limit(1).executeTakeFirst())?.at;
}

function countPiece(db: Db, digest: Digest, since: number, before: number | undefined): Promise<Counted[]> {
  const rows = db
    .selectFrom("usage")
    .select(({ fn }) => [
      ...placeColumns,
      fn.countAll<number>().as("times"),
      fn.min("at").as("first"),
      fn.max("at").as("last"),
    ])
    .where("digest", "=", digest)
    .where("at", ">=", since)
    .groupBy(placeColumns);
  return (before === undefined ? rows : rows.where("at", "<", before)).execute();
}

function addTo(places: Map<string, Counted>, row: Counted): void {
  const key = JSON.stringify(placeColumns.map((column) => row[column]));
  const { times = 0, first = row.first } = places.get(key) ?? {};
  places.set(key, { ...row, times: times + row.times, first });
}

/** Only those that can be among them are put in order: there may be as many places as uses. */
function latestOf(uses: readonly Counted[], limit: number): readonly Counted[] {
  const least = Float64Array.from(uses, ({ last }) => last)
    .toSorted()
    .at(-limit);
  const some = least === undefined ? uses : uses.filter(({ last }) => last >= least);
  return some.toSorted((a, b) => b.last - a.last || byPlace(a, b)).slice(0, limit);
}

/** By bytes, and what is not there first: the engines differ in both. */
function byPlace(a: Counted, b: Counted): number {
  for (const column of placeColumns) {
    const [one, other] = [a[column], b[column]];
    if (one === other) continue;
    if (one === null || other === null) return one === null ? -1 : 1;
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return 0;
}
