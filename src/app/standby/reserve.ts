import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import type { AccountHistory } from "../../registry/accounts/account-history.ts";
import type { ChainHead } from "../../registry/audit/audit.ts";
import type { Entry } from "../../registry/entry.ts";
import type { LedgerRow } from "../../registry/ledger/ledger.ts";
import type { Look, Registry } from "../../registry/registry.ts";
import { listedFiles, type RevisionRow } from "../../registry/revision.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import type { StoreReads } from "../../store/store.ts";
import type { LlmKind, LlmRecord, TargetKey } from "../../models/port.ts";
import type { BodyCache } from "./body-cache.ts";

/** The reads that answering a request takes, and no others: these are answered while the store is away (SV-7). */
export type ServingReads = Pick<
  StoreReads,
  | "generation"
  | "findKey"
  | "findUser"
  | "auditHead"
  | "findLlmRecord"
  | "listLlmRecords"
  | "listAttached"
  | "listTriggers"
  | "findRevisions"
  | "findBlobs"
  | "ledgerOfAll"
>;

/** What the store held of one entry that may be used. */
interface Rows {
  readonly entry: Entry | undefined;
  readonly usable: UsableEntry;
  readonly revision: RevisionRow;
  readonly words: readonly LedgerRow[];
}

/**
 * Rows of one generation, as the store held them: whoever reads them proves seals, signatures and digests as it does with
 * the store's own. Never changes; a new generation has a reserve of its own.
 */
export interface Reserve {
  readonly look: Look;
  /** The last audit record at that time: a store that comes back has to continue it (T19). */
  readonly head: ChainHead;
  readonly reads: ServingReads;
  /** The files of what may be used, what is attached first, each once. */
  readonly bodies: readonly Digest[];
  readonly rows: ReadonlyMap<EntryId, Rows>;
}

type Source = ServingReads & Pick<StoreReads, "listKeys" | "listUsers" | "findAudit">;

interface Reading {
  readonly read: Source;
  readonly registry: Pick<Registry, "look">;
  /** What is said of keys and users, for all doors of this node: it has to be known by then up to where the reserve is. */
  readonly history: Pick<AccountHistory, "follow">;
  readonly cache: Pick<BodyCache, "find">;
}

/** Reads again until no generation came in between, so that all of it is of one moment (invariant 8). */
export async function readReserve(reading: Reading, before: Reserve | null): Promise<Reserve> {
  const { read, registry, history, cache } = reading;
  const look = await registry.look();
  const [keys, users, records, triggers, head] = await Promise.all([
    read.listKeys(),
    read.listUsers(),
    readRecords(read),
    read.listTriggers(),
    read.auditHead(),
  ]);
  await history.follow(read);
  const attached = await readAttached(read, records);
  const rows = await readRows(read, look, before?.rows);
  if ((await read.generation()) !== look.snapshot.generation) return readReserve(reading, before);
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  const userOf = new Map(users.map((user) => [user.name, user]));
  const reads: ServingReads = {
    generation: async () => look.snapshot.generation,
    findKey: async (id) => keyOf.get(id),
    findUser: async (name) => userOf.get(name),
    auditHead: async () => head,
    findLlmRecord: async (kind, id) => records[kind].find((record) => record.id === id),
    listLlmRecords: async (kind) => records[kind],
    listAttached: async (target) => attached.get(target) ?? [],
    listTriggers: async () => triggers,
    ...readsOfRows(rows),
    findBlobs: async (digests) => demandAll(digests, await cache.find(digests)),
  };
  return { look, head, reads, bodies: bodiesOf(rows, [...attached.values()].flat()), rows };
}

type Records = Readonly<Record<LlmKind, readonly LlmRecord[]>>;

async function readRecords(read: Source): Promise<Records> {
  const [provider, configuration, task] = await Promise.all([
    read.listLlmRecords("provider"),
    read.listLlmRecords("configuration"),
    read.listLlmRecords("task"),
  ]);
  return { provider, configuration, task };
}

async function readAttached(read: Source, { configuration, task }: Records) {
  const targets: TargetKey[] = [
    ...configuration.map(({ id }): TargetKey => `config:${id}`),
    ...task.map(({ id }): TargetKey => `task:${id}`),
  ];
  return new Map(await Promise.all(targets.map(async (target) => [target, await read.listAttached(target)] as const)));
}

/** Of all that may be used; what has not changed since the reserve before is not read again. */
async function readRows(
  read: Source,
  { facts, snapshot }: Look,
  before: Reserve["rows"] = new Map(),
): Promise<ReadonlyMap<EntryId, Rows>> {
  const rows = new Map<EntryId, Rows>();
  const changed: UsableEntry[] = [];
  for (const usable of snapshot.usable.values()) {
    const known = before.get(usable.id);
    const isSame = known !== undefined && known.entry === facts.entries.get(usable.id) && isAsBefore(known, usable);
    if (isSame) rows.set(usable.id, known);
    else changed.push(usable);
  }
  const revisions = byKey(await read.findRevisions(changed.map(({ digest }) => digest)), ({ digest }) => digest);
  const words = byKey(await read.ledgerOfAll(changed.map(({ id }) => id)), ({ subject }) => subject);
  for (const usable of changed) {
    const [revision] = revisions.get(usable.digest) ?? [];
    const entry = facts.entries.get(usable.id);
    if (revision !== undefined) rows.set(usable.id, { entry, usable, revision, words: words.get(usable.id) ?? [] });
  }
  return rows;
}

function isAsBefore({ usable: before }: Rows, { digest, approvals }: UsableEntry): boolean {
  return before.digest === digest && before.approvals.join(" ") === approvals.join(" ");
}

function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) {
    const known = grouped.get(keyOf(row));
    if (known === undefined) grouped.set(keyOf(row), [row]);
    else known.push(row);
  }
  return grouped;
}

function readsOfRows(rows: Reserve["rows"]): Pick<ServingReads, "findRevisions" | "ledgerOfAll"> {
  const revisions = new Map([...rows.values()].map(({ revision }) => [revision.digest, revision]));
  return {
    findRevisions: async (digests) => [...demandAll(digests, revisions).values()],
    ledgerOfAll: async (subjects) => [...demandAll(subjects, rows).values()].flatMap(({ words }) => words),
  };
}

/** Only the store knows whether there is one that is not here: it is not said to be gone. */
function demandAll<Row>(keys: readonly string[], known: ReadonlyMap<string, Row>): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const key of keys) {
    const row = known.get(key);
    if (row === undefined)
      throw new AppError("store.failed", "the store is away, and this node does not have all that was asked for");
    rows.set(key, row);
  }
  return rows;
}

const digestPattern = /^[0-9a-f]{64}$/;

/** Should there be no room for all of them, what requests are given for certain comes first. */
function bodiesOf(rows: Reserve["rows"], attached: readonly EntryId[]): readonly Digest[] {
  const bodies = new Set<Digest>();
  // Each becomes the name of a file: what a hand wrote into the list does not.
  for (const id of [...attached, ...rows.keys()])
    for (const { digest } of listedFiles(rows.get(id)?.revision ?? noFiles))
      if (digestPattern.test(digest)) bodies.add(digest);
  return [...bodies];
}

const noFiles: RevisionRow = { digest: "", folder: "", files: "[]", summary: "", seal: "" };
