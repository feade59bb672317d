import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  ada,
  bob,
  currentOf,
  realWorld,
  type RegistryFolder,
  say,
  stateIn,
  syncedRegistry,
  usableIn,
} from "../../test/support/registry.ts";
import { AppError } from "../core/error.ts";
import { createKeyFile, parseKeyFile, renderKeyFile, rotateKeyFile } from "./keys.ts";
import { addFolder } from "./sync/sources.ts";
import { runSync } from "./sync/sync.ts";
import { verifyChain } from "./verify.ts";
import { allow } from "../../test/support/permits.ts";

const pdf = "skills:pdf";

function checkpointFile({ checkpoints }: RegistryFolder): string {
  const [name = ""] = readdirSync(checkpoints);
  return join(checkpoints, name);
}

function checkpointIn(folder: RegistryFolder) {
  return JSON.parse(readFileSync(checkpointFile(folder), "utf8"));
}

/** The database as it is now, to be put back later; the log that SQLite keeps beside it goes into it first. */
function copyOf(folder: RegistryFolder): () => void {
  folder.sql("PRAGMA wal_checkpoint(TRUNCATE)");
  copyFileSync(folder.database, `${folder.database}.old`);
  return () => {
    for (const rest of ["-wal", "-shm"]) rmSync(`${folder.database}${rest}`, { force: true });
    renameSync(`${folder.database}.old`, folder.database);
  };
}

describe("RV-8: the checkpoint outside the database", () => {
  test("is of both chains, after every change, and never behind this process's own", async () => {
    const { folder, app } = await syncedRegistry();
    const words = Array.from({ length: 8 }, (_, at) => say(app, at % 2 ? ada : bob, "approve", pdf));
    await Promise.all(words);
    const { seq, hash } = await app.kept.read.auditHead();
    expect(checkpointIn(folder)).toMatchObject({ store: app.kept.store, audit: { seq, hash }, ledger: { seq: 8 } });
    expect(app.kept.known()).toMatchObject({ audit: { seq, hash }, ledger: { seq: 8 } });
  });

  test("is not written where nothing was recorded", async () => {
    const { folder, app } = await syncedRegistry();
    const before = readFileSync(checkpointFile(folder), "utf8");
    folder.clock.advance(1000);
    await runSync(app.sync, allow(ada), "skills");
    expect(readFileSync(checkpointFile(folder), "utf8")).toBe(before);
  });

  test("follows what other processes write", async () => {
    const { folder, app } = await syncedRegistry();
    const other = await folder.open();
    for (const [who, process] of [
      [ada, app],
      [bob, other],
      [ada, app],
      [bob, other],
    ] as const)
      await say(process, who, "approve", pdf);
    expect(checkpointIn(folder).ledger.seq).toBe(4);
    expect((await (await folder.open()).registry.look()).snapshot.findings).toEqual([]);
  });

  test("of a slower process does not replace a newer one", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    const { files } = realWorld;
    let [isSlow, goOn] = [false, () => {}];
    const opened = new Promise<void>((resolve) => (goOn = resolve));
    const read: typeof files.read = async (path, max) => {
      if (isSlow && path.startsWith(folder.checkpoints)) await opened;
      return files.read(path, max);
    };
    const slow = await folder.open({ world: { files: { ...files, read } } });
    isSlow = true;
    const word = say(slow, ada, "approve", pdf);
    while ((await app.kept.read.ledgerTop(1)).length === 0) await setImmediate();
    await say(app, bob, "approve", "skills:xls");
    goOn();
    await word;
    expect(checkpointIn(folder).ledger.seq).toBe(2);
  });

  test("that cannot be written is said, with what has happened", async () => {
    const { folder } = await syncedRegistry();
    const { files } = realWorld;
    const write = () => Promise.reject(new AppError("disk.failed", "the disk is full"));
    const full = await folder.open({ world: { files: { ...files, write } } });
    await expect(say(full, ada, "approve", pdf)).rejects.toMatchObject({
      code: "disk.failed",
      message: "the change was made, but its checkpoint could not be written: the disk is full",
    });
    expect(await stateIn(await folder.open(), pdf)).toBe("enabled");
  });
});

