import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import manifest from "../../../../package.json" with { type: "json" };
import { type AppHome, appHome } from "../../../../test/support/app-home.ts";
import { fill } from "../../../../test/registry/filled-store.ts";
import { ada, say } from "../../../../test/support/registry.ts";
import { changeSource } from "../../../registry/sync/sources.ts";
import { runSync } from "../../../registry/sync/sync.ts";
import { attach } from "../../../models/attachments.ts";
import { addConfiguration } from "../../../models/configurations.ts";
import type { Environment } from "../../../app/config/config.ts";
import { replaceKeyFile } from "../rotation.ts";
import type { World } from "../../../app/world/world.ts";
import { diagnose } from "./doctor.ts";
import { allow } from "../../../../test/support/permits.ts";
import { permitLlm } from "../../../models/context.ts";
import { latestVersion } from "../../../store/migrate.ts";
import type { Diagnosis } from "../schema.ts";

function look(home: AppHome, world: Partial<World> = {}, patch: Partial<Environment> = {}): Promise<Diagnosis> {
  mkdirSync(home.path("workspace"), { recursive: true });
  // Its providers are at addresses of nobody. Who is elsewhere is looked at in tests of their own.
  const options = { workspace: home.path("workspace"), offline: true };
  return diagnose(home.world(world), { ...home.environment, ...patch }, options);
}

/** The checks that are not fine: `state name: what it says`. */
function faults({ checks }: Diagnosis): string[] {
  return checks.filter(({ state }) => state !== "ok").map(({ state, name, says }) => `${state} ${name}: ${says}`);
}

async function filledHome(engine: "SQLite" | "PostgreSQL" = "SQLite"): Promise<AppHome> {
  const home = await appHome(engine);
  await fill(home);
  await home.close();
  return home;
}

