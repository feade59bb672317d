import { describe, expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../core/error.ts";
import type { Embedder } from "../../core/model.ts";
import type { VectorRow } from "../port.ts";
import { embedMissing } from "./vectors-embedding.ts";

/** A store in memory, and each batch that was written to it. */
function memory() {
  const rows = new Map<string, Uint8Array>();
  const written: string[][] = [];
  const read = {
    findVectors: async (model: string, digests: readonly string[]) =>
      new Map(
        digests.flatMap((digest) => {
          const row = rows.get(`${model} ${digest}`);
          return row === undefined ? [] : [[digest, row] as const];
        }),
      ),
  };
  const putVectors = async (model: string, some: readonly VectorRow[]) => {
    written.push(some.map(({ digest }) => digest));
    for (const { digest, vector } of some) rows.set(`${model} ${digest}`, vector);
  };
  const kept = {
    read,
    transaction: <Result>(act: (port: typeof read & { putVectors: typeof putVectors }) => Promise<Result>) =>
      act({ ...read, putVectors }),
  };
  return { rows, written, kept };
}

const texts = (digests: readonly string[]) =>
  digests.map((digest) => ({ digest, name: `name-${digest}`, description: `about ${digest}`, body: "b".repeat(5000) }));

const documentsOf = (...digests: string[]) => ({ digests, read: async (some: readonly string[]) => texts(some) });
const many = Array.from({ length: 150 }, (_, at) => `d${String(at).padStart(3, "0")}`);

/** One that notes what it is sent. */
function embedderOf(answer: (texts: readonly string[], call: number) => unknown) {
  const sent: (readonly string[])[] = [];
  const embedder = { embed: async (some: readonly string[]) => answer(some, sent.push(some)) } as Embedder;
  return { sent, embedder };
}
const plain = (some: readonly string[]) => some.map((text) => [text.length, 1, 2]);

describe("RT-2: making the vectors that are missing", () => {
  test("RT-2: in batches, of name, description and the first part of the body, each kept at once", async () => {
    const { kept, written, rows } = memory();
    const { sent, embedder } = embedderOf(plain);
    const steps: [number, number][] = [];
    const onProgress = (done: number, all: number) => void steps.push([done, all]);
    const made = await embedMissing({
      kept,
      embedder,
      model: "m",
      documents: documentsOf(...many, "d000"),
      onProgress,
    });
    expect(made).toEqual({ made: 150, refused: 0 });
    expect(written).toEqual([many.slice(0, 64), many.slice(64, 128), many.slice(128)]);
    expect(steps).toEqual([
      [64, 150],
      [128, 150],
      [150, 150],
    ]);
    expect(sent[0]?.[0]).toBe(`name-d000\nabout d000\n\n${"b".repeat(5000)}`.slice(0, 2000));
    expect([...rows.values()].every((row) => row.length === 4)).toBe(true);
  });

  test("RT-2: only what has none, by digest and model; a row that is no vector is made again", async () => {
    const { kept, rows } = memory();
    const { sent, embedder } = embedderOf(plain);
    const run = (model: string, ...digests: string[]) =>
      embedMissing({ kept, embedder, model, documents: documentsOf(...digests) });
    await run("m", "a", "b");
    expect(await run("m", "a", "b", "c")).toEqual({ made: 1, refused: 0 });
    expect(await run("other", "a")).toEqual({ made: 1, refused: 0 });
    rows.set("m b", Buffer.from("rubbish"));
    expect(await run("m", "a", "b", "c")).toEqual({ made: 1, refused: 0 });
    expect(sent.map((some) => some.map((text) => text.slice(5, 6)).join(""))).toEqual(["ab", "c", "a", "b"]);
  });

  test("RT-2: what ended it is no loss: the next run goes on from there", async () => {
    const { kept, written } = memory();
    const leaving = new AbortController();
    const { sent, embedder } = embedderOf((some) => {
      leaving.abort(new Error("left"));
      return plain(some);
    });
    const run = { kept, embedder, model: "m", documents: documentsOf(...many) };
    await expect(embedMissing({ ...run, signal: leaving.signal })).rejects.toThrow("left");
    expect([written.length, sent.length]).toEqual([1, 1]);
    expect(await embedMissing(run)).toEqual({ made: 86, refused: 0 });
  });

  const wrongAnswers: readonly [string, (some: readonly string[]) => unknown][] = [
    ["one too few", (some) => plain(some).slice(1)],
    ["one too many", (some) => [...plain(some), [1, 2, 3]]],
    ["another number of dimensions", (some) => [...plain(some).slice(1), [1, 2]]],
    ["NaN", (some) => [...plain(some).slice(1), [1, 2, Number.NaN]]],
    ["only zeros", (some) => [...plain(some).slice(1), [0, 0, 0]]],
    ["none", (some) => [...plain(some).slice(1), null]],
    ["empty ones", (some) => some.map(() => [])],
    ["a refusal", () => refuse("upstream.invalid")],
  ];
  const refuse = (code: ErrorCode): never => {
    throw new AppError(code, "the model service answered 400: too long");
  };

  test.each(wrongAnswers)("RT-4: of an answer with %s nothing is kept, and it is said why", async (name, wrong) => {
    const { kept, written } = memory();
    const { sent, embedder } = embedderOf((some, call) => (call >= 2 ? wrong(some) : plain(some)));
    const making = embedMissing({ kept, embedder, model: "m", documents: documentsOf(...many) });
    await expect(making).rejects.toMatchObject({
      code: "upstream.invalid",
      message: name === "a refusal" ? /too long/ : /nothing of this answer was kept/,
    });
    // A plain word is refused too: it is not for what is in the batch, and nobody asks any further.
    expect([written, sent.slice(2)]).toEqual([[many.slice(0, 64)], [["skill"]]]);
  });

  test.each(wrongAnswers)("RT-2: a text that gets %s keeps no other from its vector", async (_, wrong) => {
    const { kept, written } = memory();
    const odd = new Set(["d000", "d070", "d071", "d149"]);
    const isOdd = (text: string) => odd.has(text.slice(5, 9));
    const { sent, embedder } = embedderOf((some) => (some.some(isOdd) ? wrong(some) : plain(some)));
    const steps: number[] = [];
    const run = { kept, embedder, model: "m", documents: documentsOf(...many) };
    const made = await embedMissing({ ...run, onProgress: (done) => void steps.push(done) });
    expect(made).toEqual({ made: 146, refused: 4 });
    expect(written.flat().toSorted()).toEqual(many.filter((digest) => !odd.has(digest)));
    expect(steps).toEqual([64, 128, 150]);
    expect(sent.length).toBeLessThan(60);
    // The next run asks for those only, and takes what it gets by then.
    expect(await embedMissing(run)).toEqual({ made: 0, refused: 4 });
    expect(await embedMissing({ ...run, embedder: embedderOf(plain).embedder })).toEqual({ made: 4, refused: 0 });
  });

  test.each(["upstream.unreachable", "upstream.timeout", "upstream.refused"] as const)(
    "RT-4: %s ends the run at once, and what was made stays",
    async (code) => {
      const { kept, written } = memory();
      const { sent, embedder } = embedderOf((some, call) => (call === 2 ? refuse(code) : plain(some)));
      const making = embedMissing({ kept, embedder, model: "m", documents: documentsOf(...many) });
      await expect(making).rejects.toMatchObject({ code });
      expect([written.length, sent.length]).toEqual([1, 2]);
    },
  );

  test("RT-4: a model that gives other dimensions than before is refused, also in a later run", async () => {
    const { kept, written } = memory();
    await embedMissing({ kept, embedder: embedderOf(plain).embedder, model: "m", documents: documentsOf("a") });
    const { embedder } = embedderOf((some) => some.map(() => [1, 2]));
    const making = embedMissing({ kept, embedder, model: "m", documents: documentsOf("a", "b") });
    await expect(making).rejects.toThrow("a vector of 2 numbers where the others have 3");
    expect(written).toEqual([["a"]]);
  });

  test("T31: nothing is sent but what was named, and nothing of what cannot be read", async () => {
    const { kept, written } = memory();
    const { sent, embedder } = embedderOf(plain);
    const read = async (some: readonly string[]) => texts([...some.slice(1), "unapproved", ...some.slice(1)]);
    await embedMissing({ kept, embedder, model: "m", documents: { digests: ["gone", "a"], read } });
    expect(sent.flat().map((text) => text.slice(0, 6))).toEqual(["name-a"]);
    expect(written).toEqual([["a"]]);
    await embedMissing({ kept, embedder, model: "m", documents: { digests: ["gone"], read: async () => [] } });
    expect(sent).toHaveLength(1);
  });
});
