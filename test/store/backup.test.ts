import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { backUp } from "../../src/features/health/backup.ts";
import { verifyStore } from "../../src/features/audit/verification.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { AppHome, appHome } from "../support/app-home.ts";
import { bundleChild } from "../support/bundle.ts";
import { createDatabase } from "../support/postgres.mjs";
import { laterRefusal } from "../support/refusal.ts";
import { ada, person, realWorld, say, statesIn } from "../support/registry.ts";
import type { EngineName } from "../support/store-at.ts";
import { allow } from "../support/permits.ts";

const program = bundleChild("src/cli/bin.ts");

/** A store with two skills, one of them in use. */
async function filled(engine: EngineName): Promise<{ home: AppHome; app: App }> {
  const home = await appHome(engine);
  for (const name of ["pdf", "xls"]) home.writeSkill(name);
  const app = await home.open();
  await addFolder(app.sync, allow(ada), home.path("skills"), { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  await say(app, ada, "approve", "skills:pdf");
  return { home, app };
}

/** As `pg_dump` and `pg_restore`: all of a database at one moment in another one. Nobody may be connected to it. */
async function copyDatabase({ environment }: AppHome, to: AppHome): Promise<void> {
  const nameOf = (home: AppHome) => new URL(home.environment.store ?? "").pathname.slice(1);
  const here = new AppHome(inject("postgres"));
  onTestFinished(() => here.remove());
  await here.sql(`DROP DATABASE ${nameOf(to)}`);
  await here.sql(`CREATE DATABASE ${nameOf(to)} TEMPLATE ${new URL(environment.store ?? "").pathname.slice(1)}`);
}

/** A machine without anything, and a database of its own. */
async function newMachine(engine: EngineName): Promise<AppHome> {
  const home = new AppHome(engine === "PostgreSQL" ? await createDatabase(inject("postgres")) : undefined);
  onTestFinished(() => home.remove());
  return home;
}

/** What the page on operations says: the database, the checkpoint, the key file. */
function restore(
  backup: string,
  from: AppHome,
  to: AppHome,
  parts: { checkpoint?: boolean; keys?: boolean } = {},
): void {
  const { checkpoint = true, keys = true } = parts;
  if (existsSync(join(backup, "skillward.db"))) {
    for (const left of ["-wal", "-shm"]) rmSync(to.path(`data/skillward.db${left}`), { force: true });
    cpSync(join(backup, "skillward.db"), to.path("data/skillward.db"));
  }
  if (checkpoint) cpSync(join(backup, "checkpoints"), to.path("data/checkpoints"), { recursive: true });
  if (keys) cpSync(from.keyFile, to.keyFile);
}

async function findingsIn(home: AppHome): Promise<readonly string[]> {
  const { parts } = await verifyStore(await home.inspect(), { all: true });
  return parts.flatMap(({ findings }) => findings.map(({ code }) => code));
}

describe.each(["SQLite", "PostgreSQL"] as const)("RV-8: a backup of a store that is in use: %s", (engine) => {
  test("is whole on another machine, with the key file; without it, it is nobody's", async () => {
    const { home, app } = await filled(engine);
    const folder = home.path("backup");
    // Written by a process that goes on: the last of it is in the log beside the file.
    const made = await backUp(app, folder);
    expect(made).toMatchObject({ folder, store: app.kept.store, keyFile: home.keyFile });
    expect(statSync(folder).mode & 0o077).toBe(0);
    const copied = readdirSync(folder, { recursive: true }).map(String).toSorted();
    const checkpoint = `checkpoints/${app.kept.store}.json`;
    expect(copied).toEqual(["checkpoints", checkpoint, ...(engine === "SQLite" ? ["skillward.db"] : [])]);
    const before = await statesIn(app);
    const elsewhere = await newMachine(engine);
    if (engine === "PostgreSQL") await home.close().then(() => copyDatabase(home, elsewhere));
    restore(folder, home, elsewhere, { keys: false });
    expect(await laterRefusal(() => elsewhere.open())).toMatch(/^keys\.unusable /);
    restore(folder, home, elsewhere);
    const restored = await elsewhere.open();
    expect(await statesIn(restored)).toEqual(before);
    await say(restored, ada, "disable", "skills:pdf");
    await elsewhere.close();
    expect(await findingsIn(elsewhere)).toEqual([]);
  });

  test("never has a checkpoint that is ahead of its database, whatever is written meanwhile", async () => {
    const { home } = await filled(engine);
    const files = { ...realWorld.files };
    let isOpen = false;
    const changing = await home.open();
    // Somebody says a word just before the checkpoint is copied.
    files.read = async (path, most) => {
      if (isOpen && path.includes("/checkpoints/")) {
        isOpen = false;
        await say(changing, person("bob"), "approve", "skills:xls");
      }
      return realWorld.files.read(path, most);
    };
    const app = await home.open({ files });
    isOpen = true;
    await backUp(app, home.path("backup"));
    const elsewhere = await newMachine(engine);
    if (engine === "PostgreSQL") await home.close().then(() => copyDatabase(home, elsewhere));
    restore(home.path("backup"), home, elsewhere);
    expect(await statesIn(await elsewhere.open())).toEqual({ "skills:pdf": "enabled", "skills:xls": "enabled" });
  });

  test("T19: put back where newer changes were seen, it is refused; accepted, that is recorded and all goes on", async () => {
    const { home, app } = await filled(engine);
    await backUp(app, home.path("backup"));
    const older = await newMachine(engine);
    if (engine === "PostgreSQL") {
      await home.close();
      await copyDatabase(home, older);
    }
    await say(await home.open(), ada, "approve", "skills:xls");
    await home.close();
    if (engine === "PostgreSQL") await copyDatabase(older, home);
    restore(home.path("backup"), home, home, { checkpoint: false, keys: false });
    expect(await laterRefusal(() => home.open())).toMatch(/^store\.rolled-back .*--accept-rollback/);
    const accepted = await home.open({}, { acceptRollback: true });
    expect(await statesIn(accepted)).toEqual({ "skills:pdf": "enabled", "skills:xls": "new" });
    await say(accepted, ada, "approve", "skills:xls");
    const [record] = await accepted.kept.read.findAudit({ act: "store.rollback-accepted", limit: 1 });
    expect(record?.by).toBe("machine:tester");
    await home.close();
    await (await home.open()).close();
    expect(await findingsIn(home)).toEqual([]);
  });
});

test("RV-8: one that breaks off leaves nothing, and its name is free", async () => {
  const { home, app } = await filled("SQLite");
  const before = readdirSync(home.root);
  const broken = { ...app, storePlace: { engine: "sqlite", file: home.path("nowhere/skillward.db") } as const };
  expect(await laterRefusal(() => backUp(broken, home.path("backup")))).toMatch(/^store\.failed /);
  expect(readdirSync(home.root)).toEqual(before);
  await backUp(app, home.path("backup"));
  expect(readdirSync(home.path("backup")).toSorted()).toEqual(["checkpoints", "skillward.db"]);
});

test("RV-8: `skillward backup` names what it copied and what it did not, and writes over nothing", async () => {
  const { home } = await filled("SQLite");
  const run = (...args: string[]) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home.root, SKILLWARD_DATA: home.path("data"), USER: "ada" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program(), ...args], { env, encoding: "utf8" });
    return { code: status, out: stdout, err: stderr };
  };
  const done = run("backup", "--to", home.path("backup"));
  expect([done.code, done.err]).toEqual([0, ""]);
  expect(done.out).toContain(`${home.keyFile}: not copied; keep a copy of it elsewhere`);
  const bytes = readFileSync(home.path("backup/skillward.db"));
  const again = run("backup", "--to", home.path("backup"), "--json");
  expect([again.code, JSON.parse(again.out).error.code]).toEqual([2, "record.exists"]);
  expect(readFileSync(home.path("backup/skillward.db"))).toEqual(bytes);
  const key = readFileSync(home.keyFile, "utf8");
  for (const { private: secret } of JSON.parse(key).signing)
    expect(done.out + bytes.toString("latin1")).not.toContain(secret);
});
