import { posix } from "node:path";
import { AppError } from "../../base/error.ts";
import { isSourceId } from "../../base/ids.ts";
import type { Kept } from "../../base/kept.ts";
import { safeLine } from "../../base/text.ts";
import type { OnChange, Source, SyncBounds } from "../../ingest/source/source.ts";
import type { Trust } from "../../ingest/source/trust.ts";
import { demand, type Person } from "../accounts/roles.ts";
import { type AuditEvent, recordChanges } from "../audit.ts";
import { type Entry, isIntact, sealEntry } from "../entry.ts";
import type { Keys } from "../keys.ts";
import { ledgerHead } from "../ledger-head.ts";
import { believedSource, isIntactSource, sealSource } from "../source-seal.ts";
import type { SyncContext } from "./context.ts";
import { type HeldLock, isHeld } from "./lock.ts";
import type { SyncReads, SyncWrites } from "./port.ts";
import { entriesOf } from "./read.ts";

/** What a person says about a source; the rest is managed by syncs (RV-12). */
export interface SourceSettings {
  readonly title: string;
  readonly trust: Trust;
  readonly onChange: OnChange;
  readonly expectedFingerprint: string | null;
  readonly bounds: SyncBounds | null;
  readonly enabled: boolean;
}

const settingNames = ["title", "trust", "onChange", "expectedFingerprint", "bounds", "enabled"] as const;

/** Adds a folder as a source. Nothing is read yet, and nothing of it is usable until somebody approves it (IN-19). */
export async function addFolder(
  context: SyncContext,
  person: Person,
  folder: string,
  { id: wanted, ...settings }: Partial<SourceSettings> & { readonly id?: string },
): Promise<Source> {
  demand(person, "administer", context.policy);
  const { kept, keys, clock, files } = context;
  const url = await files.resolve(folder);
  if ((await files.kind(url)) !== "folder")
    throw new AppError("path.wrong-kind", `not a folder: ${safeLine(folder, 240)}; name the folder the skills are in`);
  const id = wanted ?? idFrom(url);
  if (!isSourceId(id) || id === "source") throw wrongId(id);
  const named = { id, title: settings.title ?? id, url, addedBy: person.name };
  const source = sealSource(keys, { ...emptySource, ...settings, ...named });
  return kept.transaction(async (port) => {
    await demandUnused(port, source);
    await port.putSource(source);
    const details = { kind: source.kind, url, trust: source.trust, onChange: source.onChange };
    await recordChanges(port, [{ at: clock.now(), by: person.name, act: "source.added", subject: id, details }]);
    return source;
  });
}

const emptySource: Omit<Source, "id" | "title" | "url" | "addedBy" | "seal"> = {
  kind: "folder",
  ref: null,
  pin: null,
  tokenRef: null,
  trust: "community",
  onChange: "disable",
  expectedFingerprint: null,
  hosts: null,
  repositoryId: null,
  ownerId: null,
  include: null,
  bounds: null,
  interval: null,
  dueAt: null,
  approveOnAdd: false,
  cursor: null,
  enabled: true,
  status: "never",
  error: null,
  syncedAt: null,
};

/** The folder's own name, as far as an id can carry it. */
function idFrom(url: string): string {
  const words =
    posix
      .basename(url)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, 64).replace(/-$/, "") || "folder";
}

function wrongId(id: string): AppError {
  const rule = "lowercase letters, digits and single hyphens, at most 64, and not the word `source`";
  return new AppError("usage.invalid", `"${safeLine(id)}" cannot be the id of a source: ${rule}; give one with --id`);
}

async function demandUnused(port: SyncReads, { id, url }: Source): Promise<void> {
  const sources = await port.listSources();
  const same = sources.find((source) => source.url === url);
  if (same !== undefined)
    throw new AppError("record.exists", `${safeLine(url, 240)} is the source ${same.id} already; sync that one`);
  if (sources.some((source) => source.id === id))
    throw new AppError("record.exists", `there is a source ${id} already; give another id with --id`);
}

