import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/digest.ts";
import { usageHash } from "../../src/registry/usage/usage.ts";
import { RecordedUsage, verifyUsage } from "../../src/registry/verify-usage.ts";
import { migrations, postgresDialect, sqliteDialect } from "../../src/store/migrations.ts";
import type { Store } from "../../src/store/store.ts";
import { bundleChild, endChildrenAfterEach, startChild } from "../support/bundle.ts";
import { largest } from "./store-contract/room.ts";
import { audited, batch, entry, injection, source, used } from "./store-contract/rows.ts";
import { contentOf, engines, type StorePlace } from "../support/store-engines.ts";

/** Of the SQL of every step that was released, on SQLite and on PostgreSQL. */
const released = [
  [
    "0344af13668ba4f02bf3528c5fbf2872de720ab90f69b0aa5b0db775fdaf94c0",
    "f2e57e9d8aa7eaf79e80898440d75dbb4be0b3487ee4604bd2d57b57452c4e24",
  ],
  [
    "8de2c1c7ecca916f16ed7cf7737f866dd2c80b50c289d48313804bcd88b0ba6f",
    "814a6132c2c12d5bc234b58cb808e7c894f5536fd1ef8bc8ca469898f349c1fe",
  ],
  [
    "61154bc7708b0c5fd6e97513bc0a82c21b63786f06bd6fe5a851962e56ca14ad",
    "c70607f8bfd0431f59bf7f1cd1a797776e32c94aba56e3e53ca31f91ad5ab2e0",
  ],
  [
    "d5a4d7be8778fddd5e487b84ce8c89f21004c98a5a6a0f7fd82b21a725df342c",
    "705721dc2d582a6c96fd31c330722ed64f61174937355fbe0a3a5ea202e49fe3",
  ],
  [
    "a40bfa3bc1fa3cb1e83b9fd7e7aa6e574bdba79bec1ca82661f91dbbfb03ec5c",
    "9b30d4d41e76d44b3befbc1283f33deecb489683b596dcad246969ce55bcb143",
  ],
];

it("RV-11: a step that was released is never changed", () => {
  const hashes = migrations.map((step) =>
    [sqliteDialect, postgresDialect].map((dialect) => sha256(Buffer.from(JSON.stringify(step(dialect))))),
  );
  expect(hashes.slice(0, released.length)).toEqual(released);
});

/** As it was written before sources could be remote. */
const sourceRecord = JSON.stringify({ kind: "folder", url: "/skills", enabled: true, addedBy: "ada" });

const child = bundleChild("test/store/store.child.ts");
endChildrenAfterEach();

const older = Object.entries(engines).flatMap(([engine, newPlace]) =>
  [1, 2, 3, 4].map((steps) => ({ steps, engine, newPlace })),
);

describe.each(older)("a store of step $steps on $engine", ({ steps, newPlace }) => {
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

  /** As an earlier release left it, before there was another step. */
  async function makeOlder(hash: string): Promise<void> {
    const isSqlite = place.engine === "SQLite";
    for (const step of migrations.slice(0, steps))
      for (const sql of step(isSqlite ? sqliteDialect : postgresDialect)) await place.query(sql);
    if (isSqlite) await place.query(`PRAGMA user_version = ${steps}`);
    else await place.query(`CREATE TABLE schema_version AS SELECT ${steps}::bigint AS version`);
    await place.query(`INSERT INTO sources (id, record) VALUES ('house', '${sourceRecord}')`);
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
    await makeOlder(hash);
    const before = await contentOf(place);
    const { engine, place: where } = place;
    const order = { at: { engine, place: where }, act: "open" };
    const children = ["a", "b", "c"].map(() => startChild(child(), order));
    for (const each of children) expect(await each.hear()).toBe("ready");
    for (const each of children) each.tell("go");
    expect(await Promise.all(children.map((each) => each.ended))).toEqual([0, 0, 0]);
    const [[house] = [], [use] = []] = [before["sources"], before["usage"]];
    const sources = [{ ...Object(house), due_at: null }];
    const usage = [{ ...Object(use), tool: null }];
    const doors = { sessions: [], published: [], evaluations: [], readers: [] };
    const added = { injections: [], provenance: [], secrets: [], triggers: [], vectors: [], ...doors };
    expect(await contentOf(place)).toEqual({ ...before, sources, usage, ...added });

    store = await place.open();
    expect(await store.read.usageBatches({ after: "", limit: 9 })).toEqual([batch("b", { hash })]);
    expect(await store.read.usageIn("b")).toEqual([used()]);
    expect(await store.read.auditAfter(0, 9)).toEqual([audited(1)]);
    expect(await store.read.findEntry("a")).toEqual(entry("a"));
    expect(await store.read.listSources()).toEqual([source("house")]);
    expect(await store.transaction((port) => port.claimDue(largest, () => null))).toBeUndefined();
    const denied = used({ event: "denied", tool: "shell" });
    const later = batch("c", { hash: usageHash([denied], [injection("inj_1")]) });
    await store.transaction((port) => port.insertUsage(later, [denied], [injection("inj_1")]));
    expect(await store.read.usageIn("c")).toEqual([denied]);
    expect(await store.read.findInjection("inj_1")).toEqual(injection("inj_1"));
    const recorded = new RecordedUsage();
    for (const each of [batch("b", { hash }), later]) recorded.batches.set(each.id, each);
    const found: string[] = [];
    const say = ({ code }: { code: string }) => void found.push(code);
    await verifyUsage({ port: store.read, recorded, upTo: 1, isWhole: true, say, onProgress: () => {} });
    expect(found).toEqual([]);
  });
});
