import { randomBytes } from "node:crypto";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { cuttingProxy } from "../support/cutting-proxy.ts";
import { askPostgres } from "../support/crash-server.ts";
import { startPostgres } from "../support/postgres.mjs";
import { mountSmallDisk } from "./small-disk.ts";
import { openAt, type OpenOptions } from "../support/store-at.ts";
import { entry, lock, revision } from "./store-contract/rows.ts";
import { contentOf, postgresPlace, type StorePlace } from "../support/store-engines.ts";

let place: StorePlace;

beforeEach(async () => {
  place = await postgresPlace();
});

afterEach(() => place.remove());

/** Closed with the test. */
async function open(url = place.place, options: OpenOptions = {}): Promise<Store> {
  const store = await openAt({ engine: "PostgreSQL", place: url }, options);
  onTestFinished(() => store.close());
  return store;
}

function refused(message: RegExp) {
  return { code: "store.failed", message: expect.stringMatching(message) };
}

function step(store: Store): Promise<void> {
  return store.transaction(async (port) => {
    const { token } = (await port.findLock("house")) ?? { token: 0 };
    await port.putLock(lock({ token: token + 1 }));
  });
}

async function tokenOf({ read }: Store): Promise<number | undefined> {
  return (await read.findLock("house"))?.token;
}

/** For what the server does in its own time. */
const patiently = { timeout: 30_000 };

/** Ends all connections of the store, not the one that asks. */
async function endConnections(): Promise<void> {
  const ours = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skillward'";
  await place.query(`SELECT pg_terminate_backend(pid) ${ours}`);
  await expect.poll(() => place.query(`SELECT pid ${ours}`), patiently).toEqual([]);
}

function ofDatabase(name: string): string {
  return Object.assign(new URL(place.place), { pathname: `/${name}` }).href;
}

function setDefault(setting: string, value: string): Promise<unknown> {
  return place.query(`ALTER DATABASE ${new URL(place.place).pathname.slice(1)} SET ${setting} = '${value}'`);
}

describe("a PostgreSQL store that cannot be opened", () => {
  it.each([
    ["a wrong password", { password: "guess" }, /the password is wrong \(.*postgres.*\)/],
    ["an unknown user", { username: "nobody" }, /the password is wrong/],
    ["an unknown database", { pathname: "/none" }, /the database does not exist; create it first/],
    ["a port nobody listens on", { port: "1" }, /nothing listens there; is the server running\?/],
    ["a host that is not there", { hostname: "none.invalid" }, /the host is not known|it cannot be reached/],
    ["a way that is not there", { search: "?sslmode=require" }, /it cannot be reached/],
  ])("RV-11: with %s says so, and never the password", async (_, part, message) => {
    const url = Object.assign(new URL(place.place), part);
    const failing = open(url.href);
    await expect(failing).rejects.toMatchObject(refused(message));
    await expect(failing).rejects.not.toThrow(new RegExp(url.password));
  });

  it("RV-11: without the right to make tables says so, and opens when it was granted", async () => {
    const role = `maker_${place.place.slice(-8)}`;
    await place.query(`CREATE ROLE ${role} LOGIN PASSWORD 'open'`);
    const url = Object.assign(new URL(place.place), { username: role, password: "open" }).href;
    await expect(open(url)).rejects.toMatchObject(
      refused(/the user may not do this; grant it the rights on the schema/),
    );
    await place.query(`GRANT CREATE ON SCHEMA public TO ${role}`);
    const store = await openAt({ engine: "PostgreSQL", place: url });
    await step(store);
    await store.close();
    await place.query(`DROP OWNED BY ${role}`);
    await place.query(`DROP ROLE ${role}`);
  });

  it("RV-11: of a newer Skillward is refused, and left as it is", async () => {
    await open();
    await place.query("UPDATE schema_version SET version = 999");
    const before = await contentOf(place);
    const newer = { code: "store.newer", message: expect.stringMatching(/version 999, .*update Skillward, or name/) };
    await expect(open()).rejects.toMatchObject(newer);
    expect(await contentOf(place)).toEqual(before);
  });
});

describe("a PostgreSQL database that is read-only", () => {
  it("RV-11: can be read, says why it is not written, and is written again when it may", async () => {
    await step(await open());
    await setDefault("default_transaction_read_only", "on");
    const store = await open();
    await expect(step(store)).rejects.toMatchObject(refused(/the database is read-only; is it a replica\?/));
    expect(await tokenOf(store)).toBe(1);
    await setDefault("default_transaction_read_only", "off");
    await endConnections();
    await step(store);
    expect(await tokenOf(store)).toBe(2);
  });
});

describe("a PostgreSQL store that loses its connections", () => {
  it("RV-11: makes new ones between transactions", async () => {
    const store = await open();
    for (const times of [1, 2, 3]) {
      await step(store);
      expect(await tokenOf(store)).toBe(times);
      await endConnections();
    }
  });

  it("RV-11: in the middle of a transaction says so, leaves nothing of it, and goes on", async () => {
    const store = await open();
    await step(store);
    const failing = store.transaction(async (port) => {
      await port.putLock(lock({ token: 99 }));
      await endConnections();
      await port.putLock(lock({ token: 100 }));
    });
    await expect(failing).rejects.toMatchObject(refused(/connection/));
    await step(store);
    expect(await tokenOf(store)).toBe(2);
  });

  it("RV-11: under a statement says so, and goes on", async () => {
    const store = await open();
    const holder = new pg.Client({ connectionString: place.place });
    await holder.connect();
    await holder.query("BEGIN; LOCK TABLE sync_locks");
    const failing = step(store).catch((error: unknown) => error);
    const waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'";
    await expect.poll(() => place.query(`SELECT pg_terminate_backend(pid) ${waiting}`), patiently).toHaveLength(1);
    expect(await failing).toMatchObject(refused(/ended by an administrator/));
    await holder.end();
    await step(store);
    expect(await tokenOf(store)).toBe(1);
  });

  it("RV-11: at the end of a transaction says that its outcome is not known", async () => {
    const proxy = await cuttingProxy(place.place, "COMMIT\0");
    onTestFinished(() => proxy.close());
    const store = await open(proxy.url);
    await step(store);
    proxy.cut();
    await expect(step(store)).rejects.toMatchObject(
      refused(/the connection was lost .*; whether the change was made is not known: look before you make it again/),
    );
    expect(await tokenOf(store)).toBe(2);
  });
});