describe("T19: a database that does not continue its checkpoint", () => {
  test("one that was rolled back is not opened, and the revocation in it not undone", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    const putBack = copyOf(folder);
    await say(app, ada, "disable", pdf);
    await folder.close(app);
    putBack();
    await expect(folder.open()).rejects.toMatchObject({
      code: "store.rolled-back",
      message: expect.stringMatching(/ends at audit record 5, but record 6 was seen.*--accept-rollback/),
    });
  });

  test("is opened when that is accepted, and the acceptance is recorded", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    const putBack = copyOf(folder);
    await say(app, ada, "disable", pdf);
    await folder.close(app);
    putBack();
    const accepted = await folder.open({ acceptRollback: true });
    const [record] = (await accepted.kept.read.auditAfter(5, 10)) ?? [];
    expect(record).toMatchObject({ act: "store.rollback-accepted", by: "machine:tester" });
    expect(record?.details).toContain("record 6 was seen");
    // RV-10: what generations meant that nobody here knows of, none to come means again.
    expect(await accepted.kept.read.generation()).toBeGreaterThan(1_000_000_000);
    // From here on it goes on as if it had never been elsewhere.
    await say(accepted, bob, "disable", pdf);
    const again = await folder.open();
    expect(await stateIn(again, pdf)).toBe("disabled");
    expect((await again.registry.look()).snapshot.findings).toEqual([]);
    expect(await verifyChain(again.kept.read, again.kept.store, again.kept.known().audit)).toMatchObject({
      fault: null,
    });
  });

  test("accepting is nothing where nothing was rolled back", async () => {
    const { folder, app } = await syncedRegistry();
    const before = await app.kept.read.auditHead();
    expect(await (await folder.open({ acceptRollback: true })).kept.read.auditHead()).toEqual(before);
  });

  test.each([
    ["cut short", "DELETE FROM audit WHERE seq >= 4"],
    ["emptied", "DELETE FROM audit"],
    ["its last record written anew", "UPDATE audit SET hash = prev WHERE seq = 4"],
  ])("its audit %s: a process that runs already notices too, and writes nothing", async (_, edit) => {
    const { folder, app } = await syncedRegistry();
    folder.sql(edit);
    const before = folder.sql("SELECT * FROM ledger");
    await expect(say(app, ada, "approve", pdf)).rejects.toMatchObject({ code: "store.rolled-back" });
    expect(folder.sql("SELECT * FROM ledger")).toEqual(before);
    await expect(folder.open()).rejects.toMatchObject({ code: "store.rolled-back" });
  });

  test("a checkpoint of another store, another key file, or rubbish is refused, never ignored", async () => {
    const { folder } = await syncedRegistry();
    const { folder: other } = await syncedRegistry();
    const file = checkpointFile(folder);
    const whole = readFileSync(file, "utf8");
    const bent = [readFileSync(checkpointFile(other), "utf8"), "", "{}", whole.replace(/"seq": (\d+)/, '"seq": 0')];
    for (const text of bent) {
      writeFileSync(file, text);
      await expect(folder.open()).rejects.toMatchObject({ code: "store.rolled-back" });
    }
    writeFileSync(file, whole);
    await folder.open();
  });

  test("a checkpoint of the same key file but another store does not stand in for this one's", async () => {
    const { folder } = await syncedRegistry();
    const file = checkpointFile(folder);
    const data = join(folder.root, "data");
    renameSync(data, `${data}-first`);
    const other = await folder.open();
    await addFolder(other.sync, allow(ada), folder.skills, {});
    const [second = ""] = readdirSync(folder.checkpoints);
    copyFileSync(join(folder.checkpoints, second), file.replace("/data/", "/data-first/"));
    renameSync(data, `${data}-second`);
    renameSync(`${data}-first`, data);
    await expect(folder.open()).rejects.toThrow(/belongs to another store/);
  });

  test("without its checkpoint it opens, and the first change makes one", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    rmSync(folder.checkpoints, { recursive: true });
    const opened = await folder.open();
    expect(await usableIn(opened)).toEqual([pdf]);
    await say(opened, bob, "disable", pdf);
    expect(checkpointIn(folder).ledger.seq).toBe(2);
  });
});

