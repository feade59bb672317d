import { type Digest, type FileDigest, sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { type EntryId, entryId, placeName } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import { findCollisions } from "../../skill/name.ts";
import type { Source } from "../../sources/schema.ts";
import type { Permit } from "../accounts/permit.ts";
import { recordEvents } from "../audit/audit.ts";
import type { Look } from "../registry.ts";
import type { State } from "../state.ts";
import { applySync } from "./apply.ts";
import { type HeldLock, takeLock } from "./lock.ts";
import type { Change, SyncPlan } from "./plan.ts";
import type { SyncContext } from "./port.ts";
import { readSource, type SourceReading, type SyncOptions } from "./read.ts";
import { rescan } from "./revisions.ts";
import { demandSource, markSource } from "./sources.ts";
import type { SyncResult } from "../schema.ts";

/** Brings the registry to what a source holds: read and keep the bytes, then change the entries in one transaction. */
export async function runSync(
  context: SyncContext,
  permit: Permit<"administer">,
  id: string,
  options: SyncOptions = {},
): Promise<SyncResult> {
  await demandEnabled(context, id);
  const lock = await takeLock(context, id);
  try {
    // From here on nobody else syncs it; who changes it meanwhile is noticed when the entries are written.
    const source = await demandEnabled(context, id);
    await markSource(context.kept, permit, id, { status: "syncing" });
    options.onBegin?.();
    const before = await context.registry.look();
    // First of all: it takes only what is kept, and a source that cannot be read may be the one to look at again.
    const rescanned = await rescan(context, permit, id, lock, before);
    const reading = await readSource(context, source, lock, before, options);
    await demandFingerprint(context, permit, id, source.expectedFingerprint, reading);
    await reading.keep();
    const plan = await applySync(context, permit, source, lock, reading);
    return { ...resultOf(id, plan, reading, before, await context.registry.look()), rescanned };
  } catch (error) {
    await giveUp(context, permit, id, lock, error);
    throw error;
  } finally {
    lock.end();
  }
}

async function demandEnabled({ kept }: SyncContext, id: string): Promise<Source> {
  const source = await demandSource(kept.read, id);
  if (source.enabled) return source;
  throw new AppError("usage.invalid", `the source ${id} is switched off; switch it on first`);
}

/** IN-22: a mismatch stops the whole ingest; nothing changes but the audit, which says so. */
async function demandFingerprint(
  { kept, clock }: SyncContext,
  { person: { name: by } }: Permit<"administer">,
  id: string,
  expected: Digest | null,
  { skills, unvisited }: SourceReading,
): Promise<void> {
  // Where nothing was read again, the commit is one whose fingerprint was right.
  if (expected === null || (skills.length > 0 && skills.every(({ files }) => files === null))) return;
  const all = skills.map(({ path, files }) => ({ path, files: files ?? [] }));
  const found = unvisited.length > 0 ? "unknown: not all of it was read" : fingerprintOf(all);
  if (found === expected) return;
  await kept.transaction((port) =>
    recordEvents(port, [{ at: clock.now(), by, act: "source.refused", subject: id, details: { expected, found } }]),
  );
  const hint = "nothing was changed; ask the publisher, or set the new fingerprint";
  throw new AppError("sync.fingerprint", `the fingerprint of ${id} is ${found}, expected ${expected}; ${hint}`);
}

/** The source says what went wrong until the next sync; a lock that another one holds stays with it. */
async function giveUp(
  context: SyncContext,
  permit: Permit<"administer">,
  id: string,
  lock: HeldLock,
  error: unknown,
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  try {
    await markSource(context.kept, permit, id, { status: "error", error: safeLine(message, 500) }, lock);
  } catch (second) {
    // The first fault is the one to tell; the lock goes stale by itself.
    if (!(second instanceof AppError)) throw second;
  }
}

function resultOf(
  source: string,
  plan: SyncPlan,
  reading: SourceReading,
  before: Look,
  after: Look,
): Omit<SyncResult, "rescanned"> {
  const { changes, unchanged } = plan;
  const idOf = ({ path }: Change) => entryId({ source, path });
  const changed = changes.filter(({ act }) => act !== "orphan").map(idOf);
  const isNow = (id: EntryId, state: State) => after.snapshot.standings.get(id)?.state === state;
  const wasUsable = (id: EntryId) => before.snapshot.usable.has(id);
  const findings = [...reading.findings, ...plan.findings, ...collisions(after, new Set(changed))];
  return {
    source,
    status: plan.findings.length + reading.unvisited.length > 0 ? "partial" : "ok",
    created: changes.filter(({ act }) => act === "create").length,
    updated: changes.filter(({ act }) => act === "update" || act === "return").length,
    unchanged,
    disabledOnChange: changed.filter((id) => wasUsable(id) && isNow(id, "pending")).length,
    held: changed.filter((id) => isNow(id, "held")).length,
    orphaned: changes.filter(({ act }) => act === "orphan").length,
    blocked: new Set([...changed.filter((id) => isNow(id, "blocked")), ...newlyBlocked(source, before, after)]).size,
    requests: reading.requests,
    bytes: reading.bytes,
    limitedUntil: reading.limitedUntil,
    findings,
    pin: reading.remote?.pin ?? null,
    children: reading.remote?.children ?? null,
  };
}

/** Also what did not change can be: a newer scanner sees more. */
function newlyBlocked(source: string, before: Look, { facts, snapshot }: Look): EntryId[] {
  const own = [...facts.entries.values()].filter((entry) => entry.source === source).map(({ id }) => id);
  return own.filter((id) => isBlocked(snapshot, id) && !isBlocked(before.snapshot, id));
}

function isBlocked({ standings }: Look["snapshot"], id: EntryId): boolean {
  return standings.get(id)?.state === "blocked";
}

/** Of what came in: skills of one name, in whatever source; nothing shadows silently. */
function collisions({ facts }: Look, changed: ReadonlySet<EntryId>): Finding[] {
  if (changed.size === 0) return [];
  const present = [...facts.entries.values()].filter((entry) => entry.present && facts.sources.has(entry.source));
  const inOrder = present.toSorted((a, b) => Number(changed.has(a.id)) - Number(changed.has(b.id)));
  const named = inOrder.map(({ id, current, source, path }) => ({
    path: id,
    place: placeName({ source, path }),
    name: facts.summaries.get(current)?.name ?? id,
    digest: current,
  }));
  return findCollisions(named).filter(({ at }) => changed.has(at.file));
}

/**
 * One number over everything a source holds (IN-22), that its publisher can compute with `find`, `sha256sum` and
 * `sort`: sha256 over the lines `path:sha256-of-the-file`, in byte order, each ended by a line feed.
 */
export function fingerprintOf(
  skills: readonly { readonly path: string; readonly files: readonly FileDigest[] }[],
): Digest {
  const lines = skills.flatMap(({ path, files }) =>
    files.map((file) => `${path === "" ? "" : `${path}/`}${file.path}:${file.digest}\n`),
  );
  const sorted = lines.map((line) => Buffer.from(line)).toSorted((a, b) => Buffer.compare(a, b));
  return sha256(Buffer.concat(sorted));
}
