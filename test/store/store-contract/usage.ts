import { expect, it } from "vitest";
import { renderInjection } from "../../../src/registry/usage/injection.ts";
import { type Contract, exactText, inByteOrder, largest, shuffled } from "./room.ts";
import { batch, injection, kept, used } from "./rows.ts";

export const usageContract: Contract = (room) => {
  it("RV-8: keeps a batch once, and says so when it is there already", async () => {
    const { store } = room();
    const records = [
      used({ at: largest, entry: exactText, configuration: exactText }),
      used({ event: "denied", tool: exactText }),
    ];
    const more = { task: exactText, conversation: exactText };
    const whole = batch(exactText, { node: exactText, at: largest, count: 2, hash: exactText });
    const written = [...records, used({ event: "injected", ...more }), used({ event: "dropped" })];
    expect(await store.transaction((port) => port.insertUsage(whole, written, []))).toBe(true);
    const again = store.transaction((port) =>
      port.insertUsage({ ...whole, node: "other" }, [used()], [injection("late")]),
    );
    expect(await again).toBe(false);
    expect(await store.read.usageBatches({ after: "", limit: 9 })).toEqual([whole]);
    expect(await store.read.usageIn(exactText)).toEqual(written);
    expect([await store.read.usageIn("unknown"), await store.read.findInjection("late")]).toEqual([[], undefined]);
  });

  it("RV-8: keeps an empty batch, and one of more records than fit into one statement, in order", async () => {
    const { store } = room();
    const many = Array.from({ length: 1201 }, (_, place) => used({ at: place }));
    await store.transaction(async (port) => {
      await port.insertUsage(batch("none"), [], []);
      await port.insertUsage(batch("many"), many, []);
    });
    expect(await store.read.usageIn("none")).toEqual([]);
    expect(await store.read.usageIn("many")).toEqual(many);
  });

  it("RV-8: pages through batches by the bytes of their ids", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      for (const id of shuffled) await port.insertUsage(batch(id), [], []);
    });
    const ids = async (after: string, limit: number) =>
      (await store.read.usageBatches({ after, limit })).map(({ id }) => id);
    expect(await ids("", 99)).toEqual(inByteOrder);
    expect(await ids("~", 2)).toEqual(inByteOrder.slice(17, 19));
    expect(await ids("\u{10ffff}", 2)).toEqual([]);
  });

  it("RV-8: says where a digest was used: the latest first, of one moment the last", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      await port.insertUsage(batch("b"), [used({ at: 5, task: "b0" }), used({ at: 7, task: "b1" })], []);
      await port.insertUsage(
        batch("a"),
        [used({ at: 5, task: "a0" }), used({ at: 5, task: "a1" }), used({ digest: "x" })],
        [],
      );
    });
    const tasks = async (limit: number) => (await store.read.usageOf("digest", limit)).map(({ task }) => task);
    expect(await tasks(9)).toEqual(["b1", "b0", "a1", "a0"]);
    expect(await tasks(2)).toEqual(["b1", "b0"]);
    expect(await store.read.usageOf("y", 9)).toEqual([]);
  });

  it("RV-8: a word that is not known reads as the one that says most", async () => {
    const { store, place } = room();
    await store.transaction((port) => port.insertUsage(batch("a"), [used()], []));
    await place.query("UPDATE usage SET event = 'harmless'");
    expect(await store.read.usageIn("a")).toEqual([used({ event: "injected" })]);
    expect(await store.read.usesOf("digest", 9)).toMatchObject([{ event: "injected" }]);
  });

  it("RV-8: retention takes the records away and leaves the batches", async () => {
    const { store } = room();
    const [old, young] = [batch("old", { at: 5 }), batch("young", { at: 6 })];
    await store.transaction(async (port) => {
      await port.insertUsage(old, [used()], [injection("old")]);
      await port.insertUsage(young, [used()], [injection("young")]);
    });
    const expire = (at: number) => store.transaction((port) => port.expireUsage(6, at));
    expect([await expire(100), await expire(200)]).toEqual([1, 0]);
    expect(await store.read.usageBatches({ after: "", limit: 9 })).toEqual([{ ...old, expiredAt: 100 }, young]);
    expect([await store.read.usageIn("old"), await store.read.usageIn("young")]).toEqual([[], [used()]]);
    expect([await store.read.injectionsIn("old"), await store.read.findInjection("old")]).toEqual([[], undefined]);
    expect(await store.read.findInjection("young")).toEqual(injection("young"));
    expect(await store.transaction((port) => port.insertUsage(old, [used()], [injection("old")]))).toBe(false);
  });

  it("RV-8: counts the uses of a digest by their place, the latest place first", async () => {
    const { store } = room();
    const inOne = { configuration: "c", conversation: "one" };
    await store.transaction((port) =>
      port.insertUsage(
        batch("a"),
        [
          used({ at: 1, ...inOne }),
          used({ at: largest, ...inOne }),
          used({ at: 3, ...inOne, event: "denied" }),
          used({ at: 3, conversation: "two" }),
          used({ at: 3 }),
          used({ at: 3, task: "t" }),
          used({ at: 9, digest: "x" }),
        ],
        [],
      ),
    );
    const uses = await store.read.usesOf("digest", 9);
    const { at: _, digest: __, ...place } = used(inOne);
    expect(uses[0]).toEqual({ ...place, times: 2, first: 1, last: largest });
    const places = uses.map(({ configuration, task, conversation }) => [configuration, task, conversation]);
    expect(places).toEqual([
      ["c", null, "one"],
      [null, null, null],
      [null, null, "two"],
      [null, "t", null],
      ["c", null, "one"],
    ]);
    expect(await store.read.usesOf("digest", 2)).toEqual(uses.slice(0, 2));
    expect(await store.read.usesOf("y", 9)).toEqual([]);
  });

  it("T41: counts many uses of one digest as it counts few", async () => {
    const { store } = room();
    const records = Array.from({ length: 45_000 }, (_, at) =>
      // More of one moment than are counted at once, and places that are met again and again.
      used({ at: at < 22_000 ? 5 : at, conversation: `c${at % 3}` }),
    );
    await store.transaction((port) => port.insertUsage(batch("a"), records, []));
    const uses = await store.read.usesOf("digest", 2);
    const all = [44_999, 44_998].map((last) => ({ conversation: `c${last % 3}`, times: 15_000, first: 5, last }));
    expect(uses).toMatchObject(all);
  });

  it("SC-7: counts every tool that was denied by itself", async () => {
    const { store } = room();
    const denied = [null, "shell", "Shell", "shell", ""].map((tool) => used({ event: "denied", tool }));
    await store.transaction((port) => port.insertUsage(batch("a"), denied, []));
    const counted = (await store.read.usesOf("digest", 9)).map(({ tool, times }) => [tool, times]);
    expect(counted).toEqual([
      [null, 1],
      ["", 1],
      ["Shell", 1],
      ["shell", 2],
    ]);
    expect((await store.read.usageOf("digest", 9)).map(({ tool }) => tool)).toEqual(
      denied.map(({ tool }) => tool).toReversed(),
    );
  });

  it("RV-8: completes a digest that was kept or used", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      await port.insertKept(["ab1", "ab2", "ac"].map((digest) => kept("house:a", digest)));
      await port.insertUsage(batch("a"), [used({ digest: "ab2" }), used({ digest: "abf" }), used({ digest: "b" })], []);
    });
    expect(await store.read.findDigests("ab", 9)).toEqual(["ab1", "ab2", "abf"]);
    expect(await store.read.findDigests("ab", 2)).toEqual(["ab1", "ab2"]);
    expect(await store.read.findDigests("", 9)).toEqual(["ab1", "ab2", "abf", "ac", "b"]);
    expect(await store.read.findDigests("f", 9)).toEqual([]);
  });

  it("RV-8: names uses that were put into a batch that is gone or expired", async () => {
    const { store, place } = room();
    await store.transaction(async (port) => {
      for (const id of ["gone", "old", "whole"]) await port.insertUsage(batch(id), [used(), used()], []);
    });
    expect(await store.read.strayUsage(9)).toEqual([]);
    await place.query("DELETE FROM usage_batches WHERE id = 'gone'");
    await place.query("UPDATE usage_batches SET expired_at = 1 WHERE id = 'old'");
    expect(await store.read.strayUsage(9)).toEqual(["gone", "old"]);
    expect(await store.read.strayUsage(1)).toEqual(["gone"]);
  });

  it("RV-8: names injections that were put into a batch that is gone or expired", async () => {
    const { store, place } = room();
    await store.transaction(async (port) => {
      for (const id of ["gone", "old", "whole"]) await port.insertUsage(batch(id), [], [injection(id)]);
      await port.insertUsage(batch("both"), [used()], [injection("both")]);
    });
    expect(await store.read.strayUsage(9)).toEqual([]);
    await place.query("DELETE FROM usage_batches WHERE id IN ('gone', 'both')");
    await place.query("UPDATE usage_batches SET expired_at = 1 WHERE id = 'old'");
    expect(await store.read.strayUsage(9)).toEqual(["both", "gone", "old"]);
    expect(await store.read.strayUsage(1)).toEqual(["both"]);
  });

  it("CO-7: keeps what requests were given to the byte, in order, and finds it by its id", async () => {
    const { store } = room();
    const lists = {
      included: [{ entry: exactText, digest: "d", name: exactText, via: "task", place: "user", bytes: largest }],
      dropped: [{ entry: "house:b", digest: null, via: "routed", why: exactText }],
      findings: [{ code: "c", level: "high", message: exactText, at: { file: exactText, line: 1 } }],
    } as const;
    const texts = { request: exactText, by: exactText, configuration: exactText, task: exactText, model: exactText };
    const full = injection(exactText, { at: largest, generation: largest, ...texts, ...lists });
    const many = Array.from({ length: 1201 }, (_, number) => injection(`inj_${1200 - number}`));
    await store.transaction(async (port) => {
      await port.insertUsage(batch("full"), [used()], [full]);
      await port.insertUsage(batch("many"), [], many);
    });
    expect(await store.read.findInjection(exactText)).toEqual(full);
    expect(await store.read.findInjection("inj_7")).toEqual(injection("inj_7"));
    expect(await store.read.findInjection("INJ_7")).toBeUndefined();
    expect(await store.read.injectionsIn("full")).toEqual([{ id: exactText, record: renderInjection(full) }]);
    expect((await store.read.injectionsIn("many")).map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    expect(await store.read.injectionsIn("unknown")).toEqual([]);
  });

  it("RV-8: one id in two batches keeps neither out; what came first is what is found", async () => {
    const { store } = room();
    for (const id of ["b", "a"])
      await store.transaction((port) => port.insertUsage(batch(id), [], [injection("inj", { model: id })]));
    expect(await store.read.findInjection("inj")).toEqual(injection("inj", { model: "a" }));
  });

  it("T17: an injection that was changed by hand so that it is none is not found, and is listed as it is", async () => {
    const { store, place } = room();
    await store.transaction((port) => port.insertUsage(batch("a"), [], [injection("one"), injection("two")]));
    const { record: two = "" } = (await store.read.injectionsIn("a"))[1] ?? {};
    for (const record of ["", "[]", "null", "{}", two, two.replace('"at":1', '"at":"1"'), "[".repeat(100_000)]) {
      await place.query(`UPDATE injections SET record = '${record}' WHERE id = 'one'`);
      expect(await store.read.findInjection("one")).toBeUndefined();
      expect((await store.read.injectionsIn("a"))[0]).toEqual({ id: "one", record });
    }
    expect(await store.read.findInjection("two")).toEqual(injection("two"));
  });
};
