import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import { parseRemoteState } from "./remote-state.ts";
import { parseTrust, type Trust } from "./trust.ts";

/** Where skills come from. */
export const sourceKinds = ["file", "repo", "marketplace", "folder"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** What happens to an approved entry whose bytes change: out of use, or the approved revision stays (IN-20). */
export const onChanges = ["disable", "hold"] as const;
export type OnChange = (typeof onChanges)[number];

type SyncStatus = "never" | "syncing" | "ok" | "partial" | "error";

/** The most one sync may read (IN-16). */
export interface SyncBounds {
  readonly files: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** Nothing is ever unlimited, and no sum of bounds overflows. */
export const mostBounds: SyncBounds = { files: 1_000_000, seconds: 86_400, bytes: 64 * 2 ** 30 };

/** What syncs of a remote source remember of it. Nobody is trusted by it: without it a sync asks for everything anew. */
export interface RemoteState {
  readonly defaultBranch: string | null;
  /** As it was resolved: `heads/…`, `tags/…` or 40 hex. */
  readonly ref: string | null;
  /** Of the last answers, so that an unchanged source costs two requests (IN-11). */
  readonly etags: { readonly repository: string | null; readonly commit: string | null };
  /** What the last complete sync stood on: commit, settings, how many skills; null: there was none. */
  readonly complete: string | null;
  /** Paths of skills of it that can never be read as a whole, such as those that are too large. */
  readonly unread: readonly string[];
  readonly proof: RemoteProof | null;
}

export interface RemoteProof {
  readonly commit: "hashed" | "by API";
  /** The branch or tag from which the pin can be reached (T10); null: none is known. */
  readonly reachable: string | null;
}

/** Seconds between two scheduled syncs (IN-24): not so often that a service would mind, and once a year at least. */
export const intervals = { least: 60, most: 31_536_000 };

export function isInterval(seconds: number): boolean {
  return Number.isSafeInteger(seconds) && seconds >= intervals.least && seconds <= intervals.most;
}

/** A place skills come from, as it is kept (IN-1). What only remote kinds have is null for a folder. */
export interface Source {
  readonly id: string;
  readonly title: string;
  readonly kind: SourceKind;
  /** For a folder: its real path. */
  readonly url: string;
  readonly ref: string | null;
  readonly pin: string | null;
  /** The name under which its token is kept, encrypted; null: it has none (IN-6). */
  readonly tokenRef: string | null;
  /** Whether repositories of the same owner that a marketplace names get the token too (IN-6). */
  readonly tokenForOwner: boolean;
  readonly trust: Trust;
  readonly onChange: OnChange;
  readonly expectedFingerprint: string | null;
  readonly hosts: string | null;
  readonly repositoryId: number | null;
  readonly ownerId: number | null;
  readonly include: readonly string[] | null;
  readonly bounds: SyncBounds | null;
  /** Seconds between scheduled syncs; null: only when asked. */
  readonly interval: number | null;
  /** When the next scheduled sync is to begin; null: never. */
  readonly dueAt: number | null;
  readonly approveOnAdd: boolean;
  readonly cursor: string | null;
  readonly remote: RemoteState | null;
  readonly enabled: boolean;
  readonly status: SyncStatus;
  readonly error: string | null;
  readonly syncedAt: number | null;
  readonly addedBy: string;
  /** Over what people set. */
  readonly seal: string;
}

/**
 * The one reading of a stored source. An unknown kind is an error, never a guess; any other word that is not known
 * reads as the safest: lowest trust, out of use on change, not enabled (IN-1).
 */
export function parseSource(id: string, record: string): Source {
  const stored = parseRecord(id, record);
  const text = (key: string) => (typeof stored[key] === "string" ? stored[key] : null);
  const number = (key: string) => (isWhole(stored[key]) ? stored[key] : null);
  const kind = sourceKinds.find((known) => known === stored["kind"]);
  if (kind === undefined) throw damaged(id, `its kind is ${safeLine(JSON.stringify(stored["kind"] ?? null))}`);
  return {
    id,
    title: text("title") ?? id,
    kind,
    url: text("url") ?? "",
    ref: text("ref"),
    pin: text("pin"),
    tokenRef: text("tokenRef"),
    tokenForOwner: stored["tokenForOwner"] === true,
    trust: parseTrust(stored["trust"]),
    onChange: stored["onChange"] === "hold" ? "hold" : "disable",
    expectedFingerprint: text("expectedFingerprint"),
    hosts: text("hosts"),
    repositoryId: number("repositoryId"),
    ownerId: number("ownerId"),
    include: parseInclude(stored["include"]),
    bounds: parseBounds(stored["bounds"]),
    interval: parseInterval(stored["interval"]),
    dueAt: number("dueAt"),
    approveOnAdd: stored["approveOnAdd"] === true,
    cursor: text("cursor"),
    remote: parseRemoteState(stored["remote"]),
    enabled: stored["enabled"] === true,
    status: parseStatus(stored["status"]),
    error: text("error"),
    syncedAt: number("syncedAt"),
    addedBy: text("addedBy") ?? "",
    seal: text("seal") ?? "",
  };
}

export function renderSource(source: Source): string {
  return JSON.stringify({ ...source, id: undefined });
}

function parseRecord(id: string, record: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(record);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // Said below, in words that help.
  }
  throw damaged(id, "its record is not a JSON object");
}

function damaged(id: string, why: string): AppError {
  return new AppError(
    "store.failed",
    `the source "${safeLine(id)}" cannot be read: ${why}; remove it and add it again`,
  );
}

/** Null: everything. A list that cannot be read includes nothing. */
function parseInclude(stored: unknown): readonly string[] | null {
  if (stored === undefined || stored === null) return null;
  return Array.isArray(stored) ? stored.filter((path): path is string => typeof path === "string") : [];
}

/** A number by hand that the store could not keep is none. */
function isWhole(stored: unknown): stored is number {
  return Number.isSafeInteger(stored);
}

/** What is no interval is none: nothing is asked for again and again by mistake. */
function parseInterval(stored: unknown): number | null {
  return isWhole(stored) && isInterval(stored) ? stored : null;
}

function parseBounds(stored: unknown): SyncBounds | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { files, seconds, bytes } = { files: 0, seconds: 0, bytes: 0, ...stored };
  const { files: mostFiles, seconds: mostSeconds, bytes: mostBytes } = mostBounds;
  const usable = isBound(files, mostFiles) && isBound(seconds, mostSeconds) && isBound(bytes, mostBytes);
  return usable ? { files, seconds, bytes } : null;
}

function isBound(bound: number, most: number): boolean {
  return Number.isSafeInteger(bound) && bound > 0 && bound <= most;
}

/** A word that is not known says that nothing is known of the last sync. */
function parseStatus(stored: unknown): SyncStatus {
  const known: readonly SyncStatus[] = ["never", "syncing", "ok", "partial", "error"];
  return known.find((status) => status === stored) ?? "never";
}
