import { isRefName, parseRef } from "./ref.ts";
import type { RemoteProof, RemoteState } from "./source.ts";

/** The one reading of it. Anything odd, and nothing is known: then all is asked for again. */
export function parseRemoteState(stored: unknown): RemoteState | null {
  const state = fieldsOf(stored, ["defaultBranch", "ref", "etags", "complete", "unread", "proof"]);
  const etags = state && fieldsOf(state["etags"], ["repository", "commit"]);
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
  const { commit, reachable } = fieldsOf(stored, ["commit", "reachable"]) ?? {};
  if ((commit !== "hashed" && commit !== "by API") || !isTextOrNull(reachable, isRef)) return undefined;
  return { commit, reachable };
}

/** The fields of an object that has exactly these. */
function fieldsOf(stored: unknown, names: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return undefined;
  const own = new Set(Object.keys(stored));
  return own.size === names.length && names.every((name) => own.has(name)) ? { ...stored } : undefined;
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
