/**
 * What the registry costs as it grows, on both engines.
 *
 *   node bench/store.mjs [--engine sqlite|postgres] [--most 100000] [--records 1000000] [--only entries|audit]
 *
 * 1. entries: first sync, the same again, approve all, snapshot in a fresh process (time and memory), the snapshot
 *    after one more decision, one page of the list, single decisions (median and p99).
 * 2. audit: append and verify a long chain.
 *
 * Baselines of the same run: sync against reading and hashing the same files; the snapshot against reading the same
 * rows with the bare driver; a decision against one durable commit of one row; verifying against hashing as many texts.
 */
import { createHash, hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath, version } from "node:process";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import pg from "pg";
import { createDatabase, startPostgres } from "../test/support/postgres.mjs";
import { loadInternals } from "./internals.mjs";
import { median, ms, printTable, times } from "./measure.mjs";
import { generateSkill } from "./skills.mjs";

const script = fileURLToPath(import.meta.url);
const { values: options } = parseArgs({
  options: {
    engine: { type: "string" },
    most: { type: "string", default: "100000" },
    records: { type: "string", default: "1000000" },
    only: { type: "string" },
    worker: { type: "string" },
    home: { type: "string" },
    store: { type: "string" },
  },
});
const sizes = [1_000, 10_000, 100_000].filter((size) => size <= Number(options.most));
const goal = { snapshotMs: 3_000, snapshotMiB: 600, decideP99: 20, verifyPerSecond: 100_000 };

/** What a snapshot is made from. */
const queries = ["SELECT * FROM entries", "SELECT * FROM ledger", "SELECT digest, summary, seal FROM revisions"];

const internals = await loadInternals({ isWorker: options.worker !== undefined });
if (options.worker === "snapshot") console.log(JSON.stringify(await measureSnapshot()));
else await main();

async function main() {
  console.log(`node ${version}; wall clock of one machine: compare the ratios, not the milliseconds`);
  const engines = ["sqlite", "postgres"].filter((engine) => (options.engine ?? engine) === engine);
  const server = engines.includes("postgres") ? await startPostgres({ durable: true }) : undefined;
  try {
    for (const engine of engines) {
      if ((options.only ?? "entries") === "entries") await showEntries(engine, server);
      if ((options.only ?? "audit") === "audit") await showAudit(engine, server);
    }
  } finally {
    await server?.stop();
  }
}

/** A home of its own with an opened app; `act` gets both. */
async function inHome(engine, server, act) {
  const home = mkdtempSync(join(tmpdir(), "skillward-bench-"));
  const store = engine === "postgres" ? await createDatabase(server.url) : join(home, "skillward.db");
  const app = await open(home, store);
  try {
    return await act({ home, store, app });
  } finally {
    await app.close();
    rmSync(home, { recursive: true });
  }
}

function open(home, store) {
  const environment = internals.parseEnvironment({ HOME: home, USER: "bench", SKILLWARD_STORE: store });
  return internals.openApp(internals.createWorld(), environment);
}

async function showEntries(engine, server) {
  const rows = [];
  for (const size of sizes) rows.push(await inHome(engine, server, (room) => measureEntries(engine, size, room)));
  console.log(`\n${engine}: entries (ms; ratios against the baseline of the same row)`);
  const heading = [
    "entries",
    "sync",
    "vs hashing",
    "again",
    "approve all",
    "snapshot",
    "vs rows",
    "MiB",
    "next",
    "page",
  ];
  printTable([...heading, "decide", "p99", "vs commit"], rows);
  const last = rows.at(-1);
  console.log(
    `goals at ${sizes.at(-1)}: snapshot within ${goal.snapshotMs} ms and ${goal.snapshotMiB} MiB: ${verdict(Number(last[5]) <= goal.snapshotMs && Number(last[7]) <= goal.snapshotMiB)}; decide p99 within ${goal.decideP99} ms: ${verdict(Number(last[11]) <= goal.decideP99)}`,
  );
}

function verdict(isReached) {
  return isReached ? "reached" : "NOT reached";
}

async function measureEntries(engine, size, { home, store, app }) {
  const folder = join(home, "skills");
  writeSkills(folder, size);
  const { sync, person, registry } = app;
  const bounds = { files: size * 4, seconds: 3_600, bytes: 2 ** 34 };
  const source = await internals.addFolder(sync, person, folder, { bounds });
  const [hashing] = await clocked(async () => hashAll(folder));
  const [first] = await clocked(() => internals.runSync(sync, person, source.id));
  const [again] = await clocked(() => internals.runSync(sync, person, source.id));
  const { facts } = await registry.look();
  const [approving] = await clocked(() => approveAll(app, [...facts.entries.values()]));
  const snapshot = JSON.parse(runWorker(home, store));
  await registry.look();
  const decisions = await decideSingly(app, [...facts.entries.values()].slice(0, 300));
  const [next] = await clocked(() => registry.look());
  const pages = [];
  for (let turn = 0; turn < 21; turn++)
    pages.push((await clocked(() => app.kept.read.listEntries({ after: "", limit: 100 })))[0]);
  const commit = engine === "sqlite" ? commitSqlite(home) : await commitPostgres(store);
  const sorted = decisions.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)];
  return [
    size,
    ms(first),
    times(first / hashing),
    ms(again),
    ms(approving),
    ms(snapshot.ms),
    times(snapshot.ms / snapshot.rowsMs),
    snapshot.MiB,
    ms(next),
    ms(median(pages)),
    ms(median(decisions)),
    ms(p99),
    times(median(decisions) / commit),
  ];
}

