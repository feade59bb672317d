import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/digest.ts";
import { usageHash } from "../../src/registry/usage/usage.ts";
import { RecordedUsage, verifyUsage } from "../../src/registry/verify-rows.ts";
import { initialVersion } from "../../src/store/migrate.ts";
import { createAllTables, postgresDialect, sqliteDialect } from "../../src/store/schema.ts";
import type { Store } from "../../src/store/store.ts";
import { bundleChild, endChildrenAfterEach, startChild } from "../support/bundle.ts";
import { contentOf, engines, type StorePlace } from "../support/store-engines.ts";
import { audited, batch, entry, injection, source, used } from "./store-contract/rows.ts";

/** Of the SQL that makes a new store, on SQLite and on PostgreSQL. */
const initial = {
  version: 100,
  sql: [
    "7ea075adcf812af8afa25eb6dfdb1f24550567830ad79f937314011cb321e8e9",
    "6a140050a6d3053f8fdc6d0e0780d0b3bc4c5e076a510d32311b64f4867b77d5",
  ],
};

it("RV-11: other tables have another version: raise `initialVersion` and write the new hashes here", () => {
  const sql = [sqliteDialect, postgresDialect].map((dialect) =>
    sha256(Buffer.from(JSON.stringify(createAllTables(dialect)))),
  );
  expect({ version: initialVersion, sql }).toEqual(initial);
});

const child = bundleChild("test/store/store.child.ts");
endChildrenAfterEach();

const places = Object.entries(engines).flatMap(([engine, newPlace]) =>
  [1, 2].map((steps) => ({ steps, engine, newPlace })),
);

describe.each(places)("a store of step $steps of 3 on $engine", ({ steps, newPlace }) => {
  let place: StorePlace;
  let store: Store | undefined;

  beforeEach(async () => {
    place = await newPlace();
    const older = await place.open({ steps });
    await older.transaction(async (port) => {
      await port.putSource(source("house"));
      await port.putEntries([entry("a")]);
      await port.insertAudit([audited(1)]);
      await port.insertUsage(batch("b", { hash: usageHash([used()], []) }), [used()], []);
    });
    await older.close();
  });

  afterEach(async () => {
    await store?.close();
    store = undefined;
    await place.remove();
  });

  it("RV-11: is brought up to date once by three processes at once, with all that is in it", async () => {
    const before = await contentOf(place);
    const { engine, place: where } = place;
    const order = { at: { engine, place: where }, act: "open", options: { steps: 3 } };
    const children = ["a", "b", "c"].map(() => startChild(child(), order));
    for (const each of children) expect(await each.hear()).toBe("ready");
    for (const each of children) each.tell("go");
    expect(await Promise.all(children.map((each) => each.ended))).toEqual([0, 0, 0]);
    const [house] = before["sources"] ?? [];
    const looked = engine === "SQLite" ? 7 : "7";
    const sources = [{ ...Object(house), looked_at: looked }];
    expect(await contentOf(place)).toEqual({ ...before, sources, notes: [{ source: "house", at: looked }] });

    store = await place.open({ steps: 3 });
    expect(await store.read.listSources()).toEqual([source("house")]);
    expect(await store.read.findEntry("a")).toEqual(entry("a"));
    expect(await store.read.auditAfter(0, 9)).toEqual([audited(1)]);
    expect(await store.read.usageIn("b")).toEqual([used()]);
    const denied = used({ event: "denied", tool: "shell" });
    const later = batch("c", { hash: usageHash([denied], [injection("inj_1")]) });
    await store.transaction((port) => port.insertUsage(later, [denied], [injection("inj_1")]));
    expect(await store.read.usageIn("c")).toEqual([denied]);
    expect(await store.read.findInjection("inj_1")).toEqual(injection("inj_1"));
    const recorded = new RecordedUsage();
    for (const each of await store.read.usageBatches({ after: "", limit: 9 })) recorded.batches.set(each.id, each);
    expect([...recorded.batches.keys()]).toEqual(["b", "c"]);
    const found: string[] = [];
    const say = ({ code }: { code: string }) => void found.push(code);
    await verifyUsage({ port: store.read, recorded, upTo: 1, isWhole: true, say, onProgress: () => {} });
    expect(found).toEqual([]);
  });

  it("RV-11: stays as it is when a later step fails", async () => {
    const before = await contentOf(place);
    await expect(place.open({ steps: 4 })).rejects.toThrow(/nowhere/);
    expect(await contentOf(place)).toEqual(before);
    // Nor do the steps before it count as done.
    store = await place.open({ steps });
    expect(await store.read.listSources()).toEqual([source("house")]);
  });

  it("RV-11: is refused by a Skillward that knows fewer steps, and left as it is", async () => {
    await (await place.open({ steps: 3 })).close();
    const before = await contentOf(place);
    await expect(place.open({ steps })).rejects.toMatchObject({ code: "store.newer" });
    expect(await contentOf(place)).toEqual(before);
  });
});
