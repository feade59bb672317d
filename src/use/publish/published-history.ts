import type { EntryId } from "../../base/ids.ts";
import { pages } from "../../base/pages.ts";
import type { AuditRecord } from "../../registry/audit.ts";
import type { InquiryReads } from "../../registry/inquiry.ts";
import type { PublishedRow } from "./port.ts";

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
      for (const record of records) {
        this.#upTo = record.seq;
        if (/^skill\.(?:un)?published$/.test(record.act)) this.#last.set(record.subject, record);
      }
  }

  /** Whether the last word on an entry is the one that this row is of. */
  isOf({ entry, at, by }: PublishedRow): boolean {
    const last = this.#last.get(entry);
    return last?.act === "skill.published" && last.at === at && last.by === by;
  }
}
