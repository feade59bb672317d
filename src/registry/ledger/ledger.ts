import { hash } from "node:crypto";
import type { Digest } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import type { ChainHead } from "../audit/audit.ts";
import { isDecision, parseStatement, type Statement, subjectOf } from "./decision.ts";
import { isSigned, type Keys } from "../keys.ts";
import type { BlockWord, Decision } from "../schema.ts";

/** One signed statement as it is kept. What counts is in `payload`; the other columns only help to find it. */
export interface LedgerRow {
  /** The order in which rows arrived. */
  readonly place: number;
  readonly seq: number;
  readonly subject: string;
  readonly payload: string;
  readonly key: string;
  readonly signature: string;
}

/** The words that are proven, and what was noticed while proving them. */
export interface Ledger {
  readonly head: ChainHead;
  /** The place of the last row that was looked at. */
  readonly place: number;
  readonly decisions: ReadonlyMap<EntryId, readonly Decision[]>;
  /** The digests of their rows, each at its `seq`: an array is copied in no time, and there is one with every new word. */
  readonly digests: readonly Digest[];
  /** The blocks that stand, by subject. */
  readonly blocks: ReadonlyMap<string, BlockWord>;
  readonly findings: readonly Finding[];
}

/** What a ledger is proven against. */
export interface Anchor {
  /** Where the chain of this store begins. */
  readonly genesis: Digest;
  /** Where it ends, by the checkpoint outside the database and what continues it. */
  readonly head: ChainHead;
  /** The copies of all statements in the audit chain, by digest. Asked only when something is missing. */
  readonly copies: () => Promise<ReadonlyMap<Digest, LedgerRow>>;
}

/** The chain of one store begins with the store itself: no statement of another store fits. */
export function ledgerGenesis(store: string): Digest {
  return hash("sha256", `skillward ledger ${store}`);
}

/**
 * Covers the signature too, so that not one byte of a row can change without breaking the chain. The lengths say where
 * one text ends, so no two rows are hashed alike.
 */
export function rowDigest({ key, signature, payload }: Pick<LedgerRow, "key" | "signature" | "payload">): Digest {
  return hash("sha256", `${key.length} ${key} ${signature.length} ${signature} ${payload}`);
}

/** A statement of the chain. One that is lost says only that something was said there. */
interface Link {
  readonly said: Statement;
  /** Of its row. */
  readonly digest: Digest;
  readonly isLost: boolean;
}

/**
 * Walks the chain back from its signed head (RV-3, T18). Each statement names the digest of the one before, so one
 * signature proves them all; what the walk does not reach was not said by anyone who holds the key file. A statement
 * that is gone or was changed is known by its copy in the audit chain: then its entry has no word up to there. When
 * there is no copy either, nothing older is proven and no older approval counts; signed blocks stand all the same.
 */
export async function proveLedger(rows: readonly LedgerRow[], keys: Keys, anchor: Anchor): Promise<Ledger> {
  const { unvisited, findings } = byDigest(rows);
  const links: Link[] = [];
  let [later, isBroken]: [LedgerRow | undefined, boolean] = [undefined, false];
  for (let expected = anchor.head.hash; expected !== anchor.genesis; ) {
    const row = unvisited.get(expected) ?? (await anchor.copies()).get(expected);
    const said = row && parseStatement(row.payload);
    if (row === undefined || said === undefined) {
      findings.push(broken(expected));
      isBroken = true;
      break;
    }
    const isThere = unvisited.delete(expected);
    const faults = isThere
      ? faultsOf(row, said, keys, later)
      : [noticed("ledger.lost", "was removed or changed by hand; it does not count until decided again", row)];
    findings.push(...faults);
    links.push({ said, digest: expected, isLost: faults.some(({ code }) => code !== "ledger.moved") });
    if (isThere) later = row;
    expected = said.prev;
  }
  if (!isBroken) findings.push(...[...unvisited.values()].map(forged));
  const older = isBroken ? blocksIn(unvisited.values(), keys) : [];
  const place = rows.reduce((last, row) => Math.max(last, row.place), 0);
  return { head: anchor.head, place, ...fold([...older, ...links.toReversed()]), findings };
}

/** Not proven to be of this chain; but a block that is not one of ours keeps something out, and lets nothing in. */
function blocksIn(rows: Iterable<LedgerRow>, keys: Keys): Link[] {
  return [...rows].flatMap((row) => {
    const said = parseStatement(row.payload);
    const isBlock = said !== undefined && !isDecision(said) && isSigned(keys, row.payload, row);
    return isBlock ? [{ said, digest: rowDigest(row), isLost: true }] : [];
  });
}

