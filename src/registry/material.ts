import type { Digest, FileDigest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import { skillFile } from "../skill/bundle.ts";
import { isDecision, parseStatement } from "./ledger/decision.ts";
import { isSigned, type Keys } from "./keys.ts";
import { type LedgerRow, rowDigest } from "./ledger/ledger.ts";
import type { RegistryReads } from "./port.ts";
import { listedFiles, readSummary, type RevisionRow } from "./revision.ts";
import type { UsableEntry } from "./snapshot.ts";
import { isWithdrawn } from "./state.ts";
import type { Decision } from "./schema.ts";

export interface MaterialContext {
  readonly kept: { readonly read: Pick<RegistryReads, "findRevisions" | "findBlobs" | "ledgerOfAll"> };
  readonly keys: Keys;
}

/** What the store holds of an entry at the moment of use. The bytes were not hashed: whoever uses them hashes them. */
export interface MaterialRow {
  /** The list of (path, sha256) of the bundle; empty when there is none. */
  readonly files: readonly FileDigest[];
  /** The bytes of its SKILL.md. */
  readonly skill: Uint8Array | undefined;
  /** Why it may not be used, whatever its bytes are: a row that is gone or was changed by hand. */
  readonly faults: readonly string[];
}

/**
 * Reads the material of many entries at once (CO-2): three queries, however many there are. A bad row is a fault of the
 * entries that it is of, and of no others; only a store that fails throws.
 */
export async function readMaterials(
  { kept: { read }, keys }: MaterialContext,
  usable: readonly UsableEntry[],
): Promise<ReadonlyMap<EntryId, MaterialRow>> {
  const [rows, words] = await Promise.all([
    read.findRevisions(usable.map(({ digest }) => digest)),
    read.ledgerOfAll(usable.map(({ id }) => id)),
  ]);
  const lists = new Map(rows.map((row) => [row.digest, listOf(row, keys)]));
  const blobs = await read.findBlobs([...lists.values()].flatMap(({ skill }) => skill ?? []));
  const about = bySubject(words);
  return new Map(
    usable.map((entry) => {
      const { files, skill, faults } = withBytes(lists.get(entry.digest) ?? notKept, blobs);
      return [
        entry.id,
        { files, skill, faults: [...faults, ...faultsOfWords(entry, about.get(entry.id) ?? [], keys)] },
      ];
    }),
  );
}

function bySubject(rows: readonly LedgerRow[]): ReadonlyMap<string, readonly LedgerRow[]> {
  const about = new Map<string, LedgerRow[]>();
  for (const row of rows) {
    const known = about.get(row.subject);
    if (known === undefined) about.set(row.subject, [row]);
    else known.push(row);
  }
  return about;
}

/** What a row lists, before any bytes. */
interface List {
  readonly files: readonly FileDigest[];
  readonly skill: Digest | undefined;
  readonly faults: readonly string[];
}

const notKept: List = { files: [], skill: undefined, faults: ["its revision is not kept any more"] };

function listOf(row: RevisionRow, keys: Keys): List {
  const files = listedFiles(row);
  const skill = files.find(({ path }) => path === skillFile);
  const faults = readSummary(row, keys) === undefined ? ["its row was changed by hand"] : [];
  // Another spelling of a digest could make up the same digest of the bundle; and the store is not asked for just anything.
  if (skill !== undefined && files.every(({ digest }) => digestPattern.test(digest)))
    return { files, skill: skill.digest, faults };
  return { files, skill: undefined, faults: [...faults, "its list of files was changed by hand"] };
}

const digestPattern = /^[0-9a-f]{64}$/;

function withBytes({ files, skill: digest, faults }: List, blobs: ReadonlyMap<Digest, unknown>): MaterialRow {
  const skill = digest === undefined ? undefined : blobs.get(digest);
  if (skill instanceof Uint8Array) return { files, skill, faults };
  const isMissing = digest !== undefined;
  return { files, skill: undefined, faults: isMissing ? [...faults, "the bytes of its SKILL.md are missing"] : faults };
}

/** T18: the words it rests on are still there, byte for byte, and none that is there takes them back. */
function faultsOfWords({ id, digest, approvals }: UsableEntry, rows: readonly LedgerRow[], keys: Keys): string[] {
  const there = new Map(rows.map((row) => [rowDigest(row), row]));
  const rested = approvals.map((approval) => wordIn(there.get(approval), id));
  const seqs = rested.flatMap((said) => said?.seq ?? []);
  if (seqs.length === 0 || seqs.length < approvals.length)
    return ["a decision that it rests on is gone or was changed by hand"];
  const last = Math.max(...seqs);
  // Not proven to be of this chain; but what is signed and is not of it keeps something out, and lets nothing in.
  const isTakenBack = rows.some((row) => {
    const said = wordIn(row, id);
    return said !== undefined && said.seq > last && isWithdrawn({ digest }, [said]) && isSigned(keys, row.payload, row);
  });
  return isTakenBack ? ["a decision that it rests on was taken back"] : [];
}

/** What a row says itself; its columns only help to find it. */
function wordIn(row: LedgerRow | undefined, entry: EntryId): Decision | undefined {
  const said = row && parseStatement(row.payload);
  return said !== undefined && isDecision(said) && said.entry === entry ? said : undefined;
}