describe("SV-10: doctor", () => {
  test.each(["SQLite", "PostgreSQL"] as const)("finds nothing to do on %s, and changes nothing", async (engine) => {
    const home = await filledHome(engine);
    const before = [await home.sql("SELECT * FROM audit"), readdirSync(home.root, { recursive: true }).length];
    const diagnosis = await look(home);
    expect(faults(diagnosis)).toEqual([]);
    expect(diagnosis.passes).toBe(true);
    const names = diagnosis.checks.map(({ name }) => name).join(" ");
    expect(names).toBe(
      "node system variables configuration data store keys checkpoint rotation registry source attachment clock spool workspace network",
    );
    const { says = "" } = diagnosis.checks.find(({ name }) => name === "store") ?? {};
    expect(says).toMatch(new RegExp(`^${engine}.*version ${latestVersion()}, \\d+\\.\\d MB$`));
    rmSync(home.path("workspace"), { recursive: true });
    expect([await home.sql("SELECT * FROM audit"), readdirSync(home.root, { recursive: true }).length]).toEqual(before);
  });

  test("finds nothing wrong with a machine on which Skillward was never used, and makes nothing", async () => {
    const home = await appHome();
    expect(faults(await look(home))).toEqual([]);
    expect(readdirSync(home.root)).toEqual(["workspace"]);
  });

  test("a Node that is older than package.json asks for", async () => {
    const home = await appHome();
    expect(manifest.engines.node).toBe(">=20.19");
    expect(faults(await look(home, { node: "20.18.3" }))).toEqual(["fail node: version 20.18.3 is too old"]);
    for (const node of ["20.19.0", "22.1.0"]) expect(faults(await look(home, { node }))).toEqual([]);
  });

  test("SV-12: Windows itself is said to be none of the systems it runs on, and others to be untested", async () => {
    const home = await appHome();
    const { checks } = await look(home, { system: "win32" });
    expect(checks.find(({ name }) => name === "system")).toMatchObject({ state: "fail", todo: "use it in WSL" });
    expect(faults(await look(home, { system: "freebsd" }))).toEqual(["warn system: it is not tested on freebsd"]);
    for (const system of ["linux", "darwin"]) expect(faults(await look(home, { system }))).toEqual([]);
  });

  test("variables that nobody knows, each with what was meant; the rest is looked at all the same", async () => {
    const home = await filledHome();
    const { checks, passes } = await look(home, {}, { unknown: ["SKILLWARD_DTAA", "SKILLWARD_STOER"] });
    const says = checks.filter(({ name }) => name === "variables").map(({ state, says: text }) => [state, text]);
    expect(says).toEqual([
      ["fail", expect.stringContaining("did you mean SKILLWARD_DATA?")],
      ["fail", expect.stringContaining("did you mean SKILLWARD_STORE?")],
    ]);
    expect([passes, checks.some(({ name }) => name === "registry")]).toEqual([false, true]);
  });

  test("T44: a workspace that asks for more than it may, key by key", async () => {
    const home = await filledHome();
    home.write("workspace/skillward.yaml", "trust: first_party\nkeys: ./keys.json\nbudgte: 12\n");
    const found = (await look(home)).checks.filter(({ name, state }) => name === "workspace" && state !== "ok");
    expect(found.map(({ state, says }) => [state, /\d (\w+): /.exec(says)?.[1]])).toEqual([
      ["fail", "trust"],
      ["fail", "keys"],
      ["warn", "budgte"],
    ]);
  });

  test("a configuration that cannot be used: said, and the store is not guessed", async () => {
    const home = await filledHome();
    home.write(".config/skillward/config.yaml", "revieww: 1\n");
    const diagnosis = await look(home);
    expect(faults(diagnosis)).toEqual([expect.stringMatching(/^fail configuration: .*revieww: not a known key/)]);
    expect(diagnosis.checks.map(({ name }) => name)).toEqual(expect.not.arrayContaining(["store"]));
  });

  test("T40: rights of the data folder and of the key file", async () => {
    const home = await filledHome();
    chmodSync(home.path("data"), 0o755);
    chmodSync(home.keyFile, 0o644);
    expect(faults(await look(home))).toEqual([
      expect.stringMatching(/^warn data: others can look into/),
      expect.stringMatching(/^fail store: .*others can read it/),
      expect.stringMatching(/^fail keys: .*others can read it/),
    ]);
  });

  test("a key file that is missing, or of another store: said, and the rest is looked at", async () => {
    const home = await filledHome();
    renameSync(home.keyFile, home.path("keys.json"));
    expect(faults(await look(home))).toEqual([
      expect.stringMatching(/^fail store: .*it is missing/),
      expect.stringMatching(/^fail keys: .*it is missing/),
    ]);
    home.write(".config/skillward/keys.json", (await filledHome()).read(".config/skillward/keys.json"));
    chmodSync(home.keyFile, 0o600);
    expect(faults(await look(home))).toEqual([expect.stringMatching(/^fail store: .*is not the key file/)]);
  });

  test("a store that cannot be opened: why, and the rest is looked at", async () => {
    const home = await appHome();
    home.write("data/skillward.db", "this is no database, whatever its name says");
    chmodSync(home.path("data"), 0o700);
    const diagnosis = await look(home);
    expect(faults(diagnosis)[0]).toMatch(/^fail store: .*not a SQLite database/);
    expect(diagnosis.checks.at(-1)?.name).toBe("workspace");
  });

  test("what to do about a store that is away is about the store, about one with another key file about that", async () => {
    const home = await filledHome();
    const todoOf = async (patch: Partial<Environment>) =>
      (await look(home, {}, patch)).checks.find(({ name }) => name === "store")?.todo;
    expect(await todoOf({ store: "postgres://nobody@127.0.0.1:1/none" })).toContain("SKILLWARD_STORE");
    rmSync(home.keyFile);
    expect(await todoOf({})).toBe("see the key file below");
  });

  test("RV-8: a store that was only made is complete: a database that is behind it would be noticed", async () => {
    const home = await appHome();
    await (await home.open()).close();
    expect(faults(await look(home))).toEqual([]);
  });

  test("T19: a store that was rolled back, one without a checkpoint, and one that was replaced", async () => {
    const home = await filledHome();
    const copy = await home.copy();
    await home.sql("DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)");
    expect(faults(await look(home))).toEqual([expect.stringMatching(/^fail checkpoint: .*rolled back or cut short/)]);
    rmSync(home.path("data/checkpoints"), { recursive: true });
    expect(faults(await look(home))).toEqual([expect.stringMatching(/^warn checkpoint: there is none/)]);
    for (const ending of ["", "-wal", "-shm"]) rmSync(copy.path(`data/skillward.db${ending}`), { force: true });
    await (await copy.open()).close();
    expect(faults(await look(copy))).toEqual([
      expect.stringMatching(/^warn checkpoint: .*checkpoints of other stores/),
    ]);
  });

  test("RV-3: words that nobody said, in the registry", async () => {
    const home = await filledHome();
    await home.sql("UPDATE ledger SET payload = replace(payload, 'approve', 'disable') WHERE seq = 2");
    expect(faults(await look(home))).toEqual([expect.stringMatching(/^fail registry: findings: 2, the first: /)]);
  });

  test("IN-15: a sync that began and will not end, and a folder that is gone", async () => {
    const home = await filledHome();
    await home.sql(`UPDATE sources SET record = replace(record, '"status":"ok"', '"status":"syncing"')`);
    expect(faults(await look(home))).toEqual([expect.stringMatching(/^warn source: skills: the last sync stopped/)]);
    renameSync(home.path("skills"), home.path("elsewhere"));
    expect(faults(await look(home))).toEqual([expect.stringMatching(/^warn source: skills: .* is not there$/)]);
  });

  test("T14: a source that is not synced as often as its interval says", async () => {
    const home = await filledHome();
    const app = await home.open();
    await changeSource(app.sync, allow(ada), "skills", { interval: 3600 });
    await runSync(app.sync, allow(ada), "skills");
    home.clock.advance(3 * 3_600_000);
    expect(faults(await look(home))).toEqual([]);
    home.clock.advance(1000);
    expect(faults(await look(home))).toEqual(["warn source: skills: it is not synced as often as its interval says"]);
  });

  test("IN-3: a source of a GitHub that the configuration does not name any more", async () => {
    const home = await filledHome();
    await home.sql(`UPDATE sources SET record = replace(record, '"hosts":null', '"hosts":"elsewhere"')`);
    expect(faults(await look(home))).toContain('warn source: skills: no GitHub "elsewhere" is configured');
  });

  test("RV-14: a skill that is attached and cannot be used", async () => {
    const home = await filledHome();
    const app = await home.open();
    await addConfiguration(permitLlm(app, "operate"), "support", { provider: "one", model: "m" });
    await attach(permitLlm(app, "operate"), "config:support", "skills:pdf");
    expect(faults(await look(home))).toEqual([]);
    await say(app, ada, "disable", "skills:pdf");
    expect(faults(await look(home))).toEqual([
      "warn attachment: skills:pdf on config:support is disabled: it was switched off",
    ]);
  });

  test("a clock that is behind what was recorded", async () => {
    const home = await filledHome();
    home.clock.advance(-4 * 60_000);
    expect(faults(await look(home))).toEqual([]);
    home.clock.advance(-2 * 60_000);
    expect(faults(await look(home))).toEqual(["warn clock: the last change is 6 minutes in the future"]);
  });

  test("RV-8: usage that waits, and usage that nobody could read", async () => {
    const home = await filledHome();
    home.write("data/spool/1.json", "{}");
    home.write("data/spool/0.json.bad", "{}");
    expect(faults(await look(home))).toEqual([
      "warn spool: batches of usage that wait on the disk: 1",
      expect.stringMatching(/^warn spool: files in .* that could not be read as usage: 1$/),
    ]);
  });

  test("T40: a rotation that stopped half-way", async () => {
    const home = await filledHome();
    await replaceKeyFile(await home.open(), allow(ada));
    expect(faults(await look(home))).toEqual([expect.stringMatching(/^warn rotation: /)]);
  });

  test("an API key in the environment that does not work; the checks are made as the one at the machine", async () => {
    const home = await filledHome();
    expect(faults(await look(home, {}, { apiKey: "skw_0000000000000000_wrong" }))).toEqual([
      "fail api key: SKILLWARD_API_KEY: the API key is not valid",
    ]);
  });

  test("no home folder and nothing named: said, not thrown", async () => {
    const home = await appHome();
    const lost = { home: null, data: null, config: null, keys: null, configHome: null, dataHome: null };
    expect(faults(await look(home, {}, lost))).toEqual([expect.stringMatching(/^fail folders: HOME is not set/)]);
  });
});
