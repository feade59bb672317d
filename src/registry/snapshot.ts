import type { Digest } from "../core/digest.ts";
import { blocks as isBlocking, type Finding } from "../core/finding.ts";
import { type EntryId, entryId } from "../core/ids.ts";
import { safeLine } from "../core/text.ts";
import type { Source } from "../sources/schema.ts";
import { lowerTrust, type Trust } from "../sources/trust.ts";
import type { Entry } from "./entry.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { blockingCodes, type Summary } from "./revision.ts";
import {
  type Approvals,
  approvalsInUse,
  approvalsOfCurrent,
  type Facts,
  lastApproved,
  type Standing,
  stateOf,
} from "./state.ts";
import type { BlockWord, Decision } from "./schema.ts";

/** An entry that may be used, by the word of a person on exactly this digest. */
export interface UsableEntry {
  readonly id: EntryId;
  readonly digest: Digest;
  readonly name: string;
  readonly description: string;
  readonly trust: Trust;
  readonly grants: readonly string[];
  /** The signed words that it rests on, by the digests of their rows in the ledger. */
  readonly approvals: readonly Digest[];
}

/** Everything at one moment: what every door reads for one request (RV-10). Never changes. */
export interface Snapshot {
  readonly generation: number;
  readonly usable: ReadonlyMap<EntryId, UsableEntry>;
  readonly standings: ReadonlyMap<EntryId, Standing>;
  /** What was noticed: signed words that do not fit, rows that were changed by hand. */
  readonly findings: readonly Finding[];
}

/** What a snapshot is made from, read from the store and checked. */
export interface RegistryFacts {
  readonly generation: number;
  readonly sources: ReadonlyMap<string, Source>;
  readonly entries: ReadonlyMap<EntryId, Entry>;
  readonly summaries: ReadonlyMap<Digest, Summary>;
  /** What was noticed when the current revision of an entry was loaded, where there is any; null: changed by hand. */
  readonly loading: ReadonlyMap<EntryId, readonly Finding[] | null>;
  readonly ledger: Ledger;
  readonly findings: readonly Finding[];
}

export type DecisionsNeeded = Readonly<Record<Trust, 1 | 2>>;

/** Pure. */
export function createSnapshot(facts: RegistryFacts, decisionsNeeded: DecisionsNeeded): Snapshot {
  const standings = new Map<EntryId, Standing>();
  const usable = new Map<EntryId, UsableEntry>();
  const findings = [...facts.ledger.findings, ...facts.findings];
  for (const entry of facts.entries.values()) {
    if (!isOwn(entry)) findings.push(misplaced(entry));
    const stateFacts = factsOf(facts, entry, decisionsNeeded);
    const standing = stateOf(stateFacts);
    standings.set(entry.id, standing);
    const use = standing.inUse === null ? undefined : usableOf(facts, entry, approvalsInUse(stateFacts));
    if (use !== undefined) usable.set(entry.id, use);
  }
  return { generation: facts.generation, usable, standings, findings };
}

/** What people have said of an entry, besides where it stands by that. */
export interface Approved extends Approvals {
  /** The revision that was approved last by as many people as are asked for, in use or not; null: none ever was. */
  readonly last: Digest | null;
}

/** Pure. Of what is current of one entry (RV-5). */
export function approvedOf(facts: RegistryFacts, entry: Entry, decisionsNeeded: DecisionsNeeded): Approved {
  const stateFacts = factsOf(facts, entry, decisionsNeeded);
  const trust = facts.sources.get(entry.source)?.trust ?? "untrusted";
  return { ...approvalsOfCurrent(stateFacts, trust), last: lastApproved(stateFacts) ?? null };
}

/** T17: an entry is of the source that its id names; said to be of another, it is of none. */
function isOwn(entry: Entry): boolean {
  return entry.id === entryId(entry);
}

