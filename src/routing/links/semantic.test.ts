import { describe, expect, test } from "vitest";
import { askedOf, onShelf, shelfOf } from "../../../test/routing/route-asked.ts";
import { AppError } from "../../core/error.ts";
import type { Embedder } from "../../core/model.ts";
import type { ShelfEntry } from "../shelf.ts";
import { directionOf, encodeDirection } from "../vectors/vectors-block.ts";
import { createVectors } from "../vectors/vectors.ts";
import { semanticLink } from "./semantic.ts";

const [pdf, csv, sql] = [onShelf("pdf"), onShelf("csv"), onShelf("sql")];
const row = (...values: number[]) => encodeDirection(directionOf(values) ?? new Float32Array());
const rows = new Map([
  [pdf.digest, row(1, 0)],
  [csv.digest, row(1, 1)],
  [sql.digest, row(0, 1)],
]);
const kept = { findVectors: async () => rows };

function linkTo(answer: unknown, findVectors = kept.findVectors) {
  const sent: (readonly string[])[] = [];
  const embed = async (texts: readonly string[]) => {
    sent.push(texts);
    return (answer instanceof Error ? Promise.reject(answer) : answer) as Awaited<ReturnType<Embedder["embed"]>>;
  };
  return {
    sent,
    link: semanticLink({ embedder: { embed }, vectors: createVectors({ findVectors }, "m"), timeBox: 500 }),
  };
}

describe("RT-2: the semantic link", () => {
  test("RT-2: embeds the query once and finds what is close, with a confidence that rises with the cosine", async () => {
    const { sent, link } = linkTo([[1, 0.1]]);
    const found = await link.find(askedOf(shelfOf(pdf, csv, sql), "read a file"));
    expect(found.map(({ entry }) => entry)).toEqual(["house:pdf", "house:csv", "house:sql"]);
    expect(found[0]?.why).toBe('close in meaning (1.00) to "pdf: Says how to pdf."');
    const confidences = found.map(({ confidence }) => confidence);
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
    expect(confidences.map((confidence) => confidence > 0.5)).toEqual([true, true, false]);
    expect(Math.max(...confidences)).toBeLessThan(0.9);
    expect([link.name, link.role, sent]).toEqual(["semantic", "finds", [["read a file"]]]);
  });

  test("RT-3: confidence is of the pair alone, whatever else is on the shelf", async () => {
    const confidenceIn = async (...entries: readonly ShelfEntry[]) => {
      const found = await linkTo([[1, 0.5]]).link.find(askedOf(shelfOf(...entries), "q"));
      return found.find(({ entry }) => entry === "house:csv")?.confidence;
    };
    expect(await confidenceIn(csv)).toBe(await confidenceIn(pdf, csv, sql));
  });

  test("RT-5: names what may be chosen, and every entry of identical bytes", async () => {
    const twin = { ...pdf, id: "other:pdf" };
    const shelf = shelfOf(pdf, csv, sql, twin);
    const allows = (entry: string) => entry !== "house:csv" && entry !== "house:sql";
    const found = await linkTo([[1, 0]]).link.find(askedOf(shelf, "q", { allows }));
    expect(found.map(({ entry }) => entry)).toEqual(["house:pdf", "other:pdf"]);
  });

  test("T32: of a hundred identical skills it names ten, the most trusted, and never another's place", async () => {
    const copies = Array.from({ length: 100 }, (_, at) => ({
      ...pdf,
      id: `copy:${at}`,
      trust: at === 99 ? ("first_party" as const) : ("community" as const),
    }));
    const found = await linkTo([[1, 0]]).link.find(askedOf(shelfOf(...copies, csv), "q"));
    expect(found).toHaveLength(11);
    expect([found[0]?.entry, found.at(-1)?.entry]).toEqual(["copy:99", "house:csv"]);
  });

  test("RT-2: without vectors it has nothing to say, and asks nobody", async () => {
    const { sent, link } = linkTo([[1, 0]], async () => new Map());
    expect(await link.find(askedOf(shelfOf(pdf), "q"))).toEqual([]);
    expect(sent).toEqual([]);
  });

  test("T26: of a long query a part is sent", async () => {
    const { sent, link } = linkTo([[1, 0]]);
    await link.find(askedOf(shelfOf(pdf), `${"x".repeat(1999)}😀${"y".repeat(1_000_000)}`));
    expect(sent[0]?.[0]).toBe(`${"x".repeat(1999)}\ufffd`);
  });

  test.each([
    ["another number of dimensions", [[1, 0, 0]]],
    ["no vector", []],
    [
      "two vectors",
      [
        [1, 0],
        [1, 0],
      ],
    ],
    ["NaN", [[1, Number.NaN]]],
    ["zeros", [[0, 0]]],
    ["no list", "rubbish"],
    ["nothing", undefined],
  ])("RT-4: %s is refused", async (_, answer) => {
    await expect(linkTo(answer).link.find(askedOf(shelfOf(pdf), "q"))).rejects.toMatchObject({
      code: "upstream.invalid",
    });
  });

  test("RT-4: what a service says when it fails is not repeated: it may hold the query", async () => {
    const failed = new AppError("upstream.invalid", "the model service answered 429 (retry-after: 2): my secret query");
    const asking = linkTo(failed).link.find(askedOf(shelfOf(pdf), "q"));
    await expect(asking).rejects.toThrow(/^the model service answered 429$/);
  });

  test("RT-4: ends when nobody waits, while what is loading goes on for the next question", async () => {
    let finish = () => {};
    const loading = new Promise<void>((done) => (finish = done));
    const { sent, link } = linkTo([[1, 0]], () => loading.then(() => rows));
    const shelf = shelfOf(pdf);
    const leaving = new AbortController();
    const first = link.find(askedOf(shelf, "q", { signal: leaving.signal }));
    leaving.abort(new Error("late"));
    await expect(first).rejects.toThrow("late");
    expect(sent).toEqual([]);
    finish();
    expect(await link.find(askedOf(shelf, "q"))).toHaveLength(1);
  });
});
