import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../src/base/digest.ts";
import { RecordedUsage, verifyUsage } from "../src/registry/verify-usage.ts";
import { migrations, postgresDialect, sqliteDialect } from "../src/store/migrations.ts";
import type { Store } from "../src/store/store.ts";
import { bundleChild, endChildrenAfterEach, startChild } from "./bundle.ts";
import { audited, batch, entry, injection, used } from "./store-contract/rows.ts";
import { contentOf, engines, type StorePlace } from "./store-engines.ts";

/** Of the SQL of every step that was released, on SQLite and on PostgreSQL. */
const released = [
  [
    "0344af13668ba4f02bf3528c5fbf2872de720ab90f69b0aa5b0db775fdaf94c0",
    "f2e57e9d8aa7eaf79e80898440d75dbb4be0b3487ee4604bd2d57b57452c4e24",
  ],
];

it("RV-11: a step that was released is never changed", () => {
  const hashes = migrations.map((step) =>
    [sqliteDialect, postgresDialect].map((dialect) => sha256(Buffer.from(JSON.stringify(step(dialect))))),
  );
  expect(hashes.slice(0, released.length)).toEqual(released);
});

const child = bundleChild("store.child.ts");
endChildrenAfterEach();

describe.each(Object.entries(engines))("a store of the first step on %s", (_, newPlace) => {
  let place: StorePlace;
  let store: Store | undefined;

  beforeEach(async () => {
    place = await newPlace();
  });

  afterEach(async () => {
    await store?.close();
    store = undefined;
    await place.remove();
  });

  /** As the first release left it, before there was a second step. */
  async function makeFirst(hash: string): Promise<void> {
    const [first] = migrations;
    const isSqlite = place.engine === "SQLite";
    for (const sql of first?.(isSqlite ? sqliteDialect : postgresDialect) ?? []) await place.query(sql);
    if (isSqlite) await place.query("PRAGMA user_version = 1");
    else await place.query("CREATE TABLE schema_version AS SELECT 1::bigint AS version");
    const use = "'b', 0, 1, 'routed', 'house:a', 'digest'";
    await place.query(`INSERT INTO usage_batches (id, node, at, size, hash) VALUES ('b', 'node', 1, 1, '${hash}')`);
    await place.query(`INSERT INTO usage (batch, number, at, event, entry, digest) VALUES (${use})`);
    await place.query("INSERT INTO audit VALUES (1, 1, 'ada', 'user.added', 'ben', '{}', 'before', 'hash 1')");
    await place.query("INSERT INTO entries VALUES ('a', 'house', 'a', 1, 0, 'digest', '[]', '', NULL, NULL, 1)");
  }

  it("RV-11: is brought up to date once by three processes at once, with all that is in it", async () => {
    const written =
      '[{"at":1,"configuration":null,"conversation":null,"digest":"digest","entry":"house:a","event":"routed","task":null}]';
    const hash = sha256(Buffer.from(written));
    await makeFirst(hash);
    const before = await contentOf(place);
    const { engine, place: where } = place;
    const order = { at: { engine, place: where }, act: "open" };
    const children = ["a", "b", "c"].map(() => startChild(child(), order));
    for (const each of children) expect(await each.hear()).toBe("ready");
    for (const each of children) each.tell("go");
    expect(await Promise.all(children.map((each) => each.ended))).toEqual([0, 0, 0]);
    expect(await contentOf(place)).toEqual({ ...before, injections: [] });

    store = await place.open();
    expect(await store.read.usageBatches({ after: "", limit: 9 })).toEqual([batch("b", { hash })]);
    expect(await store.read.usageIn("b")).toEqual([used()]);
    expect(await store.read.auditAfter(0, 9)).toEqual([audited(1)]);
    expect(await store.read.findEntry("a")).toEqual(entry("a"));
    const recorded = new RecordedUsage();
    recorded.batches.set("b", { at: 1, hash });
    const found: string[] = [];
    const say = ({ code }: { code: string }) => void found.push(code);
    await verifyUsage({ port: store.read, recorded, upTo: 1, isWhole: true, say, onProgress: () => {} });
    expect(found).toEqual([]);
    await store.transaction((port) => port.insertUsage(batch("c"), [], [injection("inj_1")]));
    expect(await store.read.findInjection("inj_1")).toEqual(injection("inj_1"));
  });
});
