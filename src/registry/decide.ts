import type { Digest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import type { EntryId } from "../core/ids.ts";
import { safeLine } from "../core/text.ts";
import type { Clock } from "../core/world.ts";
import { isByOlder } from "../scan/scanned-by.ts";
import type { Source } from "../sources/schema.ts";
import { type Permit, requireRight } from "./accounts/permit.ts";
import type { AccountPolicy, Person } from "./accounts/roles.ts";
import { recordChanges } from "./audit/audit.ts";
import { type Entry, readLoading } from "./entry.ts";
import { readRevision } from "./facts.ts";
import type { Guarded } from "./guard.ts";
import { isSigned, type Keys } from "./keys.ts";
import { isDecision, parseStatement, type Word } from "./ledger/decision.ts";
import { ledgerHead, LedgerWriter } from "./ledger/ledger-head.ts";
import type { RegistryReads, RegistryWrites } from "./port.ts";
import { blockingCodes, readSummary, type RevisionRow, summarise, type Summary } from "./revision.ts";
import type { DecisionsNeeded } from "./snapshot.ts";
import { isIntactSource } from "./source-seal.ts";
import { firstApproval, liftedOn } from "./state.ts";
import type { SyncReads, SyncWrites } from "./sync/port.ts";
import type { BlockWord, Decision } from "./schema.ts";

/** How reviewing is set up; kept in the configuration file, where no row of the database can change it (RV-5). */
export interface ReviewPolicy extends AccountPolicy {
  readonly decisions: DecisionsNeeded;
  /** Whoever added a source does not review it. */
  readonly separateAdder: boolean;
}

export interface DecideContext {
  readonly kept: Guarded<RegistryReads & SyncReads, RegistryWrites & SyncWrites>;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly policy: ReviewPolicy;
}

/** A word a person wants to say. */
export interface Asked {
  readonly word: Word;
  readonly entry: EntryId;
  /** The digest that was shown to the person. */
  readonly digest: Digest;
  readonly note: string;
  /** An older kept revision is meant, not the current one (RV-1). */
  readonly rollback?: boolean;
  /** Leaves the tools that the skill asks for without pre-approval. */
  readonly withoutGrants?: boolean;
  /** The codes of the findings an override lifts. */
  readonly overrides?: readonly string[];
}

/** Signs words and writes them, with their audit records, in one transaction: all of them or none (RV-3, RV-5). */
export async function decide(
  context: DecideContext,
  permit: Permit<"review">,
  asked: readonly Asked[],
): Promise<readonly Decision[]> {
  const { kept, keys, clock } = context;
  const { person } = permit;
  return kept.transaction(async (port) => {
    const decisions: Decision[] = [];
    const ledger = new LedgerWriter(port, keys, await ledgerHead(port, keys, kept.known()));
    for (const each of asked) {
      const subject = await readSubject(port, keys, each);
      await demandAllowed(port, context, person, each, subject);
      const said = decisionOf(each, subject, person, clock.now());
      decisions.push(await ledger.append<Decision>((seq, prev) => ({ ...said, seq, prev })));
    }
    await recordChanges(port, ledger.events);
    return decisions;
  });
}

/** What a word is about, as it is at this moment. */
interface Subject {
  readonly entry: Entry;
  readonly source: Source;
  readonly summary: Summary | undefined;
}

async function readSubject(
  port: RegistryReads & SyncReads,
  keys: Keys,
  { entry: id, digest }: Asked,
): Promise<Subject> {
  const entry = await port.findEntry(id);
  const source = entry && (await port.findSource(entry.source));
  if (entry === undefined || source === undefined)
    throw new AppError(
      "record.missing",
      `there is no entry "${safeLine(id)}"; \`skillward skill list\` shows what there is`,
    );
  const [row] = await port.findRevisions([digest]);
  const summary = row && (await presentSummary(port, row, keys));
  return { entry, source, summary: summary && withLoading(keys, entry, digest, summary) };
}

/** RV-6: what an older scanner said is not what a word is signed on. The bytes are here: they are looked at again. */
async function presentSummary(port: RegistryReads, row: RevisionRow, keys: Keys): Promise<Summary | undefined> {
  const summary = readSummary(row, keys);
  if (summary === undefined || !isByOlder(summary.scanner)) return summary;
  const { bundle } = await readRevision(port, row);
  return bundle && summarise(bundle);
}

/** Of the current revision, together with what was noticed when it was loaded here. */
function withLoading(keys: Keys, entry: Entry, digest: Digest, summary: Summary): Summary | undefined {
  if (digest !== entry.current) return summary;
  const loading = readLoading(keys, entry);
  return loading && { ...summary, findings: [...loading, ...summary.findings] };
}

async function demandAllowed(
  port: RegistryReads,
  context: DecideContext,
  person: Person,
  asked: Asked,
  subject: Subject,
): Promise<void> {
  await demandShown(port, asked, subject);
  // T17: its trust is signed with the word, and who added it may matter.
  if (asked.word === "approve" && !isIntactSource(context.keys, subject.source))
    throw refused(asked, "its source was changed by hand in the database; set its trust and on_change again first");
  const notTheirs = whyNotTheirs(context.policy, person, subject.source);
  if (notTheirs !== undefined) throw refused(asked, notTheirs);
  const decisions = await wordsOn(port, context.keys, asked.entry);
  // IN-9: whose commit it is concerns the source, not only its skills: the one right that depends on what is asked.
  if (asked.overrides?.includes("pin.unreachable") === true)
    requireRight({ person, policy: context.policy }, "administer");
  if (asked.word === "override") demandOverride(asked, subject);
  if (asked.word === "approve") demandApprovable(asked, subject, decisions);
  const notSecond =
    asked.word === "approve" ? whyNotSecond(context.policy, person, asked, subject, decisions) : undefined;
  if (notSecond !== undefined) throw refused(asked, notSecond);
}

/** T15: the digest that was shown is compared in the transaction that signs it. */
async function demandShown(port: RegistryReads, asked: Asked, { entry }: Subject): Promise<void> {
  const id = safeLine(entry.id, 240);
  if (asked.rollback === true) {
    const kept = await port.revisionsOf(entry.id);
    if (kept.some(({ digest }) => digest === asked.digest)) return;
    throw new AppError(
      "record.missing",
      `${id} never had the revision ${asked.digest.slice(0, 12)}; \`skillward skill revisions ${id}\` lists them`,
    );
  }
  if (entry.current === asked.digest) return;
  const hint = `look at it again: \`skillward skill diff ${id}\`; for an older revision add --rollback`;
  throw new AppError(
    "review.stale",
    `${id} is not ${asked.digest.slice(0, 12)} any more, it is ${entry.current.slice(0, 12)} now; ${hint}`,
  );
}

function demandOverride(asked: Asked, { summary }: Subject): void {
  if (asked.note.trim() === "") throw refused(asked, "an override needs a reason: add --reason");
  const blocking = summary === undefined ? [] : blockingCodes(summary);
  const unknown = (asked.overrides ?? []).filter((code) => !blocking.includes(code));
  if (unknown.length === 0 && (asked.overrides ?? []).length > 0) return;
  const there = blocking.length === 0 ? "nothing in it blocks" : `what blocks is ${blocking.join(", ")}`;
  throw refused(asked, `there is no blocking finding ${unknown.map((code) => safeLine(code)).join(", ")}; ${there}`);
}

function demandApprovable(asked: Asked, { entry, summary }: Subject, decisions: readonly Decision[]): void {
  if (!entry.present) throw refused(asked, "it is not in its source any more");
  if (summary === undefined)
    throw refused(asked, "its revision was changed by hand in the database; sync its source again");
  if (!summary.loadable) throw refused(asked, "it cannot be loaded; `skillward skill show` says why");
  const lifted = liftedOn(asked.digest, entry.repositoryId, decisions);
  const open = blockingCodes(summary).filter((code) => !lifted.has(code));
  if (open.length > 0) throw refused(asked, `${open.join(", ")} blocks it; override it with a reason first`);
}

/** RV-5: why somebody may not say any word on what a source brings; undefined: they may. */
export function whyNotTheirs({ separateAdder }: ReviewPolicy, { name }: Person, source: Source): string | undefined {
  if (!separateAdder || source.addedBy !== name) return undefined;
  return `${name} added its source and may not review it; ask somebody else`;
}

/** RV-5: why an approval of this digest must be somebody else's; undefined: it may be theirs. */
export function whyNotSecond(
  policy: ReviewPolicy,
  { name }: Person,
  { digest }: Pick<Asked, "digest">,
  { entry, source }: Pick<Subject, "entry" | "source">,
  decisions: readonly Decision[],
): string | undefined {
  if (policy.decisions[source.trust] !== 2) return undefined;
  const isTheirs = firstApproval(decisions, digest, entry)?.by === name;
  return isTheirs ? `${name} has approved it already; a second person must` : undefined;
}

async function wordsOn(port: RegistryReads, keys: Keys, entry: EntryId): Promise<Decision[]> {
  const rows = (await port.ledgerOf(entry)).filter((row) => isSigned(keys, row.payload, row));
  const statements = rows.map(({ payload }) => parseStatement(payload)).filter((said) => said !== undefined);
  const decisions = statements.filter(isDecision).filter((said) => said.entry === entry);
  return decisions.toSorted((a, b) => a.seq - b.seq);
}

function refused({ word, entry }: Asked, why: string): AppError {
  return new AppError("review.refused", `cannot ${word} ${safeLine(entry)}: ${why}`);
}

function decisionOf(
  asked: Asked,
  { entry, source, summary }: Subject,
  person: Person,
  at: number,
): Omit<Decision, "seq" | "prev"> {
  return {
    word: asked.word,
    entry: entry.id,
    repositoryId: entry.repositoryId,
    commit: entry.commit,
    digest: asked.digest,
    current: entry.current,
    trust: source.trust,
    grants: asked.word === "approve" && asked.withoutGrants !== true ? (summary?.grants ?? []) : [],
    overrides: asked.word === "override" ? (asked.overrides ?? []) : [],
    by: person.name,
    at,
    note: asked.note,
  };
}

/** Blocks or lifts a block, by digest, entry, source or repository, across sources and nodes (RV-9). */
export async function setBlock(
  { kept, keys, clock }: DecideContext,
  { person }: Permit<"administer">,
  { word, kind, value, note }: Pick<BlockWord, "word" | "kind" | "value" | "note">,
): Promise<BlockWord> {
  if (note.trim() === "")
    throw new AppError("usage.invalid", `to ${word} ${kind} ${safeLine(value)} takes a reason; give one`);
  return kept.transaction(async (port) => {
    const ledger = new LedgerWriter(port, keys, await ledgerHead(port, keys, kept.known()));
    const said = { word, kind, value, note, by: person.name, at: clock.now() };
    const block = await ledger.append<BlockWord>((seq, prev) => ({ ...said, seq, prev }));
    await recordChanges(port, ledger.events);
    return block;
  });
}
