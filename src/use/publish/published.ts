import { canonicalJson } from "../../base/canonical.ts";
import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import type { EntryId } from "../../base/ids.ts";
import type { Kept } from "../../base/kept.ts";
import { safeLine, storedText } from "../../base/text.ts";
import type { Clock } from "../../base/world.ts";
import { type AccountPolicy, demand, type Person } from "../../registry/accounts/roles.ts";
import { type AuditAct, type AuditWrites, recordChanges } from "../../registry/audit.ts";
import type { InquiryReads } from "../../registry/inquiry.ts";
import { isSealed, type Keys, sealText } from "../../registry/keys.ts";
import type { PublishedReads, PublishedRow, PublishedWrites } from "./port.ts";
import { publishFinding } from "./publish-faults.ts";
import { PublishedHistory } from "./published-history.ts";

type Reads = PublishedReads & Pick<InquiryReads, "findAudit">;
type Writes = PublishedWrites & Reads & AuditWrites;

/** What the flows of this file work with: what is kept, its keys, and who asks. */
export interface PublishedContext {
  readonly kept: Kept<Reads, Writes>;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly policy: AccountPolicy;
  readonly person: Person;
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
  const rows = all.filter((row) => isIntact(keys, row) && history.isOf(row));
  return { rows, tampered: all.filter((row) => !rows.includes(row)) };
}

/** Switches an entry on. That it may be used now is for the caller to have seen; what is served is looked at each time. */
export async function switchOn(context: PublishedContext, entry: EntryId): Promise<PublishedRow> {
  demand(context.person, "administer", context.policy);
  const { kept, keys, clock, person } = context;
  return kept.transaction(async (port) => {
    const { rows } = await readPublished(port, keys);
    if (rows.some((row) => row.entry === entry))
      throw new AppError("record.exists", `${shown(entry)} is published already`);
    const row = sealed(keys, { entry, at: clock.now(), by: person.name });
    await port.putPublished(row);
    await record(port, "skill.published", row);
    return row;
  });
}

/** Also an entry that the registry has no more, and a row that counts for nothing. */
export async function switchOff(context: PublishedContext, entry: EntryId): Promise<void> {
  demand(context.person, "administer", context.policy);
  const { kept, clock, person } = context;
  await kept.transaction(async (port) => {
    if ((await port.findPublished(entry)) === undefined)
      throw new AppError(
        "record.missing",
        `${shown(entry)} is not published; \`skillward skill published\` lists what is`,
      );
    await port.deletePublished(entry);
    await record(port, "skill.unpublished", { entry, at: clock.now(), by: person.name });
  });
}

/** Invariant 7: the row and the record of it, in one transaction. */
function record(port: AuditWrites, act: AuditAct, { entry, at, by }: Omit<PublishedRow, "seal">): Promise<void> {
  return recordChanges(port, [{ at, by, act, subject: entry, details: {} }]);
}

function sealed(keys: Keys, row: Omit<PublishedRow, "seal">): PublishedRow {
  return { ...row, seal: sealText(keys, sealedText(row)) };
}

function isIntact(keys: Keys, row: PublishedRow): boolean {
  return isSealed(keys, sealedText(row), row.seal);
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
