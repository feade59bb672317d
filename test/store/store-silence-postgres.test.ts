import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { initialVersion } from "../../src/store/migrate.ts";
import type { Store } from "../../src/store/store.ts";
import { type CutBy, cuttingProxy } from "../support/cutting-proxy.ts";
import { openAt, type OpenOptions } from "../support/store-at.ts";
import { lock } from "./store-contract/rows.ts";
import { postgresSchemas, type StorePlace } from "../support/store-engines.ts";

let place: StorePlace;

const places = postgresSchemas();

beforeEach(async () => {
  place = await places.newPlace();
});

afterEach(() => place.remove());
afterAll(() => places.remove());

/** For what is waited for anyhow: what never comes fails the test. */
const patiently = { timeout: 30_000 };
/** Longer than any test takes: who waits for it does not end. */
const never = 600_000;

/** By a way that forgets whoever sends the text, when it is told to. Closed with the test. */
async function open(by: CutBy, options: OpenOptions) {
  const proxy = await cuttingProxy(place.place, by);
  const store = await openAt({ engine: "PostgreSQL", place: proxy.url }, options);
  onTestFinished(async () => {
    await store.close();
    proxy.close();
  });
  return { proxy, store };
}

function step(store: Store): Promise<void> {
  return store.transaction(async (port) => {
    const { token } = (await port.findLock("house")) ?? { token: 0 };
    await port.putLock(lock({ token: token + 1 }));
  });
}

const raise = (store: Store) => store.transaction((port) => port.raiseGeneration());

async function tokenOf({ read }: Store): Promise<number | undefined> {
  return (await read.findLock("house"))?.token;
}

describe("a PostgreSQL server that forgets a statement and is well otherwise", () => {
  it.each([
    ["a commit", "COMMIT\0", /the server does not answer .*; whether the change was made is not known: look before/],
    ["a change", "sync_locks", /the server does not answer/],
  ])("RV-11: %s: it is said so, and who waits behind it writes", async (_, statement, message) => {
    const { store, proxy } = await open(statement, { silenceMilliseconds: 1000 });
    await step(store);
    proxy.forget();
    const failing = step(store);
    const next = step(store);
    await expect(failing).rejects.toMatchObject({ code: "store.failed", message: expect.stringMatching(message) });
    await next;
    expect([proxy.forgotten, await tokenOf(store)]).toEqual([1, 2]);
  });

  it("RV-11: the first of a transaction: nothing was done, so that it is begun again", async () => {
    const { store, proxy } = await open("BEGIN", { silenceMilliseconds: 1000 });
    await step(store);
    proxy.forget();
    await step(store);
    expect([proxy.forgotten, await tokenOf(store)]).toEqual([1, 2]);
  });

  it("SV-7: hung up here, the first of a transaction is not begun again: nobody waits for another connection", async () => {
    const { store, proxy } = await open("BEGIN", { silenceMilliseconds: never });
    await step(store);
    proxy.forget();
    const failing = step(store).catch((error: unknown) => error);
    await expect.poll(() => proxy.forgotten, patiently).toBe(1);
    store.hangUp("all");
    expect(await failing).toMatchObject({ code: "store.failed" });
    await step(store);
    expect(await tokenOf(store)).toBe(2);
  });

  it("RV-11: a read: it is said so, and the next one is answered", async () => {
    const { store, proxy } = await open("sync_locks", { silenceMilliseconds: 1000 });
    await step(store);
    proxy.forget();
    const message = expect.stringMatching(/the server does not answer/);
    await expect(tokenOf(store)).rejects.toMatchObject({ code: "store.failed", message });
    expect(await tokenOf(store)).toBe(1);
  });

  it("RV-11: is asked after ten seconds whether it is still there, by the system itself", async (test) => {
    test.skip(process.platform !== "linux", "only Linux shows its timers");
    const store = await place.open();
    onTestFinished(() => store.close());
    await step(store);
    const ours = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skillward'";
    await expect.poll(() => place.query(`SELECT client_port ${ours}`), patiently).not.toEqual([]);
    const sockets = await readFile("/proc/net/tcp", "utf8");
    for (const { client_port: port } of await place.query(`SELECT client_port ${ours}`)) {
      const hex = Number(port).toString(16).toUpperCase().padStart(4, "0");
      const [, hundredths = ""] = new RegExp(`^ *\\d+: \\w+:${hex} \\S+ 01 \\S+ 02:(\\w+)`, "m").exec(sockets) ?? [];
      expect(Number.parseInt(hundredths, 16)).toBeLessThanOrEqual(1000);
    }
  });
});

describe("a PostgreSQL server that is slow", () => {
  it("RV-11: an answer may take longer than a silence, as long as something comes", async () => {
    const { store, proxy } = await open("", { silenceMilliseconds: 1000 });
    const bytes = randomBytes(1 << 17);
    await store.transaction((port) => port.putRevisions([], new Map([["file", bytes]])));
    // The bytes come twice as long, in letters: 32 pieces.
    proxy.dawdle(45);
    expect((await store.read.findBlobs(["file"])).get("file")).toEqual(bytes);
  });

  it("RV-11: a step of a migration may take as long as it takes", async () => {
    await (await place.open()).close();
    const holder = new pg.Client({ connectionString: place.place });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE usage");
    const opening = place.open({ silenceMilliseconds: 300, steps: 2 });
    const ours = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'";
    const waiting = `SELECT pid ${ours} AND query LIKE 'CREATE INDEX%'`;
    await expect.poll(() => place.query(waiting), patiently).toHaveLength(1);
    await sleep(1000);
    await holder.end();
    await (await opening).close();
    expect(await place.query("SELECT version FROM schema_version")).toEqual([{ version: String(initialVersion + 1) }]);
  });
});

describe("the news of a PostgreSQL store that forgets who listens", () => {
  const listening = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";

  /** Watching; then its connection is ended, and with the one that it makes instead `happens`. */
  async function losing(happens: "forget" | "cut", options: OpenOptions) {
    const { store, proxy } = await open("LISTEN", { pollMilliseconds: 50, ...options });
    const heard: number[] = [];
    const watching = await store.watch((generation) => heard.push(generation));
    proxy[happens]();
    await place.query(listening.replace("pid", "pg_terminate_backend(pid)"));
    return { store, proxy, heard, watching };
  }

  it("RV-10: come, and by notification again", async () => {
    const { store, proxy, heard, watching } = await losing("forget", { pulseMilliseconds: 1000 });
    await expect.poll(() => proxy.forgotten, patiently).toBe(1);
    await raise(store);
    await expect.poll(() => heard, patiently).toEqual([1]);
    await expect.poll(() => place.query(listening), patiently).toHaveLength(1);
    await watching.close();
  });

  it("RV-10: come by looking while nobody can listen", async () => {
    const { store, heard, watching } = await losing("cut", {});
    for (const generation of [1, 2]) {
      await raise(store);
      await expect.poll(() => heard.at(-1), patiently).toBe(generation);
    }
    await watching.close();
  });

  it("RV-10: end with close, which waits for nobody who says nothing", async () => {
    const { proxy, heard, watching } = await losing("forget", { pulseMilliseconds: never });
    await expect.poll(() => proxy.forgotten, patiently).toBe(1);
    await watching.close();
    expect(heard).toEqual([]);
  });
});
