import type { Digest } from "../base/digest.ts";
import type { Finding } from "../base/finding.ts";
import type { EntryId } from "../base/ids.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { Decision } from "../registry/decision.ts";
import type { Registry } from "../registry/registry.ts";
import type { RevisionFile } from "../registry/revision.ts";
import type { App } from "./app.ts";
import { decisionsIn, standingIn } from "./entry-view.ts";
import { demandEntry } from "./find.ts";

type FileVersion = Pick<RevisionFile, "digest" | "size">;

export interface FileChange {
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
}

/** What the current revision changes. */
export interface SkillDiff {
  readonly entry: EntryId;
  /** What it is compared with; null when nothing of this entry was ever approved. */
  readonly from: { readonly digest: Digest; readonly is: "in use" | "last approved" } | null;
  readonly to: Digest;
  readonly files: readonly FileChange[];
  /** Files that are the same in both. */
  readonly unchanged: number;
  /** Bytes or rows that are not what they were when they came in: what of them is compared is not shown. */
  readonly tampering: readonly Finding[];
}

/** The current revision against the one in use, or else the one that was approved last. */
export async function diffSkill({ registry, person, review }: App, typed: string): Promise<SkillDiff> {
  demand(person, "read", review.policy);
  const look = await registry.look();
  const { id, current } = demandEntry(look, typed);
  const { inUse } = standingIn(look, id);
  const approved = decisionsIn(look, id).findLast(({ word }) => word === "approve")?.digest;
  const digest = inUse ?? approved;
  const from = digest === undefined ? null : ({ digest, is: inUse === null ? "last approved" : "in use" } as const);
  const [before, after] = [await filesOf(registry, from?.digest), await filesOf(registry, current)];
  const files = compare(before.files, after.files);
  const unchanged = after.files.length - files.filter(({ change }) => change !== "removed").length;
  return { entry: id, from, to: current, files, unchanged, tampering: [...before.tampering, ...after.tampering] };
}

interface VerifiedFiles {
  readonly files: readonly RevisionFile[];
  readonly tampering: readonly Finding[];
}

async function filesOf(registry: Registry, digest: Digest | undefined): Promise<VerifiedFiles> {
  if (digest === undefined) return { files: [], tampering: [] };
  const { bundle, findings } = await registry.open(digest);
  const files = bundle?.files ?? [];
  return {
    files: files.map(({ path, digest: hash, bytes }) => ({ path, digest: hash, size: bytes.length })),
    tampering: findings,
  };
}

function compare(before: readonly RevisionFile[], after: readonly RevisionFile[]): FileChange[] {
  const [old, now] = [byPath(before), byPath(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return paths.flatMap((path) => changeOf(path, old.get(path) ?? null, now.get(path) ?? null) ?? []);
}

function changeOf(path: string, before: FileVersion | null, after: FileVersion | null): FileChange | undefined {
  if (before?.digest === after?.digest) return undefined;
  return { path, change: before === null ? "added" : after === null ? "removed" : "changed", before, after };
}

function byPath(files: readonly RevisionFile[]): ReadonlyMap<string, FileVersion> {
  return new Map(files.map(({ path, digest, size }) => [path, { digest, size }]));
}

export interface RevisionLine {
  readonly digest: Digest;
  readonly commit: string | null;
  /** When the entry first had it. */
  readonly seenAt: number;
  readonly current: boolean;
  readonly inUse: boolean;
  /** The words about it, the oldest first. */
  readonly decisions: readonly Pick<Decision, "word" | "by" | "at" | "note">[];
}

/** The revisions that are kept of an entry, the newest first. */
export async function listRevisions(
  { registry, kept, person, review }: App,
  typed: string,
): Promise<{ readonly entry: EntryId; readonly revisions: readonly RevisionLine[] }> {
  demand(person, "read", review.policy);
  const look = await registry.look();
  const { id, current } = demandEntry(look, typed);
  const { inUse } = standingIn(look, id);
  const wordsOn = (digest: Digest) =>
    decisionsIn(look, id)
      .filter((decision) => decision.digest === digest)
      .map(({ word, by, at, note }) => ({ word, by, at, note }));
  const revisions = (await kept.read.revisionsOf(id)).map(({ digest, commit, seenAt }) => ({
    digest,
    commit,
    seenAt,
    current: digest === current,
    inUse: digest === inUse,
    decisions: wordsOn(digest),
  }));
  return { entry: id, revisions };
}
