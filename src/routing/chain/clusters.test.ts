import { describe, expect, it } from "vitest";
import { chainOf, fakeIndex, link, shelfOf, usual } from "../../../test/support/route-room.ts";
import type { Document } from "../index/lexical-index.ts";
import { createIndex } from "../index/segmented-index.ts";
import { buildSegment } from "../index/segment.ts";

const body = Array.from({ length: 120 }, (_, at) => `step ${at} does thing${at * 7}`).join(". ");

describe("clusters", () => {
  it("identical bytes are one match, and never ambiguous", async () => {
    const shelf = shelfOf(["c:x", "a:x", "b:x"].map((id) => ({ id, name: "same" })));
    const { matches, ambiguous, trace } = await chainOf([
      link("first", { "c:x": 0.95, "a:x": 0.95, "b:x": 0.95 }),
      link("second", {}),
    ]).route(shelf, "query", {});
    expect(matches).toEqual([
      { entry: "a:x", confidence: 0.95, link: "first", why: "said 0.95", alike: ["b:x", "c:x"] },
    ]);
    expect([ambiguous, trace.steps.length]).toEqual([false, 1]);
  });

  it("nearly identical texts are one match, by the index that is used", async () => {
    const shelf = shelfOf(
      [
        { id: "a:x", name: "one", description: "About this.", body },
        { id: "b:x", name: "two", description: "About this.", body: `${body}. And one thing more.` },
        {
          id: "c:x",
          name: "three",
          description: "About that.",
          body: body.replaceAll("does", "is").replaceAll("step", "part"),
        },
      ],
      (documents) => createIndex([buildSegment(documents)]),
    );
    const { matches, ambiguous } = await chainOf([link("first", { "a:x": 0.6, "b:x": 0.62, "c:x": 0.5 })]).route(
      shelf,
      "query",
      {},
    );
    expect(matches.map(({ entry, alike }) => [entry, alike])).toEqual([
      ["b:x", ["a:x"]],
      ["c:x", []],
    ]);
    expect(ambiguous).toBe(false);
  });

  const twins = [
    { id: "a:copy", name: "same", trust: "untrusted" },
    { id: "z:original", name: "same", trust: "verified" },
  ] as const;

  it("T32: the most trusted of those too close to call speaks, with the confidence of the strongest", async () => {
    const said = link("first", { "a:copy": 0.68, "z:original": 0.6 });
    const { matches } = await chainOf([said]).route(shelfOf(twins), "query", {});
    expect(matches).toMatchObject([{ entry: "z:original", confidence: 0.68, why: "said 0.6", alike: ["a:copy"] }]);
  });

  it("one that is clearly meant speaks for itself", async () => {
    const said = link("first", { "a:copy": 0.8, "z:original": 0.6 });
    const { matches } = await chainOf([said]).route(shelfOf(twins), "query", {});
    expect(matches).toMatchObject([{ entry: "a:copy", confidence: 0.8, alike: ["z:original"] }]);
  });

  it("a judge is shown one of each, and its word is for all of them", async () => {
    const shelf = shelfOf([...twins, { id: "m:other", name: "other" }]);
    const finder = link("finder", { "a:copy": 0.6, "z:original": 0.5, "m:other": 0.55 });
    const shown: string[] = [];
    const judge = (said: Readonly<Record<string, number>>) =>
      link(
        "judge",
        ({ soFar }) => {
          shown.push(...soFar.map(({ entry }) => entry));
          return Object.entries(said).map(([entry, confidence]) => ({ entry, confidence, why: "judged" }));
        },
        { role: "judges" },
      );
    const taken = await chainOf([finder, judge({ "a:copy": 0.9 })]).route(shelf, "query", {});
    expect(shown).toEqual(["a:copy", "m:other"]);
    expect(taken.matches).toMatchObject([{ entry: "a:copy", confidence: 0.9, link: "judge", alike: ["z:original"] }]);
    const aside = await chainOf([finder, judge({ "m:other": 0.9 })]).route(shelf, "query", {});
    expect(aside.matches).toMatchObject([{ entry: "m:other", alike: [] }]);
    expect(aside.trace.ranked.at(-1)).toMatchObject({ confidence: 0, alike: ["z:original"] });
  });

  it("compares few: what a query finds a thousand of costs no million comparisons", async () => {
    let compared = 0;
    const counting = (documents: readonly Document[]) => ({
      ...fakeIndex(documents),
      likeness: () => (compared++, 0),
    });
    const shelf = shelfOf(
      Array.from({ length: 1000 }, (_, at) => ({ id: `s:${at}` })),
      counting,
    );
    const said = Object.fromEntries([...shelf.entries.keys()].map((id, at) => [id, at / 1000]));
    const { trace } = await chainOf([link("first", said)], usual).route(shelf, "query", {});
    expect(trace.ranked).toHaveLength(1000);
    expect(compared).toBeLessThan(200);
  });
});
