import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type App, openApp } from "../../src/app/app.ts";
import { readEnvironment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { AppError } from "../../src/core/error.ts";
import { decide, setBlock } from "../../src/registry/decide.ts";
import type { Word } from "../../src/registry/ledger/decision.ts";
import type { Entry } from "../../src/registry/entry.ts";
import type { State } from "../../src/registry/state.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { recordUsage } from "../../src/registry/usage/usage.ts";
import { atEveryPoint } from "../support/crash-points.ts";
import { changeSkills, seeded } from "../support/crash-skills.ts";
import { inTransaction, type Order, type Said } from "../support/crash.ts";
import { injection } from "./store-contract/rows.ts";
import { allow } from "../support/permits.ts";

/** Does what people do with a registry, again and again, and says what was done only once it was: until it is killed. */
const order: Order = JSON.parse(process.argv[2] ?? "");
const random = seeded(order.seed);

let act = "";
let reached: string[] = [];
let isThere = false;

atEveryPoint((point) => {
  reached.push(point);
  return isFated(point) ? meetFate(point) : undefined;
});

const app = await insist(
  "open",
  () => openApp(createWorld(), readEnvironment()),
  ({ kept }) => ({ store: kept.store }),
);
await doing("add", () => addSources(app));
for (let round = 0; round < order.rounds; round++) {
  for (const [index, folder] of order.folders.entries()) {
    if (round > 0) changeSkills(folder, random);
    await doing("sync", () => sync(app, `source-${index}`));
  }
  await doing("approve", () => approve(app));
  await doing("withdraw", () => withdraw(app));
  await doing("block", () => block(app));
  const batch = randomBytes(8).toString("hex");
  await doing("usage", () => use(app, batch));
}
await app.close();

function isFated(point: string): boolean {
  if (order.at?.act !== act || reached.length < order.at.point) return false;
  return order.at.fate === "die" || inTransaction.test(point);
}

async function doing(name: string, perform: () => Promise<Partial<Said>>): Promise<void> {
  await insist(name, perform, (told) => ({ ...told, head: app.kept.known().audit }));
}

/** When the server was killed and not this process, what failed is tried again, as a person would. */
async function insist<Result>(
  name: string,
  perform: () => Promise<Result>,
  told: (result: Result) => Partial<Said>,
): Promise<Result> {
  for (;;) {
    act = name;
    reached = [];
    try {
      const result = await perform();
      // It went a shorter way than when its points were listed.
      if (order.at?.act === act) await meetFate("its end");
      say({ act, points: reached, ...told(result) });
      return result;
    } catch (error) {
      if (!order.isStubborn || !(error instanceof AppError) || error.code !== "store.failed") throw error;
      say({ failed: `${act}: ${error.message}` });
      await sleep(50);
    }
  }
}

function say(said: Partial<Said>): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}

async function meetFate(point: string): Promise<void> {
  if (isThere) return;
  isThere = true;
  say({ at: `${act}: ${point}` });
  if (order.at?.fate === "cut") await cutConnections();
  else process.kill(process.pid, "SIGKILL");
}

/** As an administrator of the server would, or a network that fails. */
async function cutConnections(): Promise<void> {
  const { Client } = pg;
  const admin = new Client({ connectionString: process.env["SKILLWARD_STORE"] });
  await admin.connect();
  await admin.query({
    text: "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  });
  await admin.end();
}

async function addSources({ sync: context, person }: App): Promise<Partial<Said>> {
  const known = new Set((await context.kept.read.listSources()).map(({ id }) => id));
  for (const [index, folder] of order.folders.entries()) {
    const id = `source-${index}`;
    if (!known.has(id))
      await addFolder(context, allow(person), folder, { id, onChange: index === 0 ? "disable" : "hold" });
  }
  return {};
}

async function sync({ sync: context, person, registry }: App, id: string): Promise<Partial<Said>> {
  await runSync(context, allow(person), id);
  const { facts } = await registry.look();
  const entries = [...facts.entries.values()].filter(({ source }) => source === id);
  return { entries: entries.map((entry) => [entry.id, entry.current]) };
}

async function approve(open: App): Promise<Partial<Said>> {
  const waiting = (await entriesIn(open, ["new", "pending", "held"])).slice(0, 4);
  return decideTogether(
    open,
    waiting.map((entry) => ["approve", entry]),
  );
}

async function withdraw(open: App): Promise<Partial<Said>> {
  const enabled = (await entriesIn(open, ["enabled"])).slice(0, 2);
  return decideTogether(
    open,
    enabled.map((entry, index) => [index === 0 ? "disable" : "reject", entry]),
  );
}

/** The note says how many were signed together: all of them are there, or none. */
async function decideTogether({ review, person }: App, words: readonly [Word, Entry][]): Promise<Partial<Said>> {
  const note = `${randomBytes(8).toString("hex")} of ${words.length}`;
  const asked = words.map(([word, { id, current }]) => ({ word, entry: id, digest: current, note }));
  return { words: await decide(review, allow(person, "review"), asked) };
}

async function block(open: App): Promise<Partial<Said>> {
  const { facts } = await open.registry.look();
  const [standing] = facts.ledger.blocks.values();
  const entry = (await entriesIn(open, ["new", "pending", "enabled"])).at(-1);
  const { kind, value } = standing ?? { kind: "digest", value: entry?.current ?? "" };
  const word = standing === undefined ? "block" : "unblock";
  return { words: [await setBlock(open.review, allow(open.person), { word, kind, value, note: "alone" })] };
}

async function use(open: App, batch: string): Promise<Partial<Said>> {
  const { snapshot } = await open.registry.look();
  const at = Date.now();
  const place = { configuration: null, task: null, conversation: "one", tool: null };
  const used = { at, event: "injected", ...place } as const;
  const records = [...snapshot.usable.values()].map(({ id: entry, digest }) => Object.assign({ entry, digest }, used));
  const injections = ["a", "b"].map((mark) => injection(`inj_${batch}${mark}`, { at }));
  await recordUsage(open.kept, { id: batch, node: "one", at, records, injections });
  return { batch };
}

async function entriesIn({ registry }: App, states: readonly State[]): Promise<Entry[]> {
  const { facts, snapshot } = await registry.look();
  const entries = [...facts.entries.values()].filter(({ id }) => {
    const standing = snapshot.standings.get(id);
    return standing !== undefined && states.includes(standing.state);
  });
  return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
