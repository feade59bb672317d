import { existsSync, readdirSync, rmSync } from "node:fs";
import { describe, expect, inject, test } from "vitest";
import { AppHome, appHome } from "../../test/support/app-home.ts";
import { createDatabase } from "../../test/support/postgres.mjs";
import { ada, say } from "../../test/support/registry.ts";
import { fill } from "../../test/registry/filled-store.ts";
import { latestVersion } from "../store/migrate.ts";

describe.each(["SQLite", "PostgreSQL"] as const)("looking only, on %s", (engine) => {
  test("RV-8: sees what is there, and can write nothing: neither through the flows nor through the engine", async () => {
    const home = await appHome(engine);
    await fill(home);
    const inspection = await home.inspect();
    expect((await inspection.registry.look()).snapshot.usable.size).toBe(2);
    expect(inspection.store.version).toBe(latestVersion());
    expect(inspection.store.bytes).toBeGreaterThan(50_000);
    const refused = { code: "store.failed", message: expect.stringContaining("looking only") };
    await expect(inspection.kept.transaction(async () => {})).rejects.toMatchObject(refused);
    const { read: pulse } = inspection.kept;
    const app = { ...inspection, watch: async () => expect.fail(), pulse, hangUp: () => expect.fail() };
    await expect(say(app, ada, "disable", "skills:pdf")).rejects.toMatchObject(refused);
    // Past the types, on the connection itself.
    const port = inspection.kept.read as unknown as { raiseGeneration(): Promise<number> };
    await expect(port.raiseGeneration()).rejects.toThrow(/read-?only/);
  });

  test("T19: a store that is refused for use is open to look at, with the reason", async () => {
    const home = await appHome(engine);
    await fill(home);
    await home.close();
    await home.sql("DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)");
    await expect(home.open()).rejects.toMatchObject({ code: "store.rolled-back" });
    const { kept } = await home.inspect();
    expect(kept.refusal).toContain("rolled back or cut short");
    expect([kept.hasCheckpoint, kept.known().audit.seq]).toEqual([true, (await kept.read.auditHead()).seq + 1]);
  });
});

test("SV-10: looking makes nothing: no store, no key file, no folder", async () => {
  const home = await appHome();
  await expect(home.inspect()).rejects.toMatchObject({ code: "record.missing" });
  expect(readdirSync(home.root)).toEqual([]);
  const empty = new AppHome(await createDatabase(inject("postgres")));
  await expect(empty.inspect()).rejects.toMatchObject({ code: "record.missing" });
  expect(await empty.sql("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  await empty.remove();
});

test("RV-11: a store of another version is said, and left as it is", async () => {
  const home = await appHome();
  await fill(home);
  await home.close();
  await home.sql("PRAGMA user_version = 999");
  await expect(home.inspect()).rejects.toMatchObject({ code: "store.newer" });
});

test("RV-3: with another key file, or none, nothing can be told from a forgery", async () => {
  const home = await appHome();
  await fill(home);
  await home.close();
  const other = await appHome();
  await fill(other);
  rmSync(home.keyFile);
  await expect(home.inspect()).rejects.toMatchObject({ code: "keys.unusable" });
  expect(existsSync(home.keyFile)).toBe(false);
  home.write(".config/skillward/keys.json", other.read(".config/skillward/keys.json"));
  await expect(home.inspect()).rejects.toMatchObject({ code: "keys.unusable" });
});
