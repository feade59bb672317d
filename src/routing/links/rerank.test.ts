import { describe, expect, test } from "vitest";
import { askedOf, onShelf, shelfOf } from "../../../test/routing/route-asked.ts";
import { rerankLink } from "./rerank.ts";

const shelf = shelfOf(onShelf("pdf"), onShelf("csv"), onShelf("sql"));

function linkTo(answer: (documents: readonly string[]) => unknown, more: object = {}) {
  const sent: [string, readonly string[]][] = [];
  const rank = async (query: string, documents: readonly string[]) => {
    sent.push([query, documents]);
    return answer(documents) as readonly number[];
  };
  return { sent, link: rerankLink({ reranker: { rank }, timeBox: 500, ...more }) };
}

describe("RT-2: the rerank link", () => {
  test("RT-2: shows the first candidates, and its scores are the confidences", async () => {
    const { sent, link } = linkTo(() => [0.2, 0.9], { shown: 2 });
    const found = await link.find(askedOf(shelf, "a query"));
    expect(found.map(({ entry, confidence }) => [entry, confidence])).toEqual([
      ["house:pdf", 0.2],
      ["house:csv", 0.9],
    ]);
    expect(found[1]?.why).toContain("0.90");
    expect(sent).toEqual([["a query", ["pdf\nSays how to pdf.", "csv\nSays how to csv."]]]);
    expect([link.role, link.shown, linkTo(() => []).link.shown]).toEqual(["judges", 2, 20]);
  });

  test("RT-3: a calibration keeps the order", async () => {
    const calibration = { middle: 0.2, steepness: 20, most: 0.9 };
    const found = await linkTo(() => [0.1, 0.3, 0.2], { calibration }).link.find(askedOf(shelf, "q"));
    expect(found.map(({ confidence }) => Number(confidence.toFixed(2)))).toEqual([0.11, 0.79, 0.45]);
  });

  test("T31: what is not on the shelf, may not be chosen or was not found is not sent", async () => {
    const { sent, link } = linkTo((documents) => documents.map(() => 0.5));
    const soFar = ["house:csv", "gone:skill", "house:sql", "house:csv"].map((entry) => ({
      entry,
      confidence: 1,
      why: "",
    }));
    const allows = (entry: string) => entry !== "house:sql";
    const found = await link.find(askedOf(shelf, "q", { soFar, allows }));
    expect(sent.map(([, documents]) => documents)).toEqual([["csv\nSays how to csv."]]);
    expect(found.map(({ entry }) => entry)).toEqual(["house:csv"]);
    expect(await link.find(askedOf(shelf, "q", { soFar: [] }))).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  test("T26: query and documents are bounded", async () => {
    const { sent, link } = linkTo(() => [0.5]);
    const long = shelfOf(onShelf("long", "😀".repeat(100_000)));
    await link.find(askedOf(long, "x".repeat(1_000_000)));
    expect(sent.map(([query, [document = ""]]) => [query.length, document.length, document.isWellFormed()])).toEqual([
      [4000, 1500, true],
    ]);
  });

  test.each([
    ["too few", [0.5]],
    ["too many", [0.5, 0.5, 0.5, 0.5]],
    ["NaN", [0.5, Number.NaN, 0.5]],
    ["above 1", [0.5, 7, 0.5]],
    ["below 0", [0.5, -0.1, 0.5]],
    ["texts", [0.5, "1", 0.5]],
    ["a hole", Object.assign([0.5], { 2: 0.5 })],
  ])("RT-4: %s is refused", async (_, answer) => {
    await expect(linkTo(() => answer).link.find(askedOf(shelf, "q"))).rejects.toThrow("did not give 3 scores");
  });
});
