import { AppError } from "../../core/error.ts";
import { entryId } from "../../core/ids.ts";
import { renderChildren } from "../../sources/marketplace/children.ts";
import type { Provenance } from "../../sources/reading.ts";
import type { Source } from "../../sources/schema.ts";
import type { Permit } from "../accounts/permit.ts";
import type { Person } from "../accounts/roles.ts";
import { type AuditAct, type AuditEvent, recordChanges } from "../audit/audit.ts";
import { type Entry, isIntact, renderProvenance, sealEntry } from "../entry.ts";
import type { Keys } from "../keys.ts";
import { ledgerHead } from "../ledger/ledger-head.ts";
import { isIntactSource, sealSource } from "../source-seal.ts";
import type { HeldLock } from "./lock.ts";
import { type Change, planSync, type SyncPlan } from "./plan.ts";
import { entriesOf, type ProvenanceRow, type SyncContext } from "./port.ts";
import type { SourceReading } from "./read.ts";
import { demandSource } from "./sources.ts";

/** One transaction: the fence, the plan, the entries, the audit, the source (IN-15, IN-17). All of it, or nothing. */
export async function applySync(
  context: SyncContext,
  { person }: Permit<"administer">,
  read: Source,
  lock: HeldLock,
  reading: SourceReading,
): Promise<SyncPlan> {
  const { kept, keys, clock } = context;
  return kept.transaction(async (port) => {
    await lock.demand(port);
    const source = await demandSource(port, read.id);
    demandUnchanged(read, source);
    const before = (await entriesOf(port, read.id)).filter((entry) => entry.id === entryId(entry));
    const words = await ledgerHead(port, keys, kept.known());
    // Of a row that was changed by hand nothing is known, nor what was said before it: what was seen now takes its
    // place. It counts as there, so that one which is not seen is sealed anew as well, as one that is away.
    const believed = before.map((entry) =>
      isIntact(keys, entry) ? entry : { ...entry, present: true, awayAt: words.seq, loading: "" },
    );
    const plan = planSync(believed, reading);
    const known = new Map(believed.map((entry) => [entry.path, entry]));
    const seen = new Map(reading.skills.toReversed().map((skill) => [skill.path, skill]));
    const entries = plan.changes.map((change) => {
      const skill = seen.get(change.path);
      const after = entryAfter(source, change, known.get(change.path), words.seq, skill?.provenance ?? null);
      // What is gone was not loaded now; of a row that is not believed nothing is known.
      return sealEntry(keys, { ...after, loading: skill?.loading ?? (after.loading || "[]") });
    });
    await port.putEntries(entries);
    await port.putProvenance(provenancesOf(keys, source, reading.skills));
    const present = entries.filter((entry) => entry.present);
    await port.insertKept(
      present.map(({ id: entry, current: digest, commit }) => ({ entry, digest, commit, seenAt: clock.now() })),
    );
    const isPartial = plan.findings.length + reading.unvisited.length > 0;
    const after = sourceAfter(keys, source, reading.remote);
    await port.putSource({ ...after, status: isPartial ? "partial" : "ok", error: null, syncedAt: clock.now() });
    await lock.release(port);
    const doubted = new Map(believed.filter((entry, at) => entry !== before[at]).map((entry) => [entry.path, entry]));
    await recordChanges(port, eventsOf({ before: source, after }, plan, doubted, person, clock.now()));
    return plan;
  });
}

/** What was read belongs to the source as it was read: to its address, its ref, its fingerprint (IN-22). */
function demandUnchanged({ id, seal }: Source, now: Source): void {
  if (now.seal === seal) return;
  throw new AppError(
    "sync.superseded",
    `the source ${id} was changed during its sync; nothing was written: sync it again`,
  );
}

/** The latest commit at which these very bytes were seen. */
function provenancesOf(keys: Keys, source: Source, skills: SourceReading["skills"]): ProvenanceRow[] {
  // Of two with one path the first counts: it comes last here, and stays.
  return skills.toReversed().flatMap(({ path, digest, provenance, isNews }) => {
    if (digest === null || provenance === null || !isNews) return [];
    const entry = entryId({ source: source.id, path });
    return [{ entry, record: renderProvenance(keys, { entry, digest, provenance }) }];
  });
}

/** Where a remote source stands now. A row that was changed by hand is not sealed anew (T17). */
function sourceAfter(keys: Keys, source: Source, end: SourceReading["remote"]): Source {
  if (end === null) return source;
  const { pin, repositoryId, ownerId, state, children } = end;
  const cursor = children === null ? null : renderChildren(children);
  const after = { ...source, pin, repositoryId, ownerId, remote: state, cursor };
  return isIntactSource(keys, source) ? sealSource(keys, after) : after;
}

function entryAfter(
  source: Source,
  change: Change,
  before: Entry | undefined,
  words: number,
  provenance: Provenance | null,
): Omit<Entry, "seal"> {
  const { path } = change;
  // Nothing was said about a new one. Had anything been, its row was removed by hand, and no word up to now counts.
  const fresh = { id: entryId({ source: source.id, path }), source: source.id, path, present: true, awayAt: words };
  const kept = before ?? { ...fresh, current: "", loading: "[]", commit: null, repositoryId: null };
  // IN-20: what was said before it went away does not count when it comes back.
  if (change.act === "orphan") return { ...kept, present: false, awayAt: words };
  const [commit, repositoryId] = [provenance?.commit ?? null, provenance?.repositoryId ?? null];
  return { ...kept, present: true, current: change.digest, commit, repositoryId };
}

const acts: Readonly<Record<Change["act"], AuditAct>> = {
  create: "entry.created",
  update: "entry.updated",
  return: "entry.returned",
  reload: "entry.updated",
  orphan: "entry.orphaned",
};

/** Nothing changed, nothing recorded (IN-20). Of a row that was changed by hand, also from when on words count again. */
function eventsOf(
  source: { readonly before: Source; readonly after: Source },
  { changes }: SyncPlan,
  doubted: ReadonlyMap<string, Entry>,
  { name: by }: Person,
  at: number,
): AuditEvent[] {
  const { id, pin } = source.after;
  if (changes.length === 0 && pin === source.before.pin) return [];
  const events = changes.map(({ act, path, ...change }) => {
    const details = { ...change, awayAt: doubted.get(path)?.awayAt };
    return { at, by, act: acts[act], subject: entryId({ source: id, path }), details };
  });
  return [...events, { at, by, act: "source.synced", subject: id, details: { changes: changes.length, pin } }];
}