function byDigest(rows: readonly LedgerRow[]): { unvisited: Map<Digest, LedgerRow>; findings: Finding[] } {
  const unvisited = new Map<Digest, LedgerRow>();
  const findings: Finding[] = [];
  for (const row of rows) {
    const digest = rowDigest(row);
    if (unvisited.has(digest)) findings.push(noticed("ledger.repeated", "is there twice; it was said once", row));
    else unvisited.set(digest, row);
  }
  return { unvisited, findings };
}

function faultsOf(row: LedgerRow, said: Statement, keys: Keys, later: LedgerRow | undefined): Finding[] {
  const faults: Finding[] = [];
  if (!isInPlace(row, said) || (later !== undefined && later.place < row.place))
    faults.push(noticed("ledger.moved", "was moved to another place", row));
  if (!keys.trusted.has(row.key))
    faults.push(noticed("ledger.untrusted-key", "is signed with a key that the key file does not name", row));
  return faults;
}

/** The columns that only help to find a row say what it says itself. */
function isInPlace({ seq, subject }: LedgerRow, said: Statement): boolean {
  return seq === said.seq && subject === subjectOf(said);
}

/** Adds rows that came after; undefined when they do not fit and everything must be proven again. */
export function extendLedger(ledger: Ledger, rows: readonly LedgerRow[], keys: Keys): Ledger | undefined {
  let { head, place } = ledger;
  const links: Link[] = [];
  for (const row of rows) {
    const said = parseStatement(row.payload);
    if (said?.prev !== head.hash || !isInPlace(row, said) || !isSigned(keys, row.payload, row)) return undefined;
    head = { seq: said.seq, hash: rowDigest(row) };
    links.push({ said, digest: head.hash, isLost: false });
    place = Math.max(place, row.place);
  }
  return { head, place, ...fold(links, ledger), findings: ledger.findings };
}

/**
 * Goes on from a head through the rows that link to it, up to the last one that a holder of the key file has signed.
 * A signed row that does not link to it is of another store or another time, and is not followed.
 */
export function continueHead(head: ChainHead, rows: readonly LedgerRow[], keys: Keys): ChainHead {
  const following = byPrev(rows);
  const isProven = (row: LedgerRow) => isSigned(keys, row.payload, row);
  const path: { row: LedgerRow; head: ChainHead }[] = [];
  for (let at = head; ; ) {
    const next = following.get(at.hash) ?? [];
    // The signature of the last one covers those before it; only between several must it be asked at once.
    const row = next.length > 1 ? next.find(isProven) : next[0];
    if (row === undefined) break;
    at = { seq: at.seq + 1, hash: rowDigest(row) };
    path.push({ row, head: at });
  }
  return path.findLast(({ row }) => isProven(row))?.head ?? head;
}

function byPrev(rows: readonly LedgerRow[]): ReadonlyMap<Digest, readonly LedgerRow[]> {
  const following = new Map<Digest, LedgerRow[]>();
  for (const row of new Map(rows.map((each) => [rowDigest(each), each])).values()) {
    const prev = parseStatement(row.payload)?.prev;
    if (prev !== undefined) following.set(prev, [...(following.get(prev) ?? []), row]);
  }
  return following;
}

type Folded = Pick<Ledger, "decisions" | "digests" | "blocks">;

function fold(links: readonly Link[], before?: Folded): Folded {
  const decisions = new Map(before?.decisions);
  const digests = before?.digests.slice() ?? [];
  const blocks = new Map(before?.blocks);
  for (const { said, digest, isLost } of links) {
    if (!isDecision(said)) setBlock(blocks, said, isLost);
    else if (isLost) decisions.delete(said.entry);
    else {
      decisions.set(said.entry, [...(decisions.get(said.entry) ?? []), said]);
      digests[said.seq] = digest;
    }
  }
  return { decisions, digests, blocks };
}

/** A lost block stands, a lost lifting does not count: taking a row away must not let anything in. */
function setBlock(blocks: Map<string, BlockWord>, said: BlockWord, isLost: boolean): void {
  if (said.word === "block") blocks.set(subjectOf(said), said);
  else if (!isLost) blocks.delete(subjectOf(said));
}

const file = "ledger";

function noticed(code: string, what: string, row: LedgerRow): Finding {
  const message = `the signed word ${row.seq} about "${safeLine(row.subject)}" ${what}`;
  return { code, level: "critical", message, at: { file, line: Math.max(1, row.seq) } };
}

function forged(row: LedgerRow): Finding {
  return noticed("ledger.forged", "was not said by a holder of the key file, or is not of this chain", row);
}

function broken(expected: Digest): Finding {
  const message = `a signed word (${expected.slice(0, 12)}…) is missing and has no copy; no older one counts any more`;
  return { code: "ledger.broken", level: "critical", message, at: { file, line: 1 } };
}
