import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Timer } from "../../src/core/world.ts";
import { type FixedClock, fixedClock } from "../../src/testing/fixed-clock.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { failureOf } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome } from "../support/gateway-home.ts";
import { portOf, type Speaker, speakers, uncaught } from "../support/gateway-speakers.ts";
import { call } from "../support/http-serving.ts";
import { realWorld } from "../support/registry.ts";
import { postgresPlace } from "../support/store-engines.ts";

/** A gateway whose store goes away and comes back. */
interface Losing {
  readonly home: GatewayHome;
  readonly clock: FixedClock;
  /** Usage is written down, or tried to be. */
  readonly tick: () => void;
  readonly lose: () => void;
  readonly bringBack: () => void;
}

/** As the real one, but what happens every five seconds, usage being written down, happens when it is told to. */
function handTimer(): { timer: Timer; tick: () => void } {
  const acts = new Set<() => void>();
  const every: Timer["every"] = (milliseconds, act) => {
    if (milliseconds !== 5000) return realWorld.timer.every(milliseconds, act);
    acts.add(act);
    return { stop: () => acts.delete(act) };
  };
  return { timer: { ...realWorld.timer, every }, tick: () => acts.forEach((act) => act()) };
}

/** The file is overwritten under the feet of the process, and restored. */
async function onSqlite(): Promise<Losing> {
  const [clock, { timer, tick }] = [fixedClock(), handTimer()];
  const home = await gatewayHome({ world: { clock, timer } });
  const { folder } = home;
  const version = folder.sql("PRAGMA user_version")[0]?.["user_version"];
  // Whoever has pages in memory looks into the file again after another one wrote to it.
  const touch = (): void => void folder.sql(`PRAGMA user_version = ${Number(version)}`);
  let bytes = Buffer.alloc(0);
  return {
    home,
    clock,
    tick,
    lose() {
      touch();
      folder.sql("PRAGMA wal_checkpoint(TRUNCATE)");
      bytes = readFileSync(folder.database);
      writeFileSync(folder.database, Buffer.alloc(bytes.length, 0xff));
    },
    bringBack() {
      writeFileSync(folder.database, bytes);
      touch();
    },
  };
}

/** Every connection is cut as soon as something is said on it. */
async function onPostgres(): Promise<Losing> {
  const place = await postgresPlace();
  onTestFinished(() => place.remove());
  const proxy = await cuttingProxy(place.place, "");
  onTestFinished(() => proxy.close());
  const [clock, { timer, tick }] = [fixedClock(), handTimer()];
  const home = await gatewayHome({ world: { clock, timer }, config: `store: ${proxy.url}\n` });
  return { home, clock, tick, lose: () => proxy.cut(), bringBack: () => proxy.mend() };
}

const stores = { SQLite: onSqlite, PostgreSQL: onPostgres };

describe("invariant 9, CO-16: a file that is briefly gone", () => {
  // Of PostgreSQL, which can be away, requests are answered without it: `standby.test.ts`.
  it("CO-16, RV-8: 503 in the client's own shape meanwhile; then all goes on, and no usage is lost", async () => {
    const nobodyCaught = uncaught();
    const losing = await onSqlite();
    const { home, clock, lose, bringBack } = losing;
    const before = await injectionsOf(home, 3);
    const open = await openStreams(home);
    lose();
    const arrived = home.upstream.requests.length;
    await expectAway(losing);
    expect(home.upstream.requests).toHaveLength(arrived);
    const injections = [...before, ...(await finishStreams(home, open))];
    bringBack();
    clock.advance(1000);
    await expectBack(home);
    injections.push(...(await injectionsOf(home, 1)));
    await expectKept(home, injections);
    expect(nobodyCaught).toEqual([]);
  });
});

describe.each(Object.entries(stores))("invariant 9, CO-16: a store that is briefly gone: %s", (_engine, start) => {
  it("RV-8: what a node could not write before it stopped waits on the disk for the next one", async () => {
    const { home, clock, lose, bringBack } = await start();
    const injections = await injectionsOf(home, 2);
    lose();
    await home.stop();
    const { spoolFolder } = home.app.places;
    expect(readdirSync(spoolFolder)).toHaveLength(1);
    bringBack();
    clock.advance(1000);
    const next = { ...home, url: await home.restart() };
    await expectBack(next);
    await expectKept(next, injections);
    expect(readdirSync(spoolFolder)).toEqual([]);
  });
});

