import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import type { Entry } from "../../registry/entry.ts";
import type { Look, Registry } from "../../registry/registry.ts";
import type { BundleDiff } from "../../diff/diff.ts";
import type { App } from "../../app/app.ts";
import { demandDigest, demandEntry, revisionsSeen, seenBy } from "./find.ts";
import type { DiffWanted, RevisionLine, SkillDiff } from "./schema.ts";
import { decisionsIn, standingIn } from "./view.ts";

export async function diffSkill(app: App, typed: string, { from, to }: DiffWanted = {}): Promise<SkillDiff> {
  const { registry, kept, person } = app;
  requireRight(app, "read");
  const look = seenBy(person, await registry.look());
  const entry = demandEntry(look, typed);
  const revisions = revisionsSeen(person, kept.read, entry);
  const chosen = (digest: string) => demandDigest(revisions, entry, digest);
  const before = from === undefined ? undefined : ({ digest: await chosen(from), is: "chosen" } as const);
  return diffOf(registry, look, entry, before, to === undefined ? undefined : await chosen(to));
}

export async function diffOf(
  registry: Registry,
  look: Look,
  entry: Entry,
  from: SkillDiff["from"] = comparedWith(registry, look, entry),
  to: Digest = entry.current,
): Promise<SkillDiff> {
  const before = from === null ? { findings: [] } : await registry.open(from.digest);
  const after = await registry.open(to);
  const { diffBundles } = await import("../../diff/diff.ts");
  const changes = after.bundle === undefined ? nothing : diffBundles(before.bundle ?? null, after.bundle);
  return { ...changes, entry: entry.id, from, to, tampering: [...before.findings, ...after.findings] };
}

/** What was approved by one person where two are asked for is none to compare with: the second sees all of it (RV-5). */
export function comparedWith(registry: Registry, look: Look, entry: Entry): SkillDiff["from"] {
  const { inUse } = standingIn(look, entry.id);
  const digest = inUse ?? registry.approved(look, entry).last;
  return digest === null ? null : { digest, is: inUse === null ? "last approved" : "in use" };
}

const nothing: BundleDiff = { files: [], unchanged: 0, fields: [], tools: { added: [], removed: [] }, delta: [] };

/** The revisions that are kept of an entry, the newest first. */
export async function listRevisions(
  app: App,
  typed: string,
): Promise<{ readonly entry: EntryId; readonly revisions: readonly RevisionLine[] }> {
  const { registry, kept, person } = app;
  requireRight(app, "read");
  const look = seenBy(person, await registry.look());
  const entry = demandEntry(look, typed);
  const { id, current } = entry;
  const { inUse } = standingIn(look, id);
  const wordsOn = (digest: Digest) =>
    decisionsIn(look, id)
      .filter((decision) => decision.digest === digest)
      .map(({ word, by, at, note }) => ({ word, by, at, note }));
  const revisions = (await revisionsSeen(person, kept.read, entry).revisionsOf(id)).map(
    ({ digest, commit, seenAt }) => ({
      digest,
      commit,
      seenAt,
      current: digest === current,
      inUse: digest === inUse,
      decisions: wordsOn(digest),
    }),
  );
  return { entry: id, revisions };
}
