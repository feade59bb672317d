import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import { isSourceId } from "../../core/ids.ts";
import type { Kept } from "../../core/kept.ts";
import { safeLine } from "../../core/text.ts";
import type { Randomness } from "../../core/world.ts";
import { type Ref, renderRef } from "../../sources/ref.ts";
import { fullName, type Repository } from "../../sources/repository.ts";
import type { Source, SourceSettings } from "../../sources/schema.ts";
import { settingNames, type SourceKind, usualSettings } from "../../sources/source.ts";
import type { Permit } from "../accounts/permit.ts";
import { type AuditEvent, recordChanges } from "../audit/audit.ts";
import { type Entry, isIntact, sealEntry } from "../entry.ts";
import type { Keys } from "../keys.ts";
import { ledgerHead } from "../ledger/ledger-head.ts";
import { believedSource, demandIntactRemote, isIntactSource, sealSource } from "../source-seal.ts";
import { entriesOf, type SyncContext, type SyncReads, type SyncWrites } from "./port.ts";
import { type HeldLock, isHeld } from "./lock.ts";
import { dropToken, keepToken } from "./remote.ts";

/** What is said about a source when it is added. */
export interface Addition extends Partial<SourceSettings> {
  readonly id?: string;
  /** Whether adding it was meant as the approval of the digest that was read then (IN-19). */
  readonly approveOnAdd?: boolean;
  /** Whether it is synced right away: then it is not due before its interval has passed. */
  readonly isReadNow?: boolean;
}

/** Adds a folder as a source. Nothing is read yet, and nothing of it is usable until somebody approves it (IN-19). */
export async function addFolder(
  context: SyncContext,
  permit: Permit<"administer">,
  folder: string,
  addition: Addition,
): Promise<Source> {
  const { files } = context;
  const url = await files.resolve(folder);
  if ((await files.kind(url)) !== "folder")
    throw new AppError("path.wrong-kind", `not a folder: ${safeLine(folder, 240)}; name the folder the skills are in`);
  return addSource(context, permit, { ...emptySource, url }, idFrom(posix.basename(url), "folder"), addition, null);
}

/** A source on a GitHub, as far as it is settled by what was typed. */
export interface RemotePlace {
  readonly kind: Exclude<SourceKind, "folder">;
  readonly repository: Repository;
  readonly ref: Ref | null;
  /** Of the repository as it is now: another one under this name is not this source (T12). */
  readonly repositoryId: number;
  readonly ownerId: number;
  /** The folder it is limited to; empty: none. */
  readonly path: string;
}

/** Adds a repository, one skill of it, or a marketplace. Nothing of it is read yet. */
export async function addRemote(
  context: SyncContext,
  permit: Permit<"administer">,
  place: RemotePlace,
  addition: Addition,
  token: string | null,
): Promise<Source> {
  const { kind, repository, ref, repositoryId, ownerId, path } = place;
  const source = {
    ...emptySource,
    kind,
    url: `${repository.hosts.web}/${fullName(repository)}`,
    hosts: repository.hosts.name,
    ref: ref === null ? null : renderRef(ref),
    repositoryId,
    ownerId,
    include: kind === "marketplace" || (path === "" && kind === "repo") ? null : [path],
  };
  const name = path === "" ? repository.name : posix.basename(path);
  return addSource(context, permit, source, idFrom(name, "source-1"), addition, token);
}

type NewSource = Omit<Source, "id" | "title" | "addedBy" | "seal">;

async function addSource(
  { kept, keys, clock, remote }: SyncContext,
  { person }: Permit<"administer">,
  place: NewSource,
  usualId: string,
  { id: wanted, isReadNow = false, ...settings }: Addition,
  token: string | null,
): Promise<Source> {
  const id = wanted ?? usualId;
  demandSourceId(id);
  const named = { id, title: settings.title ?? id, addedBy: person.name };
  const { interval = null } = settings;
  const dueAt = interval === null ? null : clock.now() + (isReadNow ? interval * 1000 : 0);
  const added = sealSource(keys, { ...place, ...settings, ...named, dueAt });
  return kept.transaction(async (port) => {
    await demandUnused(port, added);
    const tokenRef = token === null ? null : await keepToken(port, keys, remote.random, added, token);
    const source = tokenRef === null ? added : sealSource(keys, { ...added, tokenRef });
    await port.putSource(source);
    const { kind, url, ref, trust, onChange } = source;
    const details = { kind, url, trust, onChange, ...(ref === null ? {} : { ref }) };
    await recordChanges(port, [{ at: clock.now(), by: person.name, act: "source.added", subject: id, details }]);
    return source;
  });
}