/** Asks so often, and gives back under which ids it is written down. */
async function injectionsOf(home: GatewayHome, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let each = 0; each < count; each++)
    for (const speaker of speakers) {
      const response = await speaker.open(home);
      ids.push(response.headers.get("x-skillward-injection") ?? "");
      await response.text();
    }
  expect(new Set(ids).size).toBe(2 * count);
  return ids;
}

interface OpenStream {
  readonly speaker: Speaker;
  readonly response: Response;
}

/** Streams of which the first event has come. */
async function openStreams(home: GatewayHome): Promise<OpenStream[]> {
  const open: OpenStream[] = [];
  for (const speaker of speakers) {
    home.upstream.next({ chunks: ["data: {}\n\n", "data: [DONE]\n\n"] });
    open.push({ speaker, response: await speaker.open(home, true) });
  }
  return open;
}

/** What had begun is not in need of the store any more. */
async function finishStreams(home: GatewayHome, open: readonly OpenStream[]): Promise<string[]> {
  const reading = open.map(({ response }) => response.text());
  for (const _ of open) await home.upstream.step();
  expect(await Promise.all(reading)).toEqual(open.map(() => "data: {}\n\ndata: [DONE]\n\n"));
  return open.map(({ response }) => response.headers.get("x-skillward-injection") ?? "");
}

async function expectAway({ home, clock, tick }: Losing): Promise<void> {
  for (const speaker of speakers) {
    const seen = speaker.seen(await failureOf(speaker.ask(home)));
    const kind = speaker.name === "openai" ? "InternalServerError" : "ServiceUnavailableError";
    expect(seen).toMatchObject({ kind, status: 503 });
    expect(seen.said).toBe("the server cannot answer this; its log says why, under the id of this request");
    expect(seen.headers?.get("retry-after")).toBe("1");
    if (speaker.name === "openai") expect(seen.code).toBe("store.failed");
  }
  // Not even a wrong key is told that it is one: nobody can know.
  expect(await call(portOf(home), "/v1/models", { key: "swk_wrong" })).toMatchObject({ status: 503 });
  const checks = [
    { name: "store", ok: false, about: "the store cannot be read; its log says why" },
    { name: "usage", ok: false, about: "usage waits on the disk until the store is back" },
  ];
  tick();
  await expect.poll(() => readiness(home, clock)).toEqual([503, { ready: false, checks }]);
  expect(await call(portOf(home), "/healthz")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
}

/** As anybody sees it. */
async function readiness(home: GatewayHome, clock: FixedClock): Promise<[number, unknown]> {
  clock.advance(1000);
  const { status, json } = await call(portOf(home), "/readyz");
  return [status, json()];
}

async function expectBack(home: GatewayHome): Promise<void> {
  for (const speaker of speakers) expect(await speaker.ask(home)).toBe("Hello from the upstream.");
  expect(await call(portOf(home), "/readyz")).toMatchObject({ status: 200 });
}

/** In the store itself, each once, with a use of each skill. */
async function expectKept(home: GatewayHome, injections: readonly string[]): Promise<void> {
  const { url, key, app } = home;
  for (const id of injections) {
    const { status, json } = await call(portOf({ url }), `/api/injections/${id}`, { key });
    expect([status, json().id, json().included.length]).toEqual([200, id, 2]);
  }
  await home.stop();
  const kept = await Promise.all(injections.map((id) => app.kept.read.findInjection(id)));
  expect(kept.map((record) => record?.id)).toEqual(injections);
  for (const { digest = "" } of kept[0]?.included ?? []) {
    const uses = (await app.kept.read.usageOf(digest, 1000)).map(({ conversation }) => conversation ?? "");
    expect(uses.filter((id) => injections.includes(id)).toSorted()).toEqual(injections.toSorted());
  }
}
