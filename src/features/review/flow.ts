import { canonicalJson } from "../../core/canonical.ts";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { parse } from "../../skill/skill.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import { type Asked, decide } from "../../registry/decide.ts";
import type { Entry } from "../../registry/entry.ts";
import { type VisibleFile, visibleFile } from "../../diff/visible.ts";
import type { App } from "../../app/app.ts";
import { demandDigest, demandEntry } from "../skills/find.ts";
import { diffOf } from "../skills/revisions.ts";
import { decisionsIn, lineOf, reasonsFor, viewProvenance, viewRevision } from "../skills/view.ts";
import { alikeFindings, refusalsOf } from "./judge.ts";
import { demandReviewing, viewApprovals } from "./queue.ts";
import type { ReviewView, Said, Saying } from "./schema.ts";

/** What is put before a person now: the current revision of one entry (RV-4). */
export async function showReview(app: App, typed: string): Promise<ReviewView> {
  const { registry } = app;
  demandReviewing(app);
  const look = await registry.look();
  const entry = demandEntry(look, typed);
  const revision = await viewRevision(registry, look, entry, entry.current);
  const findings = [...revision.findings, ...(alikeFindings(look, [entry]).get(entry.id) ?? [])];
  return {
    ...lineOf(look, entry, entry.current),
    revision: { ...revision, findings },
    reasons: await reasonsFor(findings),
    frontmatter: await frontmatterOf(app, entry),
    diff: await diffOf(registry, look, entry),
    provenance: await viewProvenance(app, look, entry),
    decisions: decisionsIn(look, entry.id),
    approvals: viewApprovals(registry, look, entry),
    refusals: refusalsOf(app, look, entry),
    noticed: look.snapshot.findings,
  };
}

async function frontmatterOf({ registry }: App, { current }: Entry): Promise<ReviewView["frontmatter"]> {
  const { bundle } = await registry.open(current);
  const { skill } = bundle === undefined ? { skill: undefined } : parse(bundle, "ingest");
  return Object.entries(skill?.frontmatter ?? {}).map(([field, value]) => ({ field, value: canonicalJson(value) }));
}

/** Every file of the current revision, or of the one that was shown, as it is, with what cannot be seen made visible (RV-4). */
export async function readRaw(app: App, typed: string, shown?: string): Promise<readonly VisibleFile[]> {
  const { registry, kept } = app;
  demandReviewing(app);
  const entry = demandEntry(await registry.look(), typed);
  const digest = shown === undefined ? entry.current : await demandDigest(kept.read, entry, shown);
  const { bundle, findings } = await registry.open(digest);
  if (bundle === undefined) throw new AppError("store.failed", findings.map(({ message }) => message).join("; "));
  return bundle.files.map(({ path, bytes }) => visibleFile(path, bytes));
}

/** All of what is said, or nothing of it (RV-5). */
export async function say(app: App, typed: string, saying: Saying): Promise<Said> {
  const { registry, kept, review } = app;
  const permit = requireRight(app, "review");
  const entry = demandEntry(await registry.look(), typed);
  demandMeaning(entry, saying);
  const digest = saying.digest === undefined ? entry.current : await demandDigest(kept.read, entry, saying.digest);
  const decisions = await decide(review, permit, wordsOf(entry, digest, saying));
  const look = await registry.look();
  return { decisions, standing: lineOf(look, look.facts.entries.get(entry.id) ?? entry, digest) };
}

/** RV-5: what lets something in is said of the digest that was shown, never of whatever is current. */
function demandMeaning({ id, current }: Entry, { act, digest, overrides = [], reason = "" }: Saying): void {
  const shown = safeLine(id, 240);
  if ((act === "approve" || act === "override") && digest === undefined)
    throw new AppError(
      "usage.invalid",
      `say which bytes you mean: ${shown} is ${current} now; look at it with \`skillward review ${shown}\`, then add --digest`,
    );
  if (overrides.length > 0 && reason.trim() === "")
    throw new AppError(
      "usage.invalid",
      `to override ${overrides.map((code) => safeLine(code)).join(", ")} takes a reason: add --reason`,
    );
}

/** The override first: the approval stands on it. */
function wordsOf({ id }: Entry, digest: Digest, saying: Saying): Asked[] {
  const { act, rollback = false, withoutGrants = false, overrides = [], reason = "", note = "" } = saying;
  const about = { entry: id, digest, rollback };
  const lifted: Asked[] = overrides.length === 0 ? [] : [{ ...about, word: "override", overrides, note: reason }];
  return act === "override" ? lifted : [...lifted, { ...about, word: act, withoutGrants, note: note || reason }];
}
