import { expect, it } from "vitest";
import { type Contract, exactText, inByteOrder, largest, shuffled } from "./room.ts";

export const routeContract: Contract = (room) => {
  it("RT-2: keeps triggers to the byte, by exactly their entry, replaces them, and lists them by their bytes", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      for (const entry of shuffled) await port.putTriggers(entry, "first");
      await port.putTriggers("a", exactText);
      for (const entry of ["ab", "nobody"]) await port.putTriggers(entry, null);
    });
    const left = inByteOrder.filter((entry) => entry !== "ab");
    const row = (entry: string) => ({ entry, phrases: entry === "a" ? exactText : "first" });
    expect(await store.read.listTriggers()).toEqual(left.map(row));
    const find = (entry: string) => store.read.findTriggers(entry);
    expect([await find("a"), await find("A"), await find("ab"), await find("a ")]).toEqual([
      row("a"),
      row("A"),
      undefined,
      undefined,
    ]);
  });

  it("RT-2: keeps vectors to the byte, by model and digest, the last of two", async () => {
    const { store } = room();
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const [one, other, none] = [Uint8Array.of(1), Uint8Array.of(2, 0), new Uint8Array()];
    await store.transaction(async (port) => {
      await port.putVectors("m", []);
      await port.putVectors("m", [
        { digest: "a", vector: one },
        { digest: "b", vector: none },
        { digest: "a", vector: bytes },
      ]);
      await port.putVectors("M", [{ digest: "a", vector: one }]);
    });
    const plain = async (model: string, ...digests: string[]) =>
      Object.fromEntries(
        [...(await store.read.findVectors(model, digests))].map(([digest, vector]) => [digest, [...vector]]),
      );
    expect(await plain("m", "a", "b", "a", "c", "A")).toEqual({ a: [...bytes], b: [] });
    expect([await plain("M", "a", "b"), await plain("x", "a"), await plain("m")]).toEqual([{ a: [1] }, {}, {}]);
    await store.transaction((port) => port.putVectors("m", [{ digest: "b", vector: other }]));
    expect(await plain("m", "b")).toEqual({ b: [2, 0] });
  });

  it("RT-8: keeps evaluations to the byte, by kind and id, the latest first, page by page", async () => {
    const { store } = room();
    const row = (id: string, line = "line") => ({ id, at: largest, line, report: `of ${line}` });
    await store.transaction(async (port) => {
      for (const id of shuffled) await port.putEvaluation("k", row(id), 99);
      await port.putEvaluation("k", row("a", exactText), 99);
      await port.putEvaluation("K", row("other"), 99);
    });
    const latestFirst = inByteOrder.toReversed();
    const ids = async (before: string, limit: number) =>
      (await store.read.listEvaluations("k", { before, limit })).map(({ id }) => id);
    expect(await ids("", 99)).toEqual(latestFirst);
    expect(await ids("ab", 2)).toEqual(["a/b", "a.b"]);
    expect(await ids("-", 2)).toEqual([]);
    expect(await store.read.findEvaluation("k", "a")).toEqual(row("a", exactText));
    expect((await store.read.listEvaluations("k", { before: "a b", limit: 1 }))[0]).toEqual({
      id: "a",
      at: largest,
      line: exactText,
    });
    const find = async (kind: string, id: string) => (await store.read.findEvaluation(kind, id))?.id;
    expect([await find("K", "a"), await find("k", "other"), await find("K", "other")]).toEqual([
      undefined,
      undefined,
      "other",
    ]);
  });

  it("RT-8: of each kind the oldest go when there are more than the most", async () => {
    const { store } = room();
    const put = (kind: string, id: string, most: number) =>
      store.transaction((port) => port.putEvaluation(kind, { id, at: 1, line: "{}", report: "{}" }, most));
    for (const id of ["1", "2", "3"]) await put("k", id, 2);
    await put("other", "0", 2);
    const left = async (kind: string) =>
      (await store.read.listEvaluations(kind, { before: "", limit: 9 })).map(({ id }) => id);
    expect([await left("k"), await left("other")]).toEqual([["3", "2"], ["0"]]);
  });

  it("RV-11: writes and finds more vectors than fit into one statement", async () => {
    const { store } = room();
    const many = Array.from({ length: 1201 }, (_, at) => ({ digest: `d${at}`, vector: Uint8Array.of(at % 251, 7) }));
    await store.transaction((port) => port.putVectors("m", many));
    const found = await store.read.findVectors(
      "m",
      many.map(({ digest }) => digest),
    );
    expect(found.size).toBe(1201);
    expect(many.filter(({ digest, vector }) => !Buffer.from(vector).equals(found.get(digest) ?? one))).toEqual([]);
  });
};

const one = Uint8Array.of(1);