function misplaced({ id }: Entry): Finding {
  const message = `the row of entry "${safeLine(id)}" was changed by hand: it is not of the source and path that it says`;
  return { code: "entry.tampered", level: "critical", message, at: { file: `entry:${safeLine(id)}`, line: 1 } };
}

/** A source that is trusted less than when it was decided on asks for as many people as it would now. */
const twoEach: DecisionsNeeded = { untrusted: 2, community: 2, verified: 2, first_party: 2 };

function factsOf(facts: RegistryFacts, entry: Entry, decisionsNeeded: DecisionsNeeded): Facts {
  const source = isOwn(entry) ? facts.sources.get(entry.source) : undefined;
  return {
    entry: source === undefined ? { ...entry, present: false } : entry,
    decisions: facts.ledger.decisions.get(entry.id) ?? [],
    onChange: source?.onChange ?? "disable",
    decisionsNeeded: source !== undefined && decisionsNeeded[source.trust] === 2 ? twoEach : decisionsNeeded,
    blockOf: (digest) => whyBlocked(facts.ledger.blocks, entry, digest),
    blockingFindings: (digest) => {
      const ofBytes = blockingOf(facts.summaries.get(digest));
      const loading = facts.loading.get(entry.id);
      return loading === undefined ? ofBytes : [...ofBytes, ...blockingLoading(loading, digest === entry.current)];
    },
  };
}

/** RV-9: by digest, entry, source or repository. */
function whyBlocked(
  blocks: ReadonlyMap<string, BlockWord>,
  { id, source, repositoryId }: Entry,
  digest: Digest,
): string | undefined {
  if (blocks.size === 0) return undefined;
  const subjects = [`digest:${digest}`, `entry:${id}`, `source:${source}`];
  if (repositoryId !== null) subjects.push(`repository:${repositoryId}`);
  const subject = subjects.find((each) => blocks.has(each));
  const block = subject === undefined ? undefined : blocks.get(subject);
  return block && `it is on the block list by its ${block.kind}: ${block.note}`;
}

/** Neither can be overridden: there is nothing that could be used. */
const unread = ["revision.unread"];
const unloadable = ["skill.unloadable"];

/** A revision whose bytes or summary are not what they were is not known to be clean. */
function blockingOf(summary: Summary | undefined): readonly string[] {
  if (summary === undefined) return unread;
  return summary.loadable ? blockingCodes(summary) : unloadable;
}

const changedByHand = ["entry.tampered"];

/** Null: what there was cannot be known any more, nor whether an older revision may stay in use. */
function blockingLoading(loading: readonly Finding[] | null, isCurrent: boolean): readonly string[] {
  if (loading === null) return changedByHand;
  return isCurrent ? loading.filter(isBlocking).map(({ code }) => code) : [];
}

function usableOf(facts: RegistryFacts, entry: Entry, approvals: readonly Decision[]): UsableEntry | undefined {
  const digest = approvals.at(-1)?.digest;
  const summary = digest === undefined ? undefined : facts.summaries.get(digest);
  const source = facts.sources.get(entry.source);
  if (digest === undefined || summary === undefined || source === undefined) return undefined;
  const { name, description } = summary;
  // Trust is what the people signed: raised in the database alone, it is not raised.
  const trust = approvals.map((approval) => approval.trust).reduce(lowerTrust, source.trust);
  // No row has the empty digest: a word whose row is not known is not found when it is looked for.
  const words = approvals.map(({ seq }) => facts.ledger.digests[seq] ?? "");
  return { id: entry.id, digest, name, description, trust, grants: grantsOf(approvals), approvals: words };
}

/** Where two people must approve, what both have granted (RV-5). */
function grantsOf(approvals: readonly Decision[]): readonly string[] {
  const [first, ...others] = approvals;
  const granted = first?.grants ?? [];
  if (others.length === 0) return granted;
  return granted.filter((grant) => others.every(({ grants }) => grants.includes(grant)));
}
