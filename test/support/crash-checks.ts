import { readdirSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, inject } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { pages } from "../../src/core/kept.ts";
import { isSigned } from "../../src/registry/keys.ts";
import { isDecision, parseStatement } from "../../src/registry/ledger/decision.ts";
import { addFolder, listSources } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { parseInjection } from "../../src/registry/usage/injection.ts";
import { usageHash } from "../../src/registry/usage/usage.ts";
import { verifyChain } from "../../src/registry/verify.ts";
import { askPostgres } from "./crash-server.ts";
import type { Site } from "./crash.ts";
import { createDatabase, dropDatabase } from "./postgres.mjs";
import { allow } from "./permits.ts";
import type { AuditRecord } from "../../src/registry/schema.ts";

/** What was met on the way: a test that never met these has not tested them. */
export interface Met {
  kills: number;
  stoppedSyncs: number;
  leftFiles: number;
  usable: number;
}

type Records = ReadonlyMap<number, AuditRecord>;

/** Opens the store as the next run would, and holds it to everything a crash must not break (invariant 9, T42). */
export async function checkSite(site: Site, met: Met): Promise<void> {
  met.leftFiles += ageLeftovers(site.home);
  const app = await openApp(createWorld(), parseEnvironment(site.environment));
  try {
    const records = await checkChain(app);
    checkAcknowledged(app, records, site.said);
    await checkEntries(app, records, site.said);
    await checkWords(app, records, site.said);
    await checkUsage(app, records, site.said);
    await checkBundles(app, site);
    met.usable += await checkUsable(app);
    met.stoppedSyncs += await checkStopped(app);
    await checkNextSync(app, site);
  } finally {
    await app.close();
  }
  expect(filesBelow(site.home)).toEqual(filesOf(app));
}

async function checkChain({ kept }: App): Promise<Records> {
  const { fault, records: count } = await verifyChain(kept.read, kept.store, kept.known().audit);
  expect(fault).toBeNull();
  const records = new Map<number, AuditRecord>();
  const read = (after: number) => kept.read.auditAfter(after, 5000);
  for await (const some of pages(read, 0, ({ seq }) => seq)) for (const record of some) records.set(record.seq, record);
  expect(records.size).toBe(count);
  return records;
}

/** Neither an audit record that was acknowledged is lost, nor the store itself. */
function checkAcknowledged({ kept }: App, records: Records, said: Site["said"]): void {
  for (const { store, head } of said) {
    if (store !== undefined) expect(kept.store).toBe(store);
    if (head !== undefined) expect(records.get(head.seq)?.hash).toBe(head.hash);
  }
}

/** The entries are what the chain says: nothing changed without its record, nothing was recorded that did not change. */
async function checkEntries({ kept, registry }: App, records: Records, said: Site["said"]): Promise<void> {
  const expected = new Map<string, { present: boolean; current: string }>();
  const history = new Map<string, Set<string>>();
  for (const { act, subject, details } of records.values()) {
    if (!act.startsWith("entry.")) continue;
    const { digest = expected.get(subject)?.current }: { digest?: string } = JSON.parse(details);
    expected.set(subject, { present: act !== "entry.orphaned", current: digest ?? "" });
    history.set(subject, (history.get(subject) ?? new Set()).add(digest ?? ""));
  }
  const { facts } = await registry.look();
  const found = [...facts.entries.values()].map(({ id, present, current }) => [id, { present, current }] as const);
  expect(new Map(found)).toEqual(expected);
  for (const [id, digests] of history)
    expect(new Set((await kept.read.revisionsOf(id)).map(({ digest }) => digest))).toEqual(digests);
  for (const [id, digest] of said.flatMap(({ entries = [] }) => entries)) expect(history.get(id)).toContain(digest);
}

/** The signed words are those of the chain, those that were acknowledged are among them, and none came alone. */
async function checkWords({ kept, keys, registry }: App, records: Records, said: Site["said"]): Promise<void> {
  const rows = await kept.read.ledgerAfter(0, 100_000);
  for (const row of rows) expect(isSigned(keys, row.payload, row)).toBe(true);
  const recorded = [...records.values()].filter(({ act }) => /^(?:decision|block)\./.test(act));
  expect(rows.map(({ payload }) => payload)).toEqual(recorded.map(({ details }) => JSON.parse(details).payload));
  const words = rows.map(({ payload }) => parseStatement(payload)).filter((word) => word !== undefined);
  for (const word of said.flatMap((each) => each.words ?? [])) expect(words[word.seq - 1]).toEqual(word);
  const notes = words.filter(isDecision).map(({ note }) => note);
  for (const note of new Set(notes)) expect(note).toMatch(` of ${notes.filter((each) => each === note).length}`);
  expect((await registry.look()).snapshot.findings).toEqual([]);
}

