import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { recordChanges } from "../../src/registry/audit/audit.ts";
import { verifyChain } from "../../src/registry/verify.ts";
import type { Store, StoreWrites } from "../../src/store/store.ts";
import { bundleChild, type Child, endChildrenAfterEach, startChild } from "../support/bundle.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import type { StoreOrder } from "./store.child.ts";
import { openAt, type OpenOptions } from "../support/store-at.ts";
import { entry } from "./store-contract/rows.ts";
import { contentOf, sqlitePlace, type StorePlace } from "../support/store-engines.ts";

const child = bundleChild("test/store/store.child.ts");
endChildrenAfterEach();

let place: StorePlace;

beforeEach(async () => {
  place = await sqlitePlace();
});

afterEach(() => place.remove());

/** Closed with the test. */
async function open(path = place.place, options: OpenOptions = {}): Promise<Store> {
  const store = await openAt({ engine: "SQLite", place: path }, options);
  onTestFinished(() => store.close());
  return store;
}

function start(order: Omit<StoreOrder, "at">): Child {
  return startChild(child(), { at: { engine: "SQLite", place: place.place }, ...order });
}

/** A store with something in it, that nobody has open. */
async function makeStore(): Promise<void> {
  const store = await place.open();
  await store.transaction((port) => addEntries(port, 2000));
  await store.close();
}

async function addEntries(port: StoreWrites, count: number): Promise<void> {
  const { seq } = await port.auditHead();
  const ids = Array.from({ length: count }, (_, number) => `house:${seq}-${number}-${"x".repeat(100)}`);
  await port.putEntries(ids.map((id) => entry(id)));
  await recordChanges(port, [{ at: 1, by: "ada", act: "source.synced", subject: "house", details: { count } }]);
}

async function countOf({ read }: Store): Promise<number> {
  return (await read.listEntries({ after: "", limit: 100_000 })).length;
}

function refused(message: RegExp) {
  return { code: "store.failed", message: expect.stringMatching(message) };
}

describe("a SQLite store that is closed", () => {
  it("RV-11: is one file: a copy of it is a backup", async () => {
    await makeStore();
    const copy = join(dirname(place.place), "copy.db");
    copyFileSync(place.place, copy);
    expect(await countOf(await open(copy))).toBe(2000);
  });
});

describe("a SQLite store on a disk that is full", () => {
  let disk: SmallDisk | undefined;

  beforeEach(async (test) => {
    disk = await mountSmallDisk(4 << 20);
    test.skip(disk === undefined, "only root can mount a small disk");
  });

  afterEach(() => disk?.remove());

  it("invariant 9: says so, loses nothing, and goes on when there is room again", async () => {
    const store = await open(join(disk?.folder ?? "", "store.db"));
    await store.transaction((port) => addEntries(port, 10));
    await disk?.fill(200_000);
    for (let round = 0; round < 3; round++) {
      const writing = store.transaction((port) => addEntries(port, 5000));
      await expect(writing).rejects.toMatchObject(
        refused(/store\.db: the disk is full; nothing was changed, make room/),
      );
      expect(await countOf(store)).toBe(10);
    }
    await disk?.empty();
    await store.transaction((port) => addEntries(port, 5000));
    expect(await countOf(store)).toBe(5010);
    expect(await verifyChain(store.read, "", { seq: 0, hash: "" })).toMatchObject({ records: 2, fault: null });
  });

  it.each([0, 4096, 40_000, 100_000])("invariant 9: a new store with %d bytes left can be made later", async (left) => {
    const path = join(disk?.folder ?? "", "store.db");
    await disk?.fill(left);
    await expect(open(path)).rejects.toMatchObject(refused(/the disk is full/));
    await disk?.empty();
    expect(await countOf(await open(path))).toBe(0);
  });

  it("invariant 9: a store is opened and read without any room", async () => {
    const path = join(disk?.folder ?? "", "store.db");
    const store = await openAt({ engine: "SQLite", place: path });
    await store.transaction((port) => addEntries(port, 10));
    await store.close();
    await disk?.fill();
    expect(await countOf(await open(path))).toBe(10);
  });
});

