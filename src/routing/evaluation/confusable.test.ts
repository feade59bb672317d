import { describe, expect, test } from "vitest";
import { sha256 } from "../../core/digest.ts";
import type { Match, Routed } from "../routed.ts";
import type { ShelfEntry } from "../shelf.ts";
import { findConfusable } from "./confusable.ts";
import type { MeasuredRouting } from "./golden.ts";

interface Scripted {
  readonly description: string;
  readonly body?: string;
}

type Found = readonly (readonly [entry: string, confidence: number, alike?: readonly string[]])[];

/** Routes by a script: which skills a description, or a sentence of one, leads to. */
function routingWith(skills: Readonly<Record<string, Scripted>>, script: (query: string) => Found): MeasuredRouting {
  const entries = Object.entries(skills).map(([id, { description, body = "" }]): [string, ShelfEntry] => {
    const digest = sha256(Buffer.from(description + body));
    return [id, { id, digest, name: id, description, trust: "untrusted" }];
  });
  return {
    entries: new Map(entries),
    index: { skills: entries.length, buildMs: null, loadMs: null, bytes: null },
    route: async (query) => routed(script(query)),
    wordsFor: () => [],
    bodyOf: (id) => skills[id]?.body ?? "",
  };
}

function routed(found: Found): Routed {
  const ranked = found.map(
    ([entry, confidence, alike = []]): Match => ({ entry, confidence, link: "", why: "", alike }),
  );
  const trace = {
    steps: [],
    stopped: "",
    likelihood: ranked[0]?.confidence ?? 0,
    ranked,
    thresholds: { accept: 0.9, margin: 0.1, floor: 0.5 },
  };
  return { matches: ranked, abstained: false, ambiguous: false, tied: Math.min(1, ranked.length), findings: [], trace };
}

const fill = {
  description: "Completes PDF forms with given values",
  body: "AcroForm checkboxes and AcroForm dropdowns",
};
const merge = { description: "Joins PDF documents in order", body: "bookmarks and bookmarks again" };
const cook = { description: "Scales recipes for more guests", body: "grams" };
const skills = { fill, merge, cook };