describe("a PostgreSQL server that crashes", () => {
  const checkpointer = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
  const [isThere, isLost] = [() => "there", () => "lost"];

  it("invariant 9: in the middle of a transaction: nothing of it stays, what was committed does, and all goes on", async () => {
    // Its processes die, the machine does not: what was written is there without a flush.
    const server = await startPostgres({ durable: false });
    onTestFinished(server.stop);
    const own = await postgresPlace(server.url);
    onTestFinished(() => own.remove());
    const store = await open(own.place);
    const before = await own.query(checkpointer);
    const heard: number[] = [];
    const watching = await store.watch((generation) => heard.push(generation));
    await step(store);
    const failing = store.transaction(async (port) => {
      await port.putLock(lock({ token: 99 }));
      const [backend] = await own.query("SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction'");
      // The server takes all of its processes down with one that was killed, and recovers.
      process.kill(Number(backend?.["pid"]), "SIGKILL");
      await expect.poll(() => port.findLock("house").then(isThere, isLost), patiently).toBe("lost");
    });
    await expect(failing).rejects.toMatchObject({ code: "store.failed" });
    // A new process of the server itself: it has recovered.
    await expect.poll(() => own.query(checkpointer).catch(() => before), patiently).not.toEqual(before);
    expect(await tokenOf(store)).toBe(1);
    await step(store);
    expect(await tokenOf(store)).toBe(2);
    await store.transaction((port) => port.raiseGeneration());
    await expect.poll(() => heard, patiently).toEqual([1]);
    await watching.close();
  });
});

describe("nodes that share a PostgreSQL store", () => {
  it("RV-11: one whose transaction stands still is ended, and keeps nobody from writing", async () => {
    const [still, other] = [await open(place.place, { patienceMilliseconds: 300 }), await open()];
    const failing = still.transaction(async (port) => {
      await port.putLock(lock({ token: 99 }));
      await step(other);
      await port.putLock(lock({ token: 100 }));
    });
    await expect(failing).rejects.toMatchObject(refused(/connection|stood still/));
    expect(await tokenOf(still)).toBe(1);
  });

  it.each(["repeatable read", "serializable"])("RV-11: lose no step when the server's own way is %s", async (level) => {
    await setDefault("default_transaction_isolation", level);
    const [one, other] = [await open(), await open()];
    await Promise.all(Array.from({ length: 30 }, (_, number) => step(number % 2 === 0 ? one : other)));
    expect(await tokenOf(one)).toBe(30);
  });

  it("RV-11: more reads at once than there are connections all come back", async () => {
    const store = await open();
    await step(store);
    const tokens = await Promise.all(Array.from({ length: 300 }, () => tokenOf(store)));
    expect(new Set(tokens)).toEqual(new Set([1]));
  });
});

describe("a PostgreSQL database that cannot keep what it is given", () => {
  it("RV-11: an encoding without the character is named", async () => {
    const name = `latin_${place.place.slice(-8)}`;
    await place.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`);
    const store = await openAt({ engine: "PostgreSQL", place: ofDatabase(name) });
    const writing = store.transaction((port) => port.putEntries([entry("😀")]));
    await expect(writing).rejects.toMatchObject(refused(/the encoding of the database cannot keep this text/));
    expect(await store.read.listEntries({ after: "", limit: 9 })).toEqual([]);
    await store.close();
    await place.query(`DROP DATABASE ${name}`);
  });

  it("invariant 9: a full disk is named, loses nothing, and is written again when there is room", async (test) => {
    const disk = await mountSmallDisk(24 << 20);
    test.skip(disk === undefined || process.getuid?.() !== 0, "only root can mount a small disk");
    if (disk === undefined) return;
    onTestFinished(() => disk.remove());
    // A server whose tablespace is lost makes no checkpoint any more and does not recover from a crash.
    const server = await startPostgres({ durable: false });
    onTestFinished(server.stop);
    const inServer = (sql: string) => askPostgres(server.url, sql);
    const folder = join(disk.folder, "tablespace");
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, 65_534, 65_534);
    await inServer(`CREATE TABLESPACE small LOCATION '${folder}'`);
    await inServer("CREATE DATABASE small TABLESPACE small");
    const store = await open(Object.assign(new URL(server.url), { pathname: "/small" }).href);
    await step(store);
    const large = new Map([["file", randomBytes(4 << 20)]]);
    const keep = () => store.transaction((port) => port.putRevisions([revision("digest")], large));
    await disk.fill(1 << 20);
    await expect(keep()).rejects.toMatchObject(
      refused(/the disk is full; nothing was changed, make room and try again/),
    );
    expect([await tokenOf(store), await store.read.findRevisions(["digest"])]).toEqual([1, []]);
    await disk.empty();
    await keep();
    expect(await store.read.findRevisions(["digest"])).toHaveLength(1);
  });
});