describe("a SQLite file that is not what it should be", () => {
  it("RV-11: something else is refused, and left as it is", async () => {
    const bytes = Buffer.from("# Notes\n".repeat(1000));
    writeFileSync(place.place, bytes);
    await expect(open()).rejects.toMatchObject(refused(/is not a SQLite database; name another one, or move it away/));
    expect(readFileSync(place.place)).toEqual(bytes);
  });

  it("RV-11: a folder, or a file in a folder that is not there, is refused", async () => {
    mkdirSync(place.place);
    for (const path of [place.place, join(place.place, "none/store.db")])
      await expect(open(path)).rejects.toMatchObject(refused(/cannot be opened; check that its folder exists/));
  });

  it.each([
    ["cut short", (file: string) => truncateSync(file, 20_000)],
    ["overwritten", (file: string) => writeFileSync(file, readFileSync(file).fill(0xff, 8192))],
  ])("RV-11: one that was %s is said to be damaged, and works again when it was restored", async (_, damage) => {
    await makeStore();
    const backup = readFileSync(place.place);
    damage(place.place);
    await expect(open().then(countOf)).rejects.toMatchObject(refused(/the file is damaged; restore it from a backup/));
    for (const beside of ["-wal", "-shm"]) rmSync(place.place + beside, { force: true });
    writeFileSync(place.place, backup);
    expect(await countOf(await open())).toBe(2000);
  });

  it("RV-11: one of a newer Skillward is refused, and left as it is", async () => {
    await makeStore();
    await place.query("PRAGMA user_version = 999");
    const before = await contentOf(place);
    const newer = {
      code: "store.newer",
      message: expect.stringMatching(/version 999, .*update Skillward, or name another/),
    };
    await expect(open()).rejects.toMatchObject(newer);
    expect(await contentOf(place)).toEqual(before);
  });
});

/** Rights hold for everybody but root, who makes somebody else of the process. */
const asNobody = process.getuid?.() === 0;

describe("a SQLite file that may not be written", () => {
  const done = { opened: "done", read: "done", written: "done" };
  const attempt = () => start({ act: "try", asNobody }).hear();

  beforeEach(async () => {
    chmodSync(dirname(place.place), 0o777);
    await attempt();
  });

  it("RV-11: can be read, and says why it is not written", async () => {
    const before = await contentOf(place);
    chmodSync(place.place, 0o444);
    const readOnly = expect.stringMatching(/^store\.failed: .*it is read-only; check the rights of the file, of -wal/);
    expect(await attempt()).toEqual({ ...done, written: readOnly });
    expect(await contentOf(place)).toEqual(before);
    for (const file of ["", "-wal", "-shm"]) chmodSync(place.place + file, 0o666);
    expect(await attempt()).toEqual(done);
  });

  it.each([
    ["r-x", 0o555, /^store\.failed: .*(it is read-only|it cannot be opened); check/],
    ["---", 0o000, /^store\.failed: .*it cannot be opened; check that its folder exists and can be written to/],
  ])("RV-11: in a folder with the rights %s says what to check", async (_, rights, message) => {
    for (const beside of ["-wal", "-shm"]) rmSync(place.place + beside, { force: true });
    chmodSync(dirname(place.place), rights);
    expect(await attempt()).toMatchObject({ opened: expect.stringMatching(message) });
    chmodSync(dirname(place.place), 0o777);
    expect(await attempt()).toEqual(done);
  });
});

describe("a SQLite store that another process writes to", () => {
  it("RV-11: is waited for as long as was asked for and no longer, and is there when the other one ends", async () => {
    const holder = start({ act: "hold", name: "holder" });
    expect(await holder.hear()).toBe("ready");
    const store = await open(place.place, { patienceMilliseconds: 2000 });
    const writing = store.transaction((port) => port.raiseGeneration());
    await expect(writing).rejects.toMatchObject(refused(/is being written to by another process; wait for it to end/));
    expect(await store.read.generation()).toBe(0);
    holder.tell("end");
    expect(await holder.ended).toBe(0);
    expect(await store.transaction((port) => port.raiseGeneration())).toBe(2);
    // The driver's own waiting holds up the whole process: a tenth of a second for each of a thousand times.
  }, 45_000);
});
