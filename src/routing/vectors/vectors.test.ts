import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { onShelf, shelfOf } from "../../../test/routing/route-asked.ts";
import { decodeDirection, directionOf, encodeDirection, VectorBlock } from "./vectors-block.ts";
import { createVectors } from "./vectors.ts";

const { signal } = new AbortController();
const everything = { limit: 10, allows: () => true, signal };

function direction(...values: number[]): Float32Array {
  return directionOf(values) ?? new Float32Array();
}

function row(...values: number[]): Uint8Array {
  return encodeDirection(direction(...values));
}

/** A block of rows as they are kept. */
function blockOf(rows: Readonly<Record<string, Uint8Array>>): VectorBlock {
  const decoded = Object.entries(rows).map(([digest, bytes]) => [digest, decodeDirection(bytes)] as const);
  return new VectorBlock(new Map(decoded.flatMap(([digest, vector]) => (vector ? [[digest, vector]] : []))));
}

describe("RT-2: vectors as they are kept", () => {
  test.each([
    ["nothing", undefined],
    ["no list", "1,2"],
    ["an empty one", []],
    ["only zeros", [0, 0]],
    ["NaN", [1, Number.NaN]],
    ["Infinity", [1, Infinity]],
    ["what overflows", [1e200, 1e200]],
    ["a text", [1, "2"]],
    ["null", [1, null]],
    ["a hole", Object.assign([1], { 2: 1 })],
    ["far too many", Array(8193).fill(1)],
  ])("RT-2: %s has no direction", (_, values) => expect(directionOf(values)).toBeUndefined());

  test.each([
    ["a text", "\u0001ab"],
    ["null", null],
    ["nothing", new Uint8Array()],
    ["a version alone", Uint8Array.of(1)],
    ["another version", Uint8Array.of(2, 5, 5)],
    ["only zeros", Uint8Array.of(1, 0, 0)],
    ["far too many", new Uint8Array(9000).fill(1)],
  ])("RT-2: a row of %s is no vector", (_, bytes) => expect(decodeDirection(bytes)).toBeUndefined());

  const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 37, maxLength: 37 });

  test("RT-2: similarity is the cosine to two places, whatever the length and the dimensions", async () => {
    await fc.assert(
      fc.asyncProperty(vector, vector, async (one, other) => {
        const [a, b] = [directionOf(one), directionOf(other)];
        fc.pre(a !== undefined && b !== undefined);
        const [near] = await blockOf({ a: encodeDirection(a) }).nearest(b, everything);
        const cosine = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
        expect(Math.abs((near?.similarity ?? 9) - cosine)).toBeLessThan(0.02);
        expect(Math.abs(near?.similarity ?? 9)).toBeLessThanOrEqual(1.000001);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe("RT-2: the nearest", () => {
  const rows = { east: row(1, 0), north: row(0, 1), between: row(1, 1), west: row(-1, 0) };

  test("RT-2: come closest first, at most as many as asked for, and only those allowed", async () => {
    const near = (more: object) => blockOf(rows).nearest(direction(1, 0.2), { ...everything, ...more });
    const names = async (more: object) => (await near(more)).map(({ digest }) => digest);
    expect(await names({})).toEqual(["east", "between", "north", "west"]);
    expect(await names({ limit: 2 })).toEqual(["east", "between"]);
    expect(await names({ limit: 2, allows: (digest: string) => digest !== "east" })).toEqual(["between", "north"]);
    expect(await names({ allows: () => false })).toEqual([]);
  });

  test("RT-2: of equals the order does not depend on how they came", async () => {
    const alike = ["c", "a", "b"].map((digest) => [digest, row(1, 2)] as const);
    for (const order of [alike, alike.toReversed()]) {
      const near = await blockOf(Object.fromEntries(order)).nearest(direction(1, 2), { ...everything, limit: 2 });
      expect(near.map(({ digest }) => digest)).toEqual(["a", "b"]);
    }
  });

  test("RT-2: rows of another length than most are left out, and the others still count", async () => {
    const block = blockOf({ ...rows, odd: row(1, 0, 0), long: new Uint8Array(5000).fill(1) });
    expect([block.dimensions, block.size, block.vectorOf("odd")]).toEqual([2, 4, undefined]);
    expect(new VectorBlock(new Map()).size).toBe(0);
  });

  test("RT-4: others get their turn in a long comparison, and it ends when nobody waits", async () => {
    const wide = encodeDirection(direction(...Array<number>(4096).fill(1)));
    const vectors = new Map(
      Array.from({ length: 3000 }, (_, at) => [`d${at}`, decodeDirection(wide) ?? new Int8Array()] as const),
    );
    const leaving = new AbortController();
    const comparing = new VectorBlock(vectors).nearest(direction(...Array<number>(4096).fill(1)), {
      ...everything,
      signal: leaving.signal,
    });
    setImmediate(() => leaving.abort(new Error("left")));
    await expect(comparing).rejects.toThrow("left");
  });
});

describe("RT-2: the vectors of a shelf", () => {
  const [pdf, csv, sql] = [onShelf("pdf"), onShelf("csv"), onShelf("sql")];

  /** A store that notes what it was asked for. */
  function storeOf(rows: Record<string, unknown>) {
    const asked: string[][] = [];
    return {
      asked,
      rows,
      findVectors: async (_: string, digests: readonly string[]) => {
        asked.push([...digests]);
        const found = digests.flatMap((digest) => (digest in rows ? [[digest, rows[digest]] as const] : []));
        return new Map(found) as ReadonlyMap<string, Uint8Array>;
      },
    };
  }

  test("RT-2: are loaded once for a shelf, and for the next one only what is new", async () => {
    const store = storeOf({ [pdf.digest]: row(1, 0), [csv.digest]: row(0, 1), [sql.digest]: row(1, 1) });
    const vectors = createVectors(store, "m");
    const first = shelfOf(pdf, csv);
    const [block, again] = await Promise.all([vectors.of(first), vectors.of(first)]);
    expect([block.size, again === block, store.asked.length]).toEqual([2, true, 1]);
    const second = await vectors.of(shelfOf(csv, sql, { ...csv, id: "other:csv" }));
    expect(store.asked.slice(1)).toEqual([[sql.digest]]);
    expect(second.size).toBe(2);
    expect(second.vectorOf(pdf.digest)).toBeUndefined();
    expect([...(second.vectorOf(csv.digest) ?? [])]).toEqual([0, 127]);
    expect(await vectors.of(shelfOf(csv, sql))).toBe(second);
  });

  test("RT-2: those that were missing are found after they were made", async () => {
    const store = storeOf({ [pdf.digest]: row(1, 0) });
    const vectors = createVectors(store, "m");
    const shelf = shelfOf(pdf, csv);
    expect((await vectors.of(shelf)).size).toBe(1);
    store.rows[csv.digest] = row(0, 1);
    expect((await vectors.of(shelf)).size).toBe(1);
    vectors.refresh();
    expect((await vectors.of(shelf)).size).toBe(2);
    expect(store.asked).toEqual([[pdf.digest, csv.digest], [csv.digest]]);
  });

  test("RT-2: rows that were changed by hand are no vectors, and the others still are", async () => {
    const garbage = { [csv.digest]: "not bytes", [sql.digest]: Uint8Array.of(9, 9) };
    const store = storeOf({ [pdf.digest]: row(1, 0), ...garbage });
    const block = await createVectors(store, "m").of(shelfOf(pdf, csv, sql));
    expect([block.size, block.dimensions]).toEqual([1, 2]);
  });

  test("RT-4: a store that fails is asked again at the next question", async () => {
    const store = storeOf({ [pdf.digest]: row(1, 0) });
    let isBroken = true;
    const findVectors: typeof store.findVectors = (model, digests) =>
      isBroken ? Promise.reject(new Error("gone")) : store.findVectors(model, digests);
    const vectors = createVectors({ findVectors }, "m");
    const shelf = shelfOf(pdf);
    await expect(vectors.of(shelf)).rejects.toThrow("gone");
    isBroken = false;
    expect((await vectors.of(shelf)).size).toBe(1);
  });
});