describe("RV-3: the key file of a store", () => {
  const keysOf = (folder: RegistryFolder) => join(folder.root, ".config/skillward/keys.json");

  test("is made with it, private, and demanded from then on", async () => {
    const { folder } = await syncedRegistry();
    rmSync(keysOf(folder));
    await expect(folder.open()).rejects.toMatchObject({ code: "keys.unusable" });
    expect(existsSync(keysOf(folder)), "none is made in its place").toBe(false);
  });

  test("is the one it was made with", async () => {
    const { folder } = await syncedRegistry();
    writeFileSync(keysOf(folder), renderKeyFile(createKeyFile(realWorld.random)), { mode: 0o600 });
    await expect(folder.open()).rejects.toThrow(/not the key file this store was made with/);
  });

  test("may be rotated: old words hold, new ones are signed with the new key", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    await say(app, ada, "approve", pdf);
    const file = parseKeyFile(readFileSync(keysOf(folder), "utf8"), "keys.json");
    writeFileSync(keysOf(folder), renderKeyFile(rotateKeyFile(file, realWorld.random)), { mode: 0o600 });
    const rotated = await folder.open();
    await say(rotated, ada, "approve", "skills:xls");
    expect(await usableIn(rotated)).toEqual([pdf, "skills:xls"]);
    const keys = (await rotated.kept.read.ledgerAfter(0, 10)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });
});

describe("T18: what is said while rows are being moved", () => {
  test("a row that hides at another place is not forgotten by the next word", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    await say(app, ada, "approve", pdf);
    const other = await folder.open();
    await say(app, bob, "disable", pdf);
    // The process that speaks next has not seen that word, and its row says that it is old.
    folder.sql("UPDATE ledger SET seq = 0 WHERE seq = 2");
    await say(other, ada, "approve", "skills:xls");
    const { snapshot } = await (await folder.open()).registry.look();
    expect([...snapshot.usable.keys()]).toEqual(["skills:xls"]);
    expect(snapshot.findings.map(({ code }) => code)).toEqual(["ledger.moved"]);
  });

  test("a row that is gone is not forgotten either", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    await say(app, ada, "approve", pdf);
    const other = await folder.open();
    await say(app, bob, "disable", pdf);
    folder.sql("DELETE FROM ledger WHERE seq = 2");
    await say(other, ada, "approve", "skills:xls");
    const { snapshot } = await (await folder.open()).registry.look();
    expect([...snapshot.usable.keys()]).toEqual(["skills:xls"]);
    expect(snapshot.findings.map(({ code }) => code)).toEqual(["ledger.lost"]);
  });

  test("an old approval that is put in again after a disable does nothing", async () => {
    const { folder, app } = await syncedRegistry();
    const approved = await say(app, ada, "approve", pdf);
    await say(app, bob, "disable", pdf);
    folder.sql(`INSERT INTO ledger (seq, subject, payload, key_id, signature)
      SELECT 3, subject, payload, key_id, signature FROM ledger WHERE seq = ${approved.seq}`);
    expect(await usableIn(app)).toEqual([]);
    const { snapshot } = await (await folder.open()).registry.look();
    expect([...snapshot.usable.keys()]).toEqual([]);
    expect(snapshot.findings.map(({ code }) => code)).toEqual(["ledger.repeated"]);
    await say(app, ada, "reject", pdf);
    expect(await stateIn(app, pdf)).toBe("disabled");
    expect(await currentOf(app, pdf)).toBe(approved.digest);
  });
});