const emptySource: Omit<Source, "id" | "title" | "url" | "addedBy" | "seal"> = {
  ...usualSettings,
  kind: "folder",
  ref: null,
  pin: null,
  tokenRef: null,
  hosts: null,
  repositoryId: null,
  ownerId: null,
  dueAt: null,
  approveOnAdd: false,
  cursor: null,
  remote: null,
  status: "never",
  error: null,
  syncedAt: null,
};

/** A name, as far as an id can carry it. */
function idFrom(name: string, otherwise: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, 64).replace(/-$/, "") || otherwise;
}

/** What ids of other things begin with: routable sets, and capability skills that no source has (SC-2). */
const reserved: readonly string[] = ["source", "session", "built-in", "project", "user", "user-claude"];

export function demandSourceId(id: string): void {
  if (isSourceId(id) && !reserved.includes(id)) return;
  const rule = `lowercase letters, digits and single hyphens, at most 64, and none of ${reserved.join(", ")}`;
  throw new AppError("usage.invalid", `"${safeLine(id)}" cannot be the id of a source: ${rule}; give another one`);
}

/** Names of repositories that differ by case alone are one. */
function placeKey({ url, ref, include, hosts }: Pick<Source, "url" | "ref" | "include" | "hosts">): string {
  return JSON.stringify([hosts === null ? url : url.toLowerCase(), ref, include]);
}

async function demandUnused(port: SyncReads, { id, url, ref, include, hosts }: Source): Promise<void> {
  const sources = await port.listSources();
  const same = sources.find((source) => placeKey(source) === placeKey({ url, ref, include, hosts }));
  if (same !== undefined)
    throw new AppError("record.exists", `${safeLine(url, 240)} is the source ${same.id} already; sync that one`);
  if (sources.some((source) => source.id === id))
    throw new AppError("record.exists", `there is a source ${id} already; give another id`);
}

/** A raised trust or another `on_change` counts from here on; words that were signed keep the trust they were signed at. */
export async function changeSource(
  { kept, keys, clock, remote }: SyncContext,
  { person }: Permit<"administer">,
  id: string,
  settings: Partial<SourceSettings>,
  token?: string | null,
): Promise<Source> {
  return kept.transaction(async (port) => {
    const row = await demandSource(port, id);
    demandIntactRemote(keys, row);
    const before = believedSource(keys, row);
    const tokenRef = await tokenAfter(port, keys, remote.random, before, token);
    const dueAt = nextDueAt(before, settings, clock.now());
    const source = sealSource(keys, { ...before, ...settings, tokenRef, dueAt });
    const changed: string[] = settingNames.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(source[name]),
    );
    if (token !== undefined) changed.push("token");
    if (changed.length === 0 && isIntactSource(keys, row)) return before;
    await port.putSource(source);
    const details = { changed, trust: source.trust, onChange: source.onChange };
    await recordChanges(port, [{ at: clock.now(), by: person.name, act: "source.changed", subject: id, details }]);
    return source;
  });
}

/** Undefined: it stays as it is; null: there is none any more (IN-6). */
async function tokenAfter(
  port: SyncWrites,
  keys: Keys,
  random: Randomness,
  source: Source,
  token: string | null | undefined,
): Promise<string | null> {
  if (token === undefined) return source.tokenRef;
  if (token !== null) return keepToken(port, keys, random, source, token);
  await dropToken(port, source);
  return null;
}

/** An interval that is set begins at once. */
function nextDueAt(before: Source, { interval }: Partial<SourceSettings>, now: number): number | null {
  if (interval === undefined || interval === before.interval) return before.dueAt;
  return interval === null ? null : now;
}

/** The source goes, its entries are orphaned and kept: what was approved and used stays known (IN-21). */
export async function removeSource(
  context: SyncContext,
  { person }: Permit<"administer">,
  id: string,
): Promise<number> {
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
    await dropToken(port, { id });
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
    known === "" ? "there is none yet: `skillward source add owner/repo`" : `there is: ${safeLine(known, 240)}`;
  throw new AppError("record.missing", `there is no source "${safeLine(id)}"; ${hint}`);
}

/** How a sync goes on; not a change of state that anything is decided by. */
export async function markSource(
  kept: Kept<SyncReads, SyncWrites>,
  _permit: Permit<"administer">,
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
export async function listSources(context: SyncContext, _permit: Permit<"read">): Promise<readonly Source[]> {
  const sources = await context.kept.read.listSources();
  return Promise.all(sources.map((source) => asItStands(context, source)));
}

async function asItStands(context: SyncContext, source: Source): Promise<Source> {
  if (source.status !== "syncing" || isHeld(await context.kept.read.findLock(source.id), context)) return source;
  const error = `the last sync stopped before its end; run \`skillward source sync ${source.id}\` again`;
  return { ...source, status: "error", error };
}
