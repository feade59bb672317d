import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import { inspectPostgres } from "../../src/store/postgres/inspect.ts";
import { inspectSqlite } from "../../src/store/sqlite/inspect.ts";
import { appHome } from "../support/app-home.ts";
import { skillwardWarm } from "../support/warm.ts";
import { openAt } from "../support/store-at.ts";
import { contentOf, engines, type StorePlace } from "../support/store-engines.ts";

/** Tables as builds before 0.2 made them, with rows: their versions were 1 to 6. */
function oldTables(engine: StorePlace["engine"]): readonly string[] {
  const [text, number] = engine === "SQLite" ? ["TEXT", "INTEGER"] : ['TEXT COLLATE "C"', "BIGINT"];
  return [
    `CREATE TABLE store (one ${number} PRIMARY KEY CHECK (one = 1), id ${text}, seal ${text}, generation ${number} NOT NULL)`,
    "INSERT INTO store (one, id, seal, generation) VALUES (1, 'old', 'seal', 3)",
    `CREATE TABLE sources (id ${text} NOT NULL CHECK (octet_length(id) <= 2000) PRIMARY KEY, record ${text} NOT NULL)`,
    "INSERT INTO sources (id, record) VALUES ('house', '{}')",
    `CREATE TABLE audit (seq ${number} PRIMARY KEY, at ${number} NOT NULL, by_whom ${text} NOT NULL, act ${text} NOT NULL,
      subject ${text} NOT NULL, details ${text} NOT NULL, prev ${text} NOT NULL, hash ${text} NOT NULL)`,
    "INSERT INTO audit VALUES (1, 1, 'ada', 'user.added', 'ben', '{}', 'before', 'hash 1')",
  ];
}

function makeOldFile(path: string, version = 6): DatabaseSyncInstance {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL");
  for (const sql of oldTables("SQLite")) database.exec(sql);
  database.exec(`PRAGMA user_version = ${version}`);
  return database;
}

async function makeOld({ engine, place, query }: StorePlace, version: number): Promise<void> {
  if (engine === "SQLite") return makeOldFile(place, version).close();
  for (const sql of oldTables(engine)) await query(sql);
  await query(`CREATE TABLE schema_version AS SELECT ${version}::bigint AS version`);
}

/** Every file of a folder with its bytes. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString("hex")]));
}

const isOlder = {
  code: "store.older",
  message: expect.stringMatching(
    /from before Skillward 0\.2 .*nothing was changed\. .*--data or .*SKILLWARD_STORE, or move .*reviewed again$/,
  ),
};

const { timer } = createWorld();

describe.each(Object.entries(engines))("a store from before 0.2 on %s", (_, newPlace) => {
  let place: StorePlace;

  beforeEach(async () => {
    place = await newPlace();
  });

  afterEach(() => place.remove());

  it.each([1, 2, 3, 4, 5, 6])("RV-11: of version %i is refused, and not a byte of it changes", async (version) => {
    await makeOld(place, version);
    const isSqlite = place.engine === "SQLite";
    const before = isSqlite ? filesIn(dirname(place.place)) : await contentOf(place);
    const tables = "SELECT oid, relname, relfilenode FROM pg_class WHERE relnamespace = current_schema::regnamespace";
    const catalog = isSqlite ? [] : await place.query(`${tables} ORDER BY oid`);
    await expect(place.open()).rejects.toMatchObject(isOlder);
    const inspecting = isSqlite ? inspectSqlite(place.place, { timer }) : inspectPostgres(place.place);
    await expect(inspecting).rejects.toMatchObject(isOlder);
    if (isSqlite) expect(filesIn(dirname(place.place))).toEqual(before);
    else {
      expect(await contentOf(place)).toEqual(before);
      expect(await place.query(`${tables} ORDER BY oid`)).toEqual(catalog);
      expect(await place.query("SELECT version::int FROM schema_version")).toEqual([{ version }]);
    }
  });
});

it("RV-11: a store from before 0.2 whose process was killed keeps what is in its log", async () => {
  const place = await engines.SQLite();
  onTestFinished(() => place.remove());
  const living = join(dirname(place.place), "living");
  mkdirSync(living);
  const database = makeOldFile(join(living, "store.db"));
  const killed = join(dirname(place.place), "killed");
  cpSync(living, killed, { recursive: true, filter: (path) => !path.endsWith("-shm") });
  database.close();
  const before = filesIn(killed);
  const at = { ...place, place: join(killed, "store.db") };
  await expect(inspectSqlite(at.place, { timer })).rejects.toMatchObject(isOlder);
  await expect(openAt(at)).rejects.toMatchObject(isOlder);
  expect(filesIn(killed)).toMatchObject(before);
});

describe("commands on a store from before 0.2", () => {
  it.each([
    ["skill", "list"],
    ["serve", "--port", "0"],
    ["backup", "--to", "copy"],
    ["keys", "rotate"],
    ["audit", "verify"],
  ])("RV-11: `%s %s` says so, and changes nothing", async (...args) => {
    const home = await appHome();
    home.write("data/other", "");
    makeOldFile(home.path("data/skillward.db")).close();
    const before = filesIn(home.path("data"));
    const variables = { HOME: home.root, SKILLWARD_DATA: home.path("data") };
    const { code, out } = skillwardWarm([...args, "--json"], { cwd: home.root, env: variables });
    expect([code, JSON.parse(out)]).toEqual([3, { error: isOlder }]);
    expect(filesIn(home.path("data"))).toEqual(before);
    expect(existsSync(home.keyFile)).toBe(false);
  });

  it("SV-10: doctor says so, where to read on, and looks at the rest", async () => {
    const home = await appHome();
    home.write("data/other", "");
    makeOldFile(home.path("data/skillward.db")).close();
    const before = filesIn(home.path("data"));
    const variables = { HOME: home.root, SKILLWARD_DATA: home.path("data") };
    const { code, out } = skillwardWarm(["doctor", "--json"], { cwd: home.root, env: variables });
    const { checks } = JSON.parse(out);
    expect(code).toBe(1);
    expect(checks).toContainEqual({
      name: "store",
      state: "fail",
      says: isOlder.message,
      todo: "docs/operations.md says what to do",
    });
    expect(checks).toContainEqual(expect.objectContaining({ name: "workspace" }));
    expect(filesIn(home.path("data"))).toEqual(before);
  });
});
