import { describe, expect, it } from "vitest";
import { chainOf, fakeIndex, shelfOf } from "../../../test/support/route-room.ts";
import { buildSegment } from "../index/segment.ts";
import type { Document, Found } from "../index/lexical-index.ts";
import { createIndex } from "../index/segmented-index.ts";
import { lexicalLink } from "./lexical.ts";

const realIndex = (documents: readonly Document[]) => createIndex([buildSegment(documents)]);

function finding(found: readonly Partial<Found>[]) {
  return (documents: readonly Document[]) => ({
    ...fakeIndex(documents),
    search: () =>
      found.map((each, at) => ({ digest: documents[at]?.digest ?? "", score: 1, confidence: 0.5, words: [], ...each })),
    likeness: () => 0,
  });
}

describe("RT-2: the lexical link", () => {
  const stock = [
    { id: "a:drift", name: "terraform-drift", description: "Finds drift between the plan and what is there." },
    { id: "a:poster", name: "poster", description: "Prints posters in colour." },
    { id: "b:drift", name: "terraform-drift", description: "Finds drift between the plan and what is there." },
  ];

  it("finds words in texts, and says which in which field", async () => {
    const { trace } = await chainOf([lexicalLink]).route(shelfOf(stock, realIndex), "is there terraform drift", {});
    expect(trace.ranked[0]).toMatchObject({ entry: "a:drift", link: "lexical", alike: ["b:drift"] });
    expect(trace.ranked[0]?.why).toMatch(/^words "(?:terraform|drift)" \(name(?:, description)?\), "/);
    expect(trace.ranked.map(({ entry }) => entry)).not.toContain("a:poster");
  });

  it("RT-5: of identical skills, names those that may be chosen", async () => {
    const { trace } = await chainOf([lexicalLink]).route(shelfOf(stock, realIndex), "terraform drift", {
      among: new Set(["b:drift", "a:poster"]),
    });
    expect(trace.ranked).toMatchObject([{ entry: "b:drift", alike: [] }]);
  });

  it("keeps the order of the index where confidences do not tell apart", async () => {
    const index = finding([
      { score: 9, confidence: 0.4 },
      { score: 8, confidence: 0.4 },
      { score: 7, confidence: 0.6 },
      { score: 7, confidence: 0.1 },
    ]);
    const shelf = shelfOf(
      ["z:1", "y:2", "x:3", "w:4"].map((id) => ({ id })),
      index,
    );
    const { trace } = await chainOf([lexicalLink]).route(shelf, "query", {});
    expect(trace.ranked.map(({ entry }) => entry)).toEqual(["z:1", "y:2", "x:3", "w:4"]);
    expect(trace.ranked.map(({ confidence }) => Number(confidence.toFixed(4)))).toEqual([0.4, 0.4, 0.4, 0.1]);
  });

  it("shows few words, cut and made safe", async () => {
    const words = Array.from({ length: 8 }, (_, at) => ({
      word: `${at}\u202e${"w".repeat(100)}`,
      fields: ["body", "name"],
    }));
    const shelf = shelfOf([{ id: "a:x" }], finding([{ words }]));
    const { matches } = await chainOf([lexicalLink]).route(shelf, "query", {});
    expect(matches[0]?.why.length).toBeLessThanOrEqual(300);
    expect(matches[0]?.why).toContain('words "0\\u{202e}www');
  });

  it("names ten of a hundred identical skills, the most trusted", async () => {
    const copies = Array.from({ length: 100 }, (_, at) => ({
      id: `s:${at}`,
      name: "copy",
      trust: at === 99 ? ("first_party" as const) : ("community" as const),
    }));
    const { matches } = await chainOf([lexicalLink]).route(shelfOf(copies), "copy", {});
    expect(matches).toHaveLength(1);
    expect(matches[0]).toMatchObject({ entry: "s:99" });
    expect(matches[0]?.alike).toHaveLength(9);
  });
});

describe("T32: baiting", () => {
  const honest = {
    id: "z:invoices",
    name: "invoice-reader",
    description: "Reads invoices and puts their totals into a spreadsheet. Use when an invoice has to be booked.",
    body: "# Invoices\n\nOpen the invoice, read the total and the due date, write both to the spreadsheet.",
    trust: "verified",
  } as const;
  const query = "put the totals of these invoices into a spreadsheet";

  it("200 keywords in a description do not win against the skill that is about it", async () => {
    const keywords = Array.from({ length: 195 }, (_, at) => `keyword${at}`);
    const description = [...keywords, "invoices", "totals", "spreadsheet", "put", "these"].join(" ");
    const bait = { ...honest, id: "a:bait", name: "do-everything", description, body: "" };
    const others = ["poster", "tides", "harbour", "bread", "wind"].map((name) => ({ id: `m:${name}`, name }));
    const { trace } = await chainOf([lexicalLink]).route(shelfOf([bait, ...others, honest], realIndex), query, {});
    expect(trace.ranked[0]?.entry).toBe("z:invoices");
  });

  it("a look-alike at lower trust does not take the place of the trusted one, even with a word more", async () => {
    const same = { ...honest, id: "a:copy", trust: "untrusted" } as const;
    const more = { ...same, id: "a:more", body: `${honest.body} Put these totals.` } as const;
    for (const copy of [same, more]) {
      const { matches, ambiguous } = await chainOf([lexicalLink]).route(shelfOf([copy, honest], realIndex), query, {
        thresholds: { floor: 0 },
      });
      expect(matches).toMatchObject([{ entry: "z:invoices", alike: [copy.id] }]);
      expect(ambiguous).toBe(false);
    }
  });
});
