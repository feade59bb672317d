import type { Digest } from "../../base/digest.ts";
import type { Finding } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import type { Entry } from "../entry.ts";

/** What a source was seen to hold. */
export interface Seen {
  readonly skills: readonly {
    readonly path: string;
    /** Null: it is there, but could not be read as a whole. */
    readonly digest: Digest | null;
    /** JSON of the findings of loading it. */
    readonly loading: string;
  }[];
  /** Paths below which nothing is known; `""` is everything. */
  readonly unvisited: readonly string[];
}

export type Change =
  | { readonly act: "create"; readonly path: string; readonly digest: Digest }
  | { readonly act: "update"; readonly path: string; readonly from: Digest; readonly digest: Digest }
  | { readonly act: "return"; readonly path: string; readonly from: Digest; readonly digest: Digest }
  /** The same bytes, loaded with other findings: a link that is gone, a file that cannot be read any more. */
  | { readonly act: "reload"; readonly path: string; readonly digest: Digest }
  | { readonly act: "orphan"; readonly path: string };

export interface SyncPlan {
  readonly changes: readonly Change[];
  readonly unchanged: number;
  /** Duplicates, and what was there but could not be read: the sync is partial (IN-16, IN-18). */
  readonly findings: readonly Finding[];
}

type Before = Pick<Entry, "path" | "present" | "current" | "loading">;

/** Pure. What must change so that the registry holds what was seen; the same again changes nothing (IN-17). */
export function planSync(before: readonly Before[], seen: Seen): SyncPlan {
  const known = new Map(before.map((entry) => [entry.path, entry]));
  const visited = new Set<string>();
  const changes: Change[] = [];
  const findings: Finding[] = [];
  let unchanged = 0;
  for (const { path, digest, loading } of seen.skills) {
    const entry = known.get(path);
    if (visited.has(path)) findings.push(duplicate(path));
    else if (digest === null) findings.push(unread(path, entry));
    else {
      const change = changeTo(path, digest, loading, entry);
      if (change === undefined) unchanged++;
      else changes.push(change);
    }
    visited.add(path);
  }
  const hidden = new Set(seen.unvisited);
  const gone = before.filter(({ path, present }) => present && !visited.has(path) && !isHidden(path, hidden));
  return { changes: [...changes, ...gone.map(({ path }) => ({ act: "orphan", path }) as const)], unchanged, findings };
}

function changeTo(path: string, digest: Digest, loading: string, entry: Before | undefined): Change | undefined {
  if (entry === undefined) return { act: "create", path, digest };
  if (!entry.present) return { act: "return", path, from: entry.current, digest };
  if (entry.current !== digest) return { act: "update", path, from: entry.current, digest };
  // IN-20: an unchanged digest is nothing at all.
  return entry.loading === loading ? undefined : { act: "reload", path, digest };
}

/** IN-21: what was not looked at is not gone. */
function isHidden(path: string, hidden: ReadonlySet<string>): boolean {
  if (hidden.size === 0) return false;
  for (let above = path; above !== ""; above = above.slice(0, Math.max(0, above.lastIndexOf("/"))))
    if (hidden.has(above)) return true;
  return hidden.has("");
}

function duplicate(path: string): Finding {
  const message = `"${safeLine(path)}" is there twice; the first one counts`;
  return { code: "sync.duplicate", level: "medium", message, at: { file: safeLine(path), line: 1 } };
}

function unread(path: string, entry: Before | undefined): Finding {
  const what = entry === undefined ? "it is not taken in" : "its entry stays as it was";
  const message = `it is there but could not be read as a whole; ${what}`;
  return { code: "sync.unread", level: "medium", message, at: { file: safeLine(path), line: 1 } };
}
