import type { Digest } from "../base/digest.ts";
import { pages } from "../base/pages.ts";
import type { AuditRecord, ChainHead } from "./audit.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Keys } from "./keys.ts";
import { continueHead, type LedgerRow, rowDigest } from "./ledger.ts";
import type { RegistryReads } from "./port.ts";

/**
 * The end of the signed chain: the checkpoint's, and on through what links to it. What others have said since is found
 * by the rows and by their copies in the audit chain, so that a row that is gone or was moved hides nothing (T18).
 */
export async function ledgerHead(port: RegistryReads, keys: Keys, known: Checkpoint): Promise<ChainHead> {
  const copies = await ledgerCopies(port, known.audit.seq);
  return continueHead(known.ledger, [...copies.values(), ...(await rowsAbove(port, known.ledger.seq))], keys);
}

/** The same after this transaction's own words, which are in its rows. */
export async function ledgerHeadAfter(port: RegistryReads, keys: Keys, head: ChainHead): Promise<ChainHead> {
  return continueHead(head, await rowsAbove(port, head.seq), keys);
}

async function rowsAbove(port: RegistryReads, seq: number): Promise<readonly LedgerRow[]> {
  for (let limit = 1; ; limit *= 8) {
    const rows = await port.ledgerTop(limit);
    const above = rows.filter((row) => row.seq > seq);
    if (above.length < limit) return above;
  }
}

const page = 5000;

/** Every statement is also in the audit record of its change; its own digest says whether it is the one. */
export async function ledgerCopies(port: RegistryReads, since: number): Promise<ReadonlyMap<Digest, LedgerRow>> {
  const copies = new Map<Digest, LedgerRow>();
  for await (const records of pages(
    (after) => port.auditAfter(after, page),
    since,
    ({ seq }) => seq,
  )) {
    const rows = records.map(copyIn).filter((row) => row !== undefined);
    for (const row of rows) copies.set(rowDigest(row), row);
  }
  return copies;
}

function copyIn({ act, subject, details }: AuditRecord): LedgerRow | undefined {
  if (!act.startsWith("decision.") && !act.startsWith("block.")) return undefined;
  try {
    const { seq, payload, key, signature } = JSON.parse(details);
    return {
      place: 0,
      seq: Number(seq),
      subject,
      payload: String(payload),
      key: String(key),
      signature: String(signature),
    };
  } catch {
    return undefined;
  }
}
