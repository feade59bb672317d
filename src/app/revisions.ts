import type { Digest } from "../base/digest.ts";
import type { Finding } from "../base/finding.ts";
import type { EntryId } from "../base/ids.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { Decision } from "../registry/decision.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look, Registry } from "../registry/registry.ts";
import type { BundleDiff } from "../review/diff/diff.ts";
import type { App } from "./app.ts";
import { decisionsIn, standingIn } from "./entry-view.ts";
import { demandEntry } from "./find.ts";

/** What the current revision changes (RV-4). */
export interface SkillDiff extends BundleDiff {
  readonly entry: EntryId;
  /** What it is compared with; null when nothing of this entry was ever approved: then all of it is new. */
  readonly from: { readonly digest: Digest; readonly is: "in use" | "last approved" } | null;
  readonly to: Digest;
  /** Bytes or rows that are not what they were when they came in: what of them is compared is not shown. */
  readonly tampering: readonly Finding[];
}

/** The current revision against the one in use, or else the one that was approved last. */
export async function diffSkill({ registry, person, review }: App, typed: string): Promise<SkillDiff> {
  demand(person, "read", review.policy);
  const look = await registry.look();
  return diffOf(registry, look, demandEntry(look, typed));
}

export async function diffOf(registry: Registry, look: Look, { id, current }: Entry): Promise<SkillDiff> {
  const { inUse } = standingIn(look, id);
  const approved = decisionsIn(look, id).findLast(({ word }) => word === "approve")?.digest;
  const digest = inUse ?? approved;
  const from = digest === undefined ? null : ({ digest, is: inUse === null ? "last approved" : "in use" } as const);
  const before = from === null ? { findings: [] } : await registry.open(from.digest);
  const after = await registry.open(current);
  const { diffBundles } = await import("../review/diff/diff.ts");
  const changes = after.bundle === undefined ? nothing : diffBundles(before.bundle ?? null, after.bundle);
  return { ...changes, entry: id, from, to: current, tampering: [...before.findings, ...after.findings] };
}

const nothing: BundleDiff = { files: [], unchanged: 0, fields: [], tools: { added: [], removed: [] }, delta: [] };

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