async function clocked(act) {
  const started = performance.now();
  const result = await act();
  return [performance.now() - started, result];
}

/** A thousand to a shelf, as a person would. */
function writeSkills(folder, size) {
  for (let number = 0; number < size; number++) {
    const { folder: name, text } = generateSkill(number);
    const place = join(folder, `shelf-${Math.floor(number / 1000)}`, name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "SKILL.md"), text);
  }
}

function hashAll(folder) {
  for (const shelf of readdirSync(folder))
    for (const skill of readdirSync(join(folder, shelf)))
      createHash("sha256")
        .update(readFileSync(join(folder, shelf, skill, "SKILL.md")))
        .digest("hex");
}

async function approveAll({ review, person }, entries) {
  for (let at = 0; at < entries.length; at += 500)
    await internals.decide(review, person, entries.slice(at, at + 500).map(approval));
}

function approval({ id, current }) {
  return { word: "approve", entry: id, digest: current, note: "" };
}

async function decideSingly({ review, person }, entries) {
  const taken = [];
  for (const entry of entries)
    taken.push((await clocked(() => internals.decide(review, person, [{ ...approval(entry), word: "disable" }])))[0]);
  return taken;
}

/** The bare driver, made as durable as the store is. */
function commitSqlite(home) {
  const database = new DatabaseSync(join(home, "baseline.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a TEXT)");
  const insert = database.prepare("INSERT INTO t VALUES (?)");
  const taken = Array.from({ length: 100 }, () => {
    const started = performance.now();
    insert.run("x".repeat(500));
    return performance.now() - started;
  });
  database.close();
  return median(taken);
}

async function commitPostgres(url) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("CREATE TABLE baseline (a TEXT)");
  const taken = [];
  for (let turn = 0; turn < 100; turn++)
    taken.push((await clocked(() => client.query("INSERT INTO baseline VALUES ($1)", ["x".repeat(500)])))[0]);
  await client.end();
  return median(taken);
}

/** In a process of its own, since memory is a property of a process. */
function runWorker(home, store) {
  const args = [script, "--worker", "snapshot", "--home", home, "--store", store];
  const { status, stdout, stderr } = spawnSync(execPath, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

async function measureSnapshot() {
  const app = await open(options.home, options.store);
  const [taken, { snapshot }] = await clocked(() => app.registry.look());
  const { maxRSS } = process.resourceUsage();
  if (snapshot.usable.size === 0) throw new Error("nothing is usable: the benchmark measures nothing");
  await app.close();
  const rowsMs = await readRows(options.store);
  return { ms: taken, rowsMs, MiB: Math.round(maxRSS / 1024), usable: snapshot.usable.size };
}

async function readRows(store) {
  if (!store.startsWith("postgres")) {
    const database = new DatabaseSync(store);
    const [taken] = await clocked(async () => queries.map((query) => database.prepare(query).all().length));
    database.close();
    return taken;
  }
  const client = new pg.Client(store);
  await client.connect();
  const [taken] = await clocked(async () => {
    for (const query of queries) await client.query(query);
  });
  await client.end();
  return taken;
}

async function showAudit(engine, server) {
  const count = Number(options.records);
  await inHome(engine, server, async ({ app }) => {
    const events = Array.from({ length: 1_000 }, (_, number) => ({
      at: 1_700_000_000_000 + number,
      by: "bench",
      act: "entry.updated",
      subject: `house:skills/number-${number}`,
      details: { from: hash("sha256", `a${number}`), digest: hash("sha256", `b${number}`) },
    }));
    const [appending] = await clocked(async () => {
      for (let done = 0; done < count; done += events.length)
        await app.kept.transaction((port) => internals.recordEvents(port, events));
    });
    const { audit } = app.kept.known();
    const [verifying, { records, fault }] = await clocked(() =>
      internals.verifyChain(app.kept.read, app.kept.store, audit),
    );
    if (fault !== null || records < count) throw new Error(`the chain does not verify: ${fault?.message}`);
    const text = JSON.stringify([
      1,
      1,
      "bench",
      "entry.updated",
      "house:skills/number-1",
      events[0].details,
      "0".repeat(64),
    ]);
    const [hashing] = await clocked(async () => {
      for (let done = 0; done < count; done++) hash("sha256", text);
    });
    const perSecond = (records / verifying) * 1000;
    console.log(`\n${engine}: audit`);
    printTable(
      ["records", "append/s", "verify ms", "verify/s", "vs hashing"],
      [
        [
          records,
          Math.round((count / appending) * 1000),
          ms(verifying),
          Math.round(perSecond),
          times(verifying / hashing),
        ],
      ],
    );
    console.log(
      `goal: at least ${goal.verifyPerSecond} a second: ${perSecond >= goal.verifyPerSecond ? "reached" : "NOT reached"}`,
    );
  });
}
