import { entryId } from "../../base/ids.ts";
import type { Source } from "../../ingest/source/source.ts";
import type { Person } from "../accounts/roles.ts";
import { type AuditAct, type AuditEvent, recordChanges } from "../audit.ts";
import { type Entry, isIntact, sealEntry } from "../entry.ts";
import type { Keys } from "../keys.ts";
import { ledgerHead } from "../ledger-head.ts";
import type { SyncContext } from "./context.ts";
import type { HeldLock } from "./lock.ts";
import { type Change, planSync, type SyncPlan } from "./plan.ts";
import { entriesOf, type SourceReading } from "./read.ts";
import { demandSource } from "./sources.ts";

/** One transaction: the fence, the plan, the entries, the audit, the source (IN-15, IN-17). All of it, or nothing. */
export async function applySync(
  context: SyncContext,
  person: Person,
  { id }: Source,
  lock: HeldLock,
  reading: SourceReading,
): Promise<SyncPlan> {
  const { kept, keys, clock } = context;
  return kept.transaction(async (port) => {
    await lock.demand(port);
    const source = await demandSource(port, id);
    const before = (await entriesOf(port, id)).filter((entry) => entry.id === entryId(entry));
    const words = await ledgerHead(port, keys, kept.known());
    const believed = before.map((entry) => asKnown(keys, entry, words.seq));
    const plan = planSync(believed, reading);
    const known = new Map(believed.map((entry) => [entry.path, entry]));
    const loading = new Map(reading.skills.map((skill) => [skill.path, skill.loading]));
    const entries = plan.changes.map((change) => {
      const after = entryAfter(source, change, known.get(change.path), words.seq);
      // What is gone was not loaded now; of a row that is not believed nothing is known.
      return sealEntry(keys, { ...after, loading: loading.get(change.path) ?? (after.loading || "[]") });
    });
    await port.putEntries(entries);
    const seen = entries.filter(({ present }) => present);
    await port.insertKept(
      seen.map(({ id: entry, current: digest, commit }) => ({ entry, digest, commit, seenAt: clock.now() })),
    );
    const isPartial = plan.findings.length + reading.unvisited.length > 0;
    await port.putSource({ ...source, status: isPartial ? "partial" : "ok", error: null, syncedAt: clock.now() });
    await lock.release(port);
    const doubted = new Map(believed.filter((entry, at) => entry !== before[at]).map((entry) => [entry.path, entry]));
    await recordChanges(port, eventsOf(source, plan, doubted, person, clock.now()));
    return plan;
  });
}

/** Of a row that was changed by hand nothing is known, nor what was said before it: what was seen now takes its place. */
function asKnown(keys: Keys, entry: Entry, words: number): Entry {
  return isIntact(keys, entry) ? entry : { ...entry, awayAt: words, loading: "" };
}

function entryAfter(source: Source, change: Change, before: Entry | undefined, words: number): Omit<Entry, "seal"> {
  const { path } = change;
  // Nothing was said about a new one. Had anything been, its row was removed by hand, and no word up to now counts.
  const fresh = { id: entryId({ source: source.id, path }), source: source.id, path, present: true, awayAt: words };
  const kept = before ?? { ...fresh, current: "", loading: "[]", commit: null, repositoryId: null };
  // IN-20: what was said before it went away does not count when it comes back.
  if (change.act === "orphan") return { ...kept, present: false, awayAt: words };
  return { ...kept, present: true, current: change.digest, commit: source.pin, repositoryId: source.repositoryId };
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
  source: Source,
  { changes }: SyncPlan,
  doubted: ReadonlyMap<string, Entry>,
  { name: by }: Person,
  at: number,
): AuditEvent[] {
  if (changes.length === 0) return [];
  const events = changes.map(({ act, path, ...change }) => {
    const details = { ...change, awayAt: doubted.get(path)?.awayAt };
    return { at, by, act: acts[act], subject: entryId({ source: source.id, path }), details };
  });
  const details = { changes: changes.length, pin: source.pin };
  return [...events, { at, by, act: "source.synced", subject: source.id, details }];
}