/** A raised trust or another `on_change` counts from here on; words that were signed keep the trust they were signed at. */
export async function changeSource(
  { kept, keys, clock, policy }: SyncContext,
  person: Person,
  id: string,
  settings: Partial<SourceSettings>,
): Promise<Source> {
  demand(person, "administer", policy);
  return kept.transaction(async (port) => {
    const row = await demandSource(port, id);
    const before = believedSource(keys, row);
    const source = sealSource(keys, { ...before, ...settings });
    const changed = settingNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(source[name]));
    if (changed.length === 0 && isIntactSource(keys, row)) return before;
    await port.putSource(source);
    const details = { changed, trust: source.trust, onChange: source.onChange };
    await recordChanges(port, [{ at: clock.now(), by: person.name, act: "source.changed", subject: id, details }]);
    return source;
  });
}

/** The source goes, its entries are orphaned and kept: what was approved and used stays known (IN-21). */
export async function removeSource(context: SyncContext, person: Person, id: string): Promise<number> {
  demand(person, "administer", context.policy);
  const { kept, clock, keys } = context;
  return kept.transaction(async (port) => {
    await demandSource(port, id);
    const lock = await port.findLock(id);
    if (isHeld(lock, context)) throw new AppError("sync.running", `a sync of ${id} is running; wait for it to end`);
    // A sync that stalled must not write into another source that gets this id (IN-15).
    if (lock !== undefined) await port.putLock({ ...lock, token: lock.token + 1, holder: "" });
    const present = (await entriesOf(port, id)).filter((entry) => entry.present);
    const { seq } = await ledgerHead(port, keys, kept.known());
    await port.putEntries(present.map((entry) => orphaned(keys, entry, seq)));
    await port.deleteSource(id);
    const event = { at: clock.now(), by: person.name, details: {} };
    const events = present.map((entry): AuditEvent => ({ ...event, act: "entry.orphaned", subject: entry.id }));
    await recordChanges(port, [...events, { ...event, act: "source.removed", subject: id }]);
    return present.length;
  });
}

/** What a row that was changed by hand says is not sealed anew. */
function orphaned(keys: Keys, entry: Entry, words: number): Entry {
  const loading = isIntact(keys, entry) ? entry.loading : "[]";
  return sealEntry(keys, { ...entry, loading, present: false, awayAt: words });
}

export async function demandSource(port: SyncReads, id: string): Promise<Source> {
  const source = await port.findSource(id);
  if (source !== undefined) return source;
  const known = (await port.listSources()).map((each) => each.id).join(", ");
  const hint =
    known === "" ? "there is none yet: `skillward source add <folder>`" : `there is: ${safeLine(known, 240)}`;
  throw new AppError("record.missing", `there is no source "${safeLine(id)}"; ${hint}`);
}

/** How a sync goes on; not a change of state that anything is decided by. */
export async function markSource(
  kept: Kept<SyncReads, SyncWrites>,
  id: string,
  mark: Partial<Pick<Source, "status" | "error">>,
  released?: HeldLock,
): Promise<void> {
  await kept.transaction(async (port) => {
    await released?.release(port);
    await port.putSource({ ...(await demandSource(port, id)), ...mark });
  });
}

/** A sync that began and will not end shows as an error with what to do (IN-15). */
export async function listSources(context: SyncContext, person: Person): Promise<readonly Source[]> {
  demand(person, "read", context.policy);
  const sources = await context.kept.read.listSources();
  return Promise.all(sources.map((source) => asItStands(context, source)));
}

async function asItStands(context: SyncContext, source: Source): Promise<Source> {
  if (source.status !== "syncing" || isHeld(await context.kept.read.findLock(source.id), context)) return source;
  const error = `the last sync stopped before its end; run \`skillward source sync ${source.id}\` again`;
  return { ...source, status: "error", error };
}
