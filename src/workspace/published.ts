import { canonicalJson } from "../core/canonical.ts";
import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { type Kept, pages } from "../core/kept.ts";
import { safeLine, storedText } from "../core/text.ts";
import type { Clock } from "../core/world.ts";
import type { Permit } from "../registry/accounts/permit.ts";
import { type AuditAct, type AuditWrites, recordChanges } from "../registry/audit/audit.ts";
import type { InquiryReads } from "../registry/inquiry.ts";
import { isSealed, type Keys, sealText } from "../registry/keys.ts";
import { publishFinding } from "./publish-faults.ts";
import type { PublishedReads, PublishedRow, PublishedWrites } from "./workspace.ts";
import type { AuditRecord } from "../registry/schema.ts";

type Reads = PublishedReads & Pick<InquiryReads, "findAudit">;
type Writes = PublishedWrites & Reads & AuditWrites;

/** What the flows of this file work with: what is kept, its keys, and the right of whoever asks. */
export interface PublishedContext {
  readonly kept: Kept<Reads, Writes>;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly permit: Permit<"administer">;
}

/** What is switched on, and rows that publish nothing: nobody with the key file wrote them as they are. */
export interface PublishedRows {
  readonly rows: readonly PublishedRow[];
  readonly tampered: readonly PublishedRow[];
}

/** SV-6: what of the rows counts. Whoever asks again and again brings the history that it has followed so far. */
export async function readPublished(read: Reads, keys: Keys, history = new PublishedHistory()): Promise<PublishedRows> {
  const all = await read.listPublished();
  await history.follow(read);
  const rows = all.filter((row) => isSealed(keys, sealedText(row), row.seal) && history.isOf(row));
  return { rows, tampered: all.filter((row) => !rows.includes(row)) };
}

/** Switches an entry on. That it may be used now is for the caller to have seen; what is served is looked at each time. */
export async function switchOn(context: PublishedContext, entry: EntryId): Promise<PublishedRow> {
  const { kept, keys, clock, permit } = context;
  return kept.transaction(async (port) => {
    const { rows } = await readPublished(port, keys);
    if (rows.some((row) => row.entry === entry))
      throw new AppError("record.exists", `${shown(entry)} is published already`);
    const row = sealed(keys, { entry, at: clock.now(), by: permit.person.name });
    await port.putPublished(row);
    await record(port, "skill.published", row);
    return row;
  });
}

/** Also an entry that the registry has no more, and a row that counts for nothing. */
export async function switchOff(context: PublishedContext, entry: EntryId): Promise<void> {
  const { kept, clock, permit } = context;
  await kept.transaction(async (port) => {
    if ((await port.findPublished(entry)) === undefined)
      throw new AppError(
        "record.missing",
        `${shown(entry)} is not published; \`skillward skill published\` lists what is`,
      );
    await port.deletePublished(entry);
    await record(port, "skill.unpublished", { entry, at: clock.now(), by: permit.person.name });
  });
}

/** Invariant 7: the row and the record of it, in one transaction. */
function record(port: AuditWrites, act: AuditAct, { entry, at, by }: Omit<PublishedRow, "seal">): Promise<void> {
  return recordChanges(port, [{ at, by, act, subject: entry, details: {} }]);
}

function sealed(keys: Keys, row: Omit<PublishedRow, "seal">): PublishedRow {
  return { ...row, seal: sealText(keys, sealedText(row)) };
}

function sealedText({ entry, at, by }: Omit<PublishedRow, "seal">): string {
  return canonicalJson(["published", { entry, at, by }]);
}

export function tamperedRow({ entry }: PublishedRow): Finding {
  const message =
    "the row that publishes it was written or put back outside Skillward; it publishes nothing: unpublish it, and publish it again if you mean to";
  return publishFinding("published.tampered", storedText(entry), message);
}

function shown(entry: EntryId): string {
  return `"${safeLine(entry, 240)}"`;
}

const page = 1000;

/**
 * What the audit chain says was switched on or off last, followed from record to record. The seal of a row is good for
 * ever: a row that was taken away and put back by hand is found out by this alone (T18).
 */
export class PublishedHistory {
  readonly #last = new Map<EntryId, AuditRecord>();
  #upTo = 0;

  /** Reads on from where it was. */
  async follow(read: Pick<InquiryReads, "findAudit">): Promise<void> {
    const from = (after: number) => read.findAudit({ act: "skill.", after, limit: page });
    for await (const records of pages(from, this.#upTo, ({ seq }) => seq))
      for (const change of records) {
        this.#upTo = change.seq;
        if (/^skill\.(?:un)?published$/.test(change.act)) this.#last.set(change.subject, change);
      }
  }

  /** Whether the last word on an entry is the one that this row is of. */
  isOf({ entry, at, by }: PublishedRow): boolean {
    const last = this.#last.get(entry);
    return last?.act === "skill.published" && last.at === at && last.by === by;
  }
}
