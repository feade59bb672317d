import type { Digest } from "../base/digest.ts";
import { AppError } from "../base/error.ts";
import type { Finding } from "../base/finding.ts";
import { safeLine } from "../base/text.ts";
import { demand } from "../registry/accounts/roles.ts";
import { type Asked, decide } from "../registry/decide.ts";
import type { Decision } from "../registry/decision.ts";
import type { Entry } from "../registry/entry.ts";
import type { App } from "./app.ts";
import { decisionsIn, type EntryLine, lineOf, type RevisionView, viewRevision } from "./entry-view.ts";
import { demandDigest, demandEntry } from "./find.ts";

/** What is put before a person now: the current revision of one entry. */
export interface ReviewView extends EntryLine {
  readonly revision: RevisionView;
  /** The words so far, the oldest first. */
  readonly decisions: readonly Decision[];
  /** What was noticed about the registry itself. */
  readonly noticed: readonly Finding[];
}

export async function showReview({ registry, person, review }: App, typed: string): Promise<ReviewView> {
  demand(person, "read", review.policy);
  const look = await registry.look();
  const entry = demandEntry(look, typed);
  return {
    ...lineOf(look, entry, entry.current),
    revision: await viewRevision(registry, look, entry, entry.current),
    decisions: decisionsIn(look, entry.id),
    noticed: look.snapshot.findings,
  };
}

/** What a person wants to say about one entry. */
export interface Saying {
  readonly act: "approve" | "reject" | "disable" | "override";
  /** The digest that was shown, or its first digits. */
  readonly digest?: string | undefined;
  readonly rollback?: boolean;
  readonly withoutGrants?: boolean;
  /** The findings to override, alone or before an approval. */
  readonly overrides?: readonly string[];
  /** Why they are overridden. */
  readonly reason?: string | undefined;
  readonly note?: string | undefined;
}

export interface Said {
  readonly decisions: readonly Decision[];
  /** Where the entry stands now. */
  readonly standing: EntryLine;
}

/** All of what is said, or nothing of it (RV-5). */
export async function say({ registry, kept, person, review }: App, typed: string, saying: Saying): Promise<Said> {
  demand(person, "review", review.policy);
  const entry = demandEntry(await registry.look(), typed);
  demandMeaning(entry, saying);
  const digest = saying.digest === undefined ? entry.current : await demandDigest(kept.read, entry, saying.digest);
  const decisions = await decide(review, person, wordsOf(entry, digest, saying));
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
