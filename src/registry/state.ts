import type { Digest } from "../core/digest.ts";
import type { OnChange } from "../sources/source.ts";
import type { Trust } from "../sources/trust.ts";
import { type Entry, presenceOf } from "./entry.ts";
import type { Decision } from "./schema.ts";

export const states = ["orphaned", "blocked", "new", "disabled", "held", "pending", "enabled"] as const;
export type State = (typeof states)[number];

/** Everything a state depends on. There is no stored flag that could disagree (RV-1). */
export interface Facts {
  readonly entry: Pick<Entry, "present" | "awayAt" | "current" | "repositoryId">;
  /** The proven words about this entry, in the order of `seq`. */
  readonly decisions: readonly Decision[];
  readonly onChange: OnChange;
  /** How many different people must approve what was decided at a level of trust (RV-5). */
  readonly decisionsNeeded: Readonly<Record<Trust, 1 | 2>>;
  /** Why a digest of this entry is on the block list, if it is (RV-9). */
  readonly blockOf: (digest: Digest) => string | undefined;
  /** The codes of the findings of a digest that block: high and critical (RV-6). */
  readonly blockingFindings: (digest: Digest) => readonly string[];
}

/** Where an entry stands: its state, the approved revision that may be used, and why. */
export interface Standing {
  readonly state: State;
  /** Only `enabled` and `held` have one. */
  readonly inUse: Digest | null;
  readonly reason: string;
}

/** Pure. The first state that fits (RV-1). */
export function stateOf(facts: Facts): Standing {
  const { current } = facts.entry;
  const latest = facts.decisions.findLast(({ word }) => word !== "override");
  if (!facts.entry.present) return standing("orphaned", "it is not in its source any more");
  const approved = approvalsInUse(facts).at(-1)?.digest ?? null;
  const blocked = whyBlocked(facts, approved ?? current);
  if (blocked !== undefined) return standing("blocked", blocked);
  if (latest === undefined) return standing("new", "nobody has decided on it yet");
  if (latest.word !== "approve" && (approved === null || approved === current))
    return standing("disabled", latest.word === "reject" ? "its latest word is reject" : "it was switched off");
  if (approved === null) return standing("pending", whyPending(facts, latest));
  if (approved === current) return standing("enabled", "its bytes are the approved ones", approved);
  return standing("held", "an approved revision stays in use; the current one waits", approved);
}

function standing(state: State, reason: string, inUse: Digest | null = null): Standing {
  return { state, inUse, reason };
}

/** The words that keep a revision in use: one, or as many as are asked for; none when nothing is in use by a word. */
export function approvalsInUse(facts: Facts): readonly Decision[] {
  const { current, awayAt } = facts.entry;
  const words = facts.decisions.filter(({ word }) => word !== "override");
  const at = words.findLastIndex(({ seq }, index) => seq > awayAt && isApproval(facts, words, index));
  const approval = words[at];
  if (approval === undefined || isWithdrawn(approval, words.slice(at + 1))) return [];
  const isInUse = approval.digest === current || facts.onChange === "hold" || isRollback(approval);
  return isInUse ? words.slice(at + 1 - facts.decisionsNeeded[approval.trust], at + 1) : [];
}

/** A person who approved another revision than the one that was current has rolled back to it. */
function isRollback({ digest, current }: Decision): boolean {
  return digest !== current;
}

/** Whether the word at `index` makes an approval whole: as many people as asked for, nothing between (RV-5). */
function isApproval({ decisionsNeeded, entry }: Facts, words: readonly Decision[], index: number): boolean {
  const word = words[index];
  if (word?.word !== "approve") return false;
  if (decisionsNeeded[word.trust] === 1) return true;
  const before = words[index - 1];
  return isHalf(before, word.digest, entry) && before.by !== word.by;
}

/** Whether a word, if nothing comes between, is what a second approval of this digest goes with (RV-5). */
function isHalf(word: Decision | undefined, digest: Digest, { awayAt }: Pick<Entry, "awayAt">): word is Decision {
  return word?.word === "approve" && word.digest === digest && word.seq > awayAt;
}

/** The approval of a digest that a second person's would go with, as things stand; undefined: there is none. */
export function firstApproval(
  decisions: readonly Decision[],
  digest: Digest,
  entry: Pick<Entry, "awayAt">,
): Decision | undefined {
  const latest = decisions.findLast(({ word }) => word !== "override");
  return isHalf(latest, digest, entry) ? latest : undefined;
}

/** How far people have come with what is current (RV-5). */
export interface Approvals {
  /** How many different people must approve it. */
  readonly needed: number;
  /** The words that count: as many as are needed, or fewer. */
  readonly words: readonly Decision[];
}

/** `trust`: at which the next word would be signed. */
export function approvalsOfCurrent(facts: Facts, trust: Trust): Approvals {
  const inUse = approvalsInUse(facts);
  if (inUse.at(-1)?.digest === facts.entry.current) return { needed: inUse.length, words: inUse };
  const needed = facts.decisionsNeeded[trust];
  const first = firstApproval(facts.decisions, facts.entry.current, facts.entry);
  return { needed, words: needed === 1 || first === undefined ? [] : [first] };
}

/** The revision that as many people as are asked for approved last, whether that still counts or not. */
export function lastApproved(facts: Facts): Digest | undefined {
  const words = facts.decisions.filter(({ word }) => word !== "override");
  const everSince = { ...facts, entry: { ...facts.entry, awayAt: 0 } };
  return words.findLast((_, index) => isApproval(everSince, words, index))?.digest;
}

/** A reject takes back its own digest; a disable whatever there was. */
export function isWithdrawn(approval: Pick<Decision, "digest">, later: readonly Decision[]): boolean {
  return later.some(({ word, digest }) => word === "disable" || (word === "reject" && digest === approval.digest));
}

function whyBlocked({ entry, blockOf, blockingFindings, decisions }: Facts, digest: Digest): string | undefined {
  const block = blockOf(digest);
  if (block !== undefined) return block;
  const blocking = blockingFindings(digest);
  if (blocking.length === 0) return undefined;
  const lifted = liftedOn(digest, entry.repositoryId, decisions);
  const open = blocking.filter((code) => !lifted.has(code));
  return open.length === 0 ? undefined : `a finding blocks it: ${open.join(", ")}`;
}

/** What is lifted on a digest. What is said of a commit holds for its repository: another one's is another matter (IN-9). */
export function liftedOn(
  digest: Digest,
  repositoryId: number | null,
  decisions: readonly Decision[],
): ReadonlySet<string> {
  const own = decisions.filter((each) => each.digest === digest);
  const codes = own.flatMap((each) =>
    each.overrides.filter((code) => !code.startsWith("pin.") || each.repositoryId === repositoryId),
  );
  return new Set(codes);
}

function whyPending({ entry }: Facts, latest: Decision): string {
  if (presenceOf(entry, latest.seq) === "back") return "it was away since it was approved";
  if (latest.digest === entry.current || isRollback(latest)) return "a second person must approve it";
  return "its bytes changed since they were approved";
}