describe("RT-10: descriptions that cannot be told apart", () => {
  test("a description that leads to another skill makes a pair, with words that would tell them apart", async () => {
    const routing = routingWith(skills, (query) => {
      if (query === fill.description)
        return [
          ["merge", 0.8],
          ["fill", 0.7],
        ];
      return query === merge.description
        ? [
            ["merge", 0.9],
            ["fill", 0.2],
          ]
        : [["cook", 0.9]];
    });
    const { total, pairs } = await findConfusable(routing);
    expect(total).toBe(1);
    expect(pairs).toEqual([
      {
        skills: ["fill", "merge"],
        likeness: "similar",
        score: 0.5,
        count: 2,
        others: [],
        overlap: expect.any(Number),
        shared: ["pdf"],
        separating: [expect.arrayContaining(["acroform"]), expect.arrayContaining(["bookmarks"])],
      },
    ]);
  });

  test("too close to call counts, well apart does not", async () => {
    const near = routingWith(skills, (query) =>
      query === fill.description
        ? [
            ["fill", 0.85],
            ["merge", 0.8],
          ]
        : [],
    );
    expect((await findConfusable(near)).pairs).toMatchObject([{ skills: ["fill", "merge"], score: 0.5 }]);
    const apart = routingWith(skills, (query) =>
      query === fill.description
        ? [
            ["fill", 0.85],
            ["merge", 0.6],
          ]
        : [],
    );
    expect((await findConfusable(apart)).pairs).toEqual([]);
  });

  test("nearly the same words make a pair also where the bodies keep them apart", async () => {
    const words = "application forms, questionnaires and tax declarations as fillable PDF";
    const [first, second] = [{ description: `Completes ${words}` }, { description: `Prepares ${words}` }];
    const routing = routingWith({ first, second, cook }, (query) => {
      const [own, other] =
        query === first.description ? (["first", "second"] as const) : (["second", "first"] as const);
      return query === cook.description
        ? [
            ["cook", 0.9],
            ["first", 0.1],
          ]
        : [
            [own, 0.95],
            [other, 0.1],
          ];
    });
    const { pairs } = await findConfusable(routing);
    expect(pairs).toMatchObject([
      { skills: ["first", "second"], score: 0, shared: expect.arrayContaining(["forms", "tax"]) },
    ]);
    expect(pairs[0]?.overlap).toBeGreaterThan(0.5);
  });

  test("identical and near-identical ones are named as such, before all others", async () => {
    const copies = { fill, copy: fill, near: { description: "Completes PDF forms", body: "other" }, merge };
    const routing = routingWith(copies, (query) => {
      if (query === merge.description)
        return [
          ["fill", 0.9, ["near"]],
          ["merge", 0.8],
        ];
      return [["fill", 0.9, ["copy", "near"]]];
    });
    const { pairs } = await findConfusable(routing);
    const found = pairs.map(({ skills: [a, b], likeness }) => [a, b, likeness]);
    expect(found.slice(0, 2)).toEqual([
      ["copy", "fill", "identical"],
      ["fill", "near", "near-identical"],
    ]);
    expect(found).toContainEqual(["fill", "merge", "similar"]);
  });

  test("many copies of one skill do not hide a pair that a better description would mend", async () => {
    const copies = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`copy${at}`, fill]));
    const routing = routingWith({ ...copies, merge }, () => [
      ["copy5", 0.9],
      ["merge", 0.9],
    ]);
    const { counts, pairs } = await findConfusable(routing, { most: 2 });
    expect(counts).toEqual({ identical: 1, "near-identical": 0, similar: 1 });
    expect(pairs).toMatchObject([
      { likeness: "identical", skills: ["copy0", "copy1"], count: 9, others: Object.keys(copies).slice(2) },
      { likeness: "similar", skills: ["copy0", "merge"], count: 10, others: Object.keys(copies).slice(1) },
    ]);
  });

  test("many of nearly the same text are each held against the first, not every one against every other", async () => {
    const near = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`near${10 + at}`, { description: `Completes PDF forms, edition ${at}` }]),
    );
    const copies = Object.fromEntries(Object.entries(near).map(([id, skill]) => [`${id}-copy`, skill]));
    const [first = "", ...rest] = [...Object.keys(near), ...Object.keys(copies)];
    const routing = routingWith({ ...near, ...copies }, () => [[first, 0.9, rest]]);
    const { counts, pairs } = await findConfusable(routing);
    expect(counts).toEqual({ identical: 30, "near-identical": 29, similar: 0 });
    const found = pairs.filter(({ likeness }) => likeness === "near-identical");
    expect(found[0]).toMatchObject({ skills: ["near10", expect.any(String)], count: 4 });
    expect(found.every(({ skills: [a, b] }) => a === "near10" && !b.endsWith("-copy"))).toBe(true);
  });

  test("T26: among very many, each is asked for once, by the beginning of its description", async () => {
    const long = `${"Completes forms of all kinds. ".repeat(20)}Joins documents.`;
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, { description: `${at}. ${long}` }]));
    const asked = async (count: number) => {
      const queries: string[] = [];
      const ask = (query: string) => (queries.push(query), []);
      await findConfusable(routingWith(many(count), ask));
      return queries;
    };
    expect(await asked(1001)).toEqual(Object.values(many(1001)).map(({ description }) => description.slice(0, 400)));
    expect((await asked(2)).length).toBeGreaterThan(2);
  });

  test("sentences are asked by themselves: one of three that leads astray is a third of them", async () => {
    const long = {
      description: "Completes forms of all kinds. Joins documents in a given order. Prints them on paper.",
    };
    const routing = routingWith({ long, merge }, (query) =>
      query.startsWith("Joins documents in a")
        ? [
            ["merge", 0.9],
            ["long", 0.5],
          ]
        : [[query.startsWith("Joins PDF") ? "merge" : "long", 0.9]],
    );
    // Four queries of the long one, one of the other.
    expect((await findConfusable(routing)).pairs).toMatchObject([{ skills: ["long", "merge"], score: 0.2 }]);
  });

  test("the list is bounded, the count is not; skills are counted as they are looked at", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`s${at}`, { description: `Word${at} alone here` }]),
    );
    const routing = routingWith(many, () => Object.keys(many).map((id) => [id, 0.5] as const));
    const seen: number[] = [];
    const report = await findConfusable(routing, { most: 5, onProgress: (done) => seen.push(done) });
    expect([report.skills, report.pairs.length, report.total > 5]).toEqual([12, 5, true]);
    expect(seen.at(-1)).toBe(12);
  });

  test("T26: texts of any kind and length are looked at quickly", async () => {
    const odd = {
      a: { description: "把文档合并成一个文件", body: "a".repeat(300_000) },
      b: { description: "把文档拆分成多个文件", body: "\u0301".repeat(300_000) },
      c: { description: "🙂🙂🙂", body: "" },
    };
    const routing = routingWith(odd, () => [
      ["a", 0.9],
      ["b", 0.9],
      ["c", 0.9],
    ]);
    const { pairs } = await findConfusable(routing);
    expect(pairs.find(({ skills: [a, b] }) => a === "a" && b === "b")?.shared).toContain("文档");
  });
});
