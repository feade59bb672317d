import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { addSource } from "../../src/features/sources/add.ts";
import { type App, openApp } from "../../src/app/app.ts";
import { readEnvironment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { decide } from "../../src/registry/decide.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { atEveryPoint } from "../support/crash-points.ts";
import type { Order, Said } from "../support/crash.ts";
import { allow } from "../support/permits.ts";

/** Syncs a repository and a marketplace and approves what is new, saying what was done only once it was: until it is killed. */
const order: Order = JSON.parse(process.argv[2] ?? "");

let act = "";
let reached: string[] = [];

atEveryPoint((point) => {
  reached.push(point);
  if (order.at?.act === act && reached.length >= order.at.point) die(point);
});

const app = await openApp(createWorld(), readEnvironment());
say({ act: "open", store: app.kept.store });
await doing("add", () => addSources(app));
for (const id of ["skills", "market"]) await doing(`sync ${id}`, () => sync(app, id));
await doing("approve", () => approve(app));
await app.close();

async function doing(name: string, perform: () => Promise<Partial<Said>>): Promise<void> {
  [act, reached] = [name, []];
  const told = await perform();
  // It went a shorter way than when its points were listed.
  if (order.at?.act === act) die("its end");
  say({ act, points: reached, head: app.kept.known().audit, ...told });
}

function die(point: string): void {
  say({ at: `${act}: ${point}` });
  process.kill(process.pid, "SIGKILL");
}

function say(said: Partial<Said>): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}

async function addSources(open: App): Promise<Partial<Said>> {
  const known = new Set((await open.kept.read.listSources()).map(({ id }) => id));
  for (const id of ["skills", "market"])
    if (!known.has(id)) await addSource(open, `acme/${id}`, { id, sync: false, onChange: "hold" });
  return {};
}

async function sync({ sync: context, person, registry }: App, id: string): Promise<Partial<Said>> {
  await runSync(context, allow(person), id);
  const { facts } = await registry.look();
  const entries = [...facts.entries.values()].filter(({ source }) => source === id);
  return { entries: entries.map((entry) => [entry.id, entry.current]) };
}

/** The note says how many were signed together: all of them are there, or none. */
async function approve({ review, registry, person }: App): Promise<Partial<Said>> {
  const { facts, snapshot } = await registry.look();
  const waiting = [...facts.entries.values()].filter(({ id }) =>
    ["new", "pending", "held"].includes(snapshot.standings.get(id)?.state ?? ""),
  );
  const chosen = waiting.slice(0, 3);
  const note = `${randomBytes(8).toString("hex")} of ${chosen.length}`;
  const asked = chosen.map(({ id, current }) => ({ word: "approve", entry: id, digest: current, note }) as const);
  return { words: asked.length === 0 ? [] : await decide(review, allow(person, "review"), asked) };
}