async function checkUsage({ kept }: App, records: Records, said: Site["said"]): Promise<void> {
  const recorded = [...records.values()].filter(({ act }) => act === "usage.batch");
  const batches = new Map(recorded.map(({ subject, details }) => [subject, JSON.parse(details).hash]));
  const found = new Map<string, string>();
  for (const { id } of await kept.read.usageBatches({ after: "", limit: 100_000 })) {
    const injections = (await kept.read.injectionsIn(id)).flatMap((row) => parseInjection(row) ?? []);
    expect(injections).toHaveLength(2);
    found.set(id, usageHash(await kept.read.usageIn(id), injections));
  }
  expect(found).toEqual(batches);
  expect(await kept.read.strayUsage(9)).toEqual([]);
  for (const { batch } of said) if (batch !== undefined) expect([...batches.keys()]).toContain(batch);
}

/** Also those that no entry names yet. */
async function checkBundles({ registry }: App, { environment, home, whole }: Site): Promise<void> {
  for (const digest of await revisionDigests(environment["SKILLWARD_STORE"], home)) {
    if (whole.has(digest)) continue;
    const { bundle, findings } = await registry.open(digest);
    expect(findings).toEqual([]);
    expect(bundle?.digest).toBe(digest);
    whole.add(digest);
  }
}

async function revisionDigests(url: string | undefined, home: string): Promise<string[]> {
  const select = "select digest from revisions";
  if (url !== undefined) return (await askPostgres(url, select)).map(({ digest }) => String(digest));
  const database = new DatabaseSync(join(home, ".local/share/skillward/skillward.db"));
  const rows = database.prepare(select).all();
  database.close();
  return rows.map(({ digest }) => String(digest));
}

/** Nothing is usable but by a signed approval of exactly these bytes, and the bytes are there. */
async function checkUsable({ kept, keys, registry }: App): Promise<number> {
  const { snapshot } = await registry.look();
  for (const { id, digest } of snapshot.usable.values()) {
    const words = (await kept.read.ledgerOf(id)).filter((row) => isSigned(keys, row.payload, row));
    const approvals = words.map(({ payload }) => JSON.parse(payload)).filter(({ word }) => word === "approve");
    expect(approvals.map((said) => [said.entry, said.digest])).toContainEqual([id, digest]);
    expect((await registry.use(snapshot, id)).digest).toBe(digest);
  }
  return snapshot.usable.size;
}

/** IN-15: what was syncing shows as an error that says what to do. */
async function checkStopped({ kept, sync, person }: App): Promise<number> {
  const stopped = (await kept.read.listSources()).filter(({ status }) => status === "syncing");
  const shown = await listSources(sync, allow(person, "read"));
  expect(shown.filter(({ status }) => status === "syncing")).toEqual([]);
  for (const { id } of stopped)
    expect(shown.find((source) => source.id === id)).toMatchObject({
      status: "error",
      error: expect.stringContaining(`skillward source sync ${id}`),
    });
  return stopped.length;
}

/** Nothing holds the next run up, and it brings everything to where it should be; one more changes nothing. */
async function checkNextSync({ kept, sync, person, registry }: App, { folders }: Site): Promise<void> {
  for (const [index, folder] of folders.entries()) {
    const id = `source-${index}`;
    if ((await kept.read.findSource(id)) === undefined) await addFolder(sync, allow(person), folder, { id });
    expect(await runSync(sync, allow(person), id)).toMatchObject({ status: "ok" });
    const present = [...(await registry.look()).facts.entries.values()].filter(
      (each) => each.source === id && each.present,
    );
    expect(present.map(({ path }) => path).toSorted()).toEqual(readdirSync(folder).toSorted());
    const head = await kept.read.auditHead();
    expect(await runSync(sync, allow(person), id)).toMatchObject({ created: 0, updated: 0, orphaned: 0 });
    expect(await kept.read.auditHead()).toEqual(head);
  }
}

const hoursAgo = 2;

/** Files that a killed process was writing are old enough to be taken away by the next one. */
function ageLeftovers(home: string): number {
  const left = filesBelow(home).filter((file) => file.endsWith(".tmp"));
  const then = new Date(Date.now() - hoursAgo * 3_600_000);
  for (const file of left) utimesSync(join(home, file), then, then);
  return left.length;
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  // Beside the database SQLite keeps two of its own.
  const files = entries.filter((entry) => !entry.isDirectory() && !/-(?:wal|shm)$/.test(entry.name));
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).toSorted();
}

function filesOf({ kept, storePlace }: App): string[] {
  const data = ".local/share/skillward";
  const database = storePlace.engine === "sqlite" ? [`${data}/skillward.db`] : [];
  return [".config/skillward/keys.json", `${data}/checkpoints/${kept.store}.json`, ...database];
}

/** A PostgreSQL database of its own, for as long as it is used. */
export async function withDatabase<Result>(use: (url?: string) => Promise<Result>): Promise<Result> {
  const url = await createDatabase(inject("postgres"));
  try {
    return await use(url);
  } finally {
    await dropDatabase(url);
  }
}
