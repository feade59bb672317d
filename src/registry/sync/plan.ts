import type { Digest } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import { entryId } from "../../core/ids.ts";
import { pages } from "../../core/kept.ts";
import { safeLine } from "../../core/text.ts";
import type { KnownSkill } from "../../sources/reading.ts";
import { type Entry, isIntact, readProvenance } from "../entry.ts";
import type { Keys } from "../keys.ts";
import { entriesOf, type SyncContext, type SyncReads } from "./port.ts";

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

/** What the registry holds of a skill: what it is compared with, and what of it need not be read again. */
export interface KnownEntry extends KnownSkill {
  readonly entry: Entry;
}

export interface KnownEntries {
  /** Those that are there, by path. */
  readonly known: ReadonlyMap<string, KnownEntry>;
  /** Whether there are rows that were changed by hand: nothing of what they say is known, so all is read again. */
  readonly isDoubtful: boolean;
}

export async function knownEntries({ kept, keys }: SyncContext, source: string): Promise<KnownEntries> {
  // A row that is not of the place its id names is nobody's, and no sync can change that.
  const own = (await entriesOf(kept.read, source)).filter((entry) => entry.id === entryId(entry));
  const intact = own.filter((entry) => isIntact(keys, entry));
  const provenances = await provenancesOf(kept.read, keys, source);
  const known = intact
    .filter(({ present }) => present)
    .map((entry): [string, KnownEntry] => {
      const from = provenances.get(entry.id);
      const provenance = from?.digest === entry.current ? from.provenance : null;
      return [entry.path, { digest: entry.current, provenance, entry }];
    });
  // Whatever came from a commit was kept with where it came from.
  const isUntold = known.some(([, { entry, provenance }]) => entry.commit !== null && provenance === null);
  return { known: new Map(known), isDoubtful: isUntold || intact.length < own.length };
}

async function provenancesOf(port: SyncReads, keys: Keys, source: string) {
  const found = new Map<string, ReturnType<typeof readProvenance>>();
  const read = (after: string) => port.listProvenance(source, { after, limit: 5000 });
  for await (const some of pages(read, "", ({ entry }) => entry))
    for (const { entry, record } of some) found.set(entry, readProvenance(keys, entry, record));
  return found;
}
