import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import { isByNewer, isByOlder } from "../../scan/scanned-by.ts";
import { scannerVersion } from "../../scan/version.ts";
import type { Bundle } from "../../skill/bundle.ts";
import type { Permit } from "../accounts/permit.ts";
import { recordChanges } from "../audit/audit.ts";
import { readRevision } from "../facts.ts";
import type { Keys } from "../keys.ts";
import type { RegistryReads, RegistryWrites } from "../port.ts";
import type { Look } from "../registry.ts";
import { createRevision, readSummary, type RevisionRow } from "../revision.ts";
import type { HeldLock } from "./lock.ts";
import type { SyncContext } from "./port.ts";

/** So many, or so many bytes, are scanned in one go: whoever else this process serves gets a turn in between. */
const atOnce = { bundles: 16, bytes: 256 * 1024 };

export async function createRevisions(
  { keys, remote: { timer } }: SyncContext,
  bundles: readonly WholeBundle[],
  lock: Pick<HeldLock, "beat">,
): Promise<readonly RevisionRow[]> {
  const revisions = new Map<Digest, RevisionRow>();
  let [count, bytes] = [0, 0];
  for (const bundle of bundles) {
    if (revisions.has(bundle.digest)) continue;
    revisions.set(bundle.digest, await createRevision(bundle, keys));
    count++;
    bytes += bundle.files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (count < atOnce.bundles && bytes < atOnce.bytes) continue;
    [count, bytes] = [0, 0];
    await timer.after(0);
    await lock.beat();
  }
  return [...revisions.values()];
}

type WholeBundle = Bundle & { readonly digest: Digest };

/** A node of an older version writes nothing over what a newer one saw: it may have seen more. */
export async function putUnlessNewer(
  port: Pick<RegistryReads & RegistryWrites, "findRevisions" | "putRevisions">,
  keys: Keys,
  revisions: readonly RevisionRow[],
  blobs: ReadonlyMap<Digest, Uint8Array>,
): Promise<void> {
  const kept = await port.findRevisions(revisions.map(({ digest }) => digest));
  const newer = new Set(
    kept.filter((row) => isByNewer(readSummary(row, keys)?.scanner ?? "")).map(({ digest }) => digest),
  );
  await port.putRevisions(
    revisions.filter(({ digest }) => !newer.has(digest)),
    blobs,
  );
}

/** So many are written in one transaction. */
const batch = 200;

/**
 * Looks again at what an earlier version of the scanner looked at: all that is current in a source or was decided on. A
 * finding that blocks takes effect at once, also on what is in use (RV-6), and the audit says so.
 */
export async function rescan(
  context: SyncContext,
  permit: Permit<"administer">,
  source: string,
  lock: HeldLock,
  look: Look,
): Promise<number> {
  const stale = staleIn(look, source);
  for (let at = 0; at < stale.length; at += batch)
    await rescanSome(context, permit, source, lock, stale.slice(at, at + batch));
  return stale.length;
}

/** An entry with revisions that were looked at by another scanner. */
interface Stale {
  readonly entry: EntryId;
  readonly digests: readonly Digest[];
}

function staleIn({ facts }: Look, source: string): Stale[] {
  return [...facts.entries.values()].flatMap(({ id, source: of, current }) => {
    if (of !== source) return [];
    const decided = (facts.ledger.decisions.get(id) ?? []).map(({ digest }) => digest);
    const digests = [current, ...decided].filter((digest) => {
      const summary = facts.summaries.get(digest);
      return summary !== undefined && isByOlder(summary.scanner);
    });
    return digests.length === 0 ? [] : [{ entry: id, digests }];
  });
}

/** What is not kept as it came in is left as it is: every look at the registry says so already. */
async function rescanSome(
  context: SyncContext,
  { person: { name: by } }: Permit<"administer">,
  source: string,
  lock: HeldLock,
  stale: readonly Stale[],
): Promise<void> {
  const { kept, clock } = context;
  const rows = await kept.read.findRevisions([...new Set(stale.flatMap(({ digests }) => digests))]);
  const opened = await Promise.all(rows.map((row) => readRevision(kept.read, row)));
  const bundles = opened.flatMap(({ bundle }) => bundle ?? []);
  const revisions = await createRevisions(context, bundles, lock);
  if (revisions.length === 0) return;
  const details = { revisions: revisions.length, scanner: scannerVersion };
  await kept.transaction(async (port) => {
    await lock.demand(port);
    await putUnlessNewer(port, context.keys, revisions, new Map());
    // Written again as they are: whoever keeps an older look at them reads their revisions again.
    await port.putEntries(
      (await Promise.all(stale.map(({ entry }) => port.findEntry(entry)))).flatMap((row) => row ?? []),
    );
    await recordChanges(port, [{ at: clock.now(), by, act: "source.rescanned", subject: source, details }]);
  });
}
