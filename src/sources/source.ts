import { AppError } from "../core/error.ts";
import { isRecord, isWhole, parseRecord } from "../core/json/json.ts";
import { safeLine } from "../core/text.ts";
import { isRefName, parseRef } from "./ref.ts";
import type { RemoteState, Source, SourceSettings, SyncBounds } from "./schema.ts";
import { parseTrust, usualTrust } from "./trust.ts";

/** Where skills come from. */
export const sourceKinds = ["file", "repo", "marketplace", "folder"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** What happens to an approved entry whose bytes change: out of use, or the approved revision stays (IN-20). */
export const onChanges = ["disable", "hold"] as const;
export type OnChange = (typeof onChanges)[number];

export const syncStatuses = ["never", "syncing", "ok", "partial", "error"] as const;

/** Nothing is ever unlimited, and no sum of bounds overflows. */
export const mostBounds: SyncBounds = { files: 1_000_000, seconds: 86_400, bytes: 64 * 2 ** 30 };

/** Seconds between two scheduled syncs (IN-24): not so often that a service would mind, and once a year at least. */
export const intervals = { least: 60, most: 31_536_000 };

export function isInterval(seconds: number): boolean {
  return Number.isSafeInteger(seconds) && seconds >= intervals.least && seconds <= intervals.most;
}

/** What a source has until somebody says otherwise. */
export const usualSettings: Omit<SourceSettings, "title"> = {
  trust: usualTrust,
  onChange: "disable",
  expectedFingerprint: null,
  bounds: null,
  enabled: true,
  interval: null,
  include: null,
  tokenForOwner: false,
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the object says that it has them all
export const settingNames = ["title", ...Object.keys(usualSettings)] as readonly (keyof SourceSettings)[];

type Flag = { [Key in keyof SourceSettings]: SourceSettings[Key] extends boolean ? Key : never }[keyof SourceSettings];

/** Settings that are on or off. Off is the safer one of the two, so that it is what cannot be read counts for. */
export const flags = settingNames.filter(
  (name): name is Flag => name !== "title" && typeof usualSettings[name] === "boolean",
);

/**
 * The one reading of a stored source. An unknown kind is an error, never a guess; any other word that is not known
 * reads as the safest: lowest trust, out of use on change, not enabled (IN-1).
 */
export function parseSource(id: string, record: string): Source {
  const stored = parseRecord(record);
  if (stored === undefined) throw damaged(id, "its record is not a JSON object");
  const text = (key: string) => (typeof stored[key] === "string" ? stored[key] : null);
  const number = (key: string) => (isWhole(stored[key]) ? stored[key] : null);
  const kind = sourceKinds.find((known) => known === stored["kind"]);
  if (kind === undefined) throw damaged(id, `its kind is ${safeLine(JSON.stringify(stored["kind"] ?? null))}`);
  return {
    id,
    ...readFlags(stored),
    title: text("title") ?? id,
    kind,
    url: text("url") ?? "",
    ref: text("ref"),
    pin: text("pin"),
    tokenRef: text("tokenRef"),
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
    // A word that is not known says that nothing is known of the last sync.
    status: syncStatuses.find((status) => status === stored["status"]) ?? "never",
    error: text("error"),
    syncedAt: number("syncedAt"),
    addedBy: text("addedBy") ?? "",
    seal: text("seal") ?? "",
  };
}

function readFlags(stored: Record<string, unknown>): Pick<Source, Flag> {
  const read = flags.map((flag) => [flag, stored[flag] === true]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every flag is among them
  return Object.fromEntries(read) as Pick<Source, Flag>;
}

export function renderSource(source: Source): string {
  return JSON.stringify({ ...source, id: undefined });
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

/** What is no interval is none: nothing is asked for again and again by mistake. */
function parseInterval(stored: unknown): number | null {
  return isWhole(stored) && isInterval(stored) ? stored : null;
}

function parseBounds(stored: unknown): SyncBounds | null {
  if (!isRecord(stored)) return null;
  const { files, seconds, bytes } = { files: 0, seconds: 0, bytes: 0, ...stored };
  const { files: mostFiles, seconds: mostSeconds, bytes: mostBytes } = mostBounds;
  const usable = isBound(files, mostFiles) && isBound(seconds, mostSeconds) && isBound(bytes, mostBytes);
  return usable ? { files, seconds, bytes } : null;
}

function isBound(bound: number, most: number): boolean {
  return Number.isSafeInteger(bound) && bound > 0 && bound <= most;
}

/** The one reading of it. Anything odd, and nothing is known: then all is asked for again. */
export function parseRemoteState(stored: unknown): RemoteState | null {
  const state = fieldsExactly(stored, ["defaultBranch", "ref", "etags", "complete", "unread", "proof"]);
  const etags = state && fieldsExactly(state["etags"], ["repository", "commit"]);
  if (state === undefined || etags === undefined) return null;
  const { defaultBranch, ref, complete } = state;
  const { repository, commit } = etags;
  const proof = parseProof(state["proof"]);
  if (!isTextOrNull(defaultBranch, isRefName) || !isTextOrNull(ref, isRef) || !isTextOrNull(complete)) return null;
  if (!isTextOrNull(repository, isEtag) || !isTextOrNull(commit, isEtag) || proof === undefined) return null;
  const unread = parseUnread(state["unread"]);
  if (unread === undefined) return null;
  return { defaultBranch, ref, etags: { repository, commit }, complete, unread, proof };
}

function parseUnread(stored: unknown): readonly string[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  const paths = stored.filter((path) => typeof path === "string");
  return paths.length === stored.length ? paths : undefined;
}

function parseProof(stored: unknown): RemoteState["proof"] | undefined {
  if (stored === null) return null;
  const { commit, reachable } = fieldsExactly(stored, ["commit", "reachable"]) ?? {};
  if ((commit !== "hashed" && commit !== "by API") || !isTextOrNull(reachable, isRef)) return undefined;
  return { commit, reachable };
}

/** The fields of an object that has exactly these. */
function fieldsExactly(stored: unknown, names: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(stored)) return undefined;
  const own = new Set(Object.keys(stored));
  return own.size === names.length && names.every((name) => own.has(name)) ? stored : undefined;
}

function isTextOrNull(value: unknown, fits: (text: string) => boolean = () => true): value is string | null {
  return value === null || (typeof value === "string" && fits(value));
}

function isRef(text: string): boolean {
  return parseRef(text) !== undefined;
}

/** It goes into a header of the next request. */
function isEtag(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}
