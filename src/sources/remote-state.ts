import { isRecord } from "../core/json/json.ts";
import { isRefName, parseRef } from "./ref.ts";

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

function parseProof(stored: unknown): RemoteProof | null | undefined {
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
