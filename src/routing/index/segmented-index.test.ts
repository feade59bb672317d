import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../core/digest.ts";
import type { Document, Found, LexicalIndex } from "./lexical-index.ts";
import { createIndex, type SegmentedIndex, withChanges } from "./segmented-index.ts";
import { mergeParts } from "./merge.ts";
import { buildSegment } from "./segment.ts";

const words =
  "pdf merge split table chart deploy cluster terraform drift git commit review the of 文件 转换 Größe".split(" ");
const nothing = { kind: "tool", triggers: [], aliases: [], paths: [] } as const;

function documentOf(name: string, description: string, body = "", declared: Document["declared"] = nothing): Document {
  return {
    digest: sha256(Buffer.from(JSON.stringify([name, description, body, declared]))),
    name,
    description,
    body,
    declared,
  };
}

const text = (most: number) => fc.array(fc.constantFrom(...words), { maxLength: most }).map((each) => each.join(" "));
const document = fc
  .record({ name: text(3), description: text(8), body: text(30), triggers: fc.array(text(3), { maxLength: 2 }) })
  .map(({ name, description, body, triggers }) =>
    documentOf(name, description, `# Use\n${body}`, { ...nothing, triggers }),
  );
const query = text(5);

const everything = { limit: 10, allows: () => true };

/** All that can be seen of an index. */
function seenOf(index: LexicalIndex, queries: readonly string[]) {
  const digests = [...index.digests()].toSorted();
  return {
    size: index.size,
    digests,
    declared: digests.map((digest) => index.declaredBy(digest)),
    likeness: digests.map((digest) => index.likeness(digest, digests[0] ?? "")),
    found: queries.map((each) => index.search(each, everything)),
  };
}

/** Adds and removes as told, and merges now and then. */
const change = fc.record({
  add: fc.array(document, { maxLength: 6 }),
  remove: fc.array(fc.nat(40), { maxLength: 4 }),
  merge: fc.boolean(),
});

function changed(
  index: SegmentedIndex,
  there: Map<string, Document>,
  { add, remove, merge }: typeof change extends fc.Arbitrary<infer Change> ? Change : never,
) {
  const digests = [...there.keys()];
  const removed = new Set(remove.flatMap((at) => digests[at] ?? []));
  for (const digest of removed) there.delete(digest);
  for (const each of add) there.set(each.digest, each);
  const next = withChanges(index, add.length === 0 ? null : buildSegment(add), removed);
  return merge ? createIndex([mergeParts(next.parts)]) : next;
}

describe("RT-6: an index that changes", () => {
  it("incremental equals full rebuild, to the last bit", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 14 }), fc.array(query, { maxLength: 4 }), (changes, queries) => {
        const there = new Map<string, Document>();
        const incremental = changes.reduce((index, each) => changed(index, there, each), createIndex([]));
        const rebuilt = createIndex([buildSegment([...there.values()])]);
        expect(seenOf(incremental, queries)).toEqual(seenOf(rebuilt, queries));
        expect(mergeParts(incremental.parts)).toEqual(buildSegment([...there.values()]));
      }),
      { numRuns: 200, seed: 42 },
    );
  });

  it("does not depend on the order of insertion", () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 20 }), fc.nat(), query, (documents, turn, asked) => {
        const turned = documents.toSorted((one, other) => order(one, turn) - order(other, turn));
        expect(buildSegment(turned)).toEqual(buildSegment(documents));
        const oneByOne = turned.reduce(
          (index, each) => withChanges(index, buildSegment([each]), new Set()),
          createIndex([]),
        );
        expect(seenOf(oneByOne, [asked])).toEqual(seenOf(createIndex([buildSegment(documents)]), [asked]));
      }),
      { numRuns: 100, seed: 42 },
    );
  });

  it("leaves the former index as it was", () => {
    const [first, second] = [documentOf("pdf-merge", "Merges PDF files"), documentOf("pdf-split", "Splits PDF files")];
    const before = createIndex([buildSegment([first])]);
    const seen = seenOf(before, ["pdf"]);
    const after = withChanges(before, buildSegment([second]), new Set([first.digest]));
    expect(seenOf(before, ["pdf"])).toEqual(seen);
    expect([...after.digests()]).toEqual([second.digest]);
    expect(after.declaredBy(first.digest)).toBeUndefined();
  });

  it("keeps the number of parts small, however many changes come", () => {
    let index = createIndex([]);
    for (let at = 0; at < 100; at++)
      index = withChanges(index, buildSegment([documentOf(`skill-${at}`, "Does it")]), new Set());
    expect(index.size).toBe(100);
    expect(index.parts.length).toBeLessThanOrEqual(9);
  });

  it("has a document once, however often it comes", () => {
    const pdf = documentOf("pdf", "Reads PDF files");
    const index = createIndex([buildSegment([pdf, pdf]), buildSegment([pdf])]);
    expect([...index.digests()]).toEqual([pdf.digest]);
    expect(index.search("pdf", everything)).toHaveLength(1);
  });
});

function order({ digest }: Document, turn: number): number {
  return (Number.parseInt(digest.slice(0, 8), 16) * (turn + 1)) % 1009;
}

describe("RT-2: searching", () => {
  const shelf = [
    documentOf(
      "terraform-review",
      "Reviews Terraform plans and finds drift",
      "# Drift\nCompare the state with the plan.",
    ),
    documentOf("pdf-merge", "Merges PDF files", "Use qpdf to merge."),
    documentOf("sourdough", "Bakes bread", "Flour, water, salt.", {
      ...nothing,
      triggers: ["feed the starter"],
      aliases: ["levain"],
    }),
    documentOf("文件转换", "把文件转换成PDF格式"),
  ];
  const index = createIndex([buildSegment(shelf)]);
  const first = (asked: string): Found | undefined => index.search(asked, everything)[0];
  const digestOf = (name: string) => shelf.find((each) => each.name === name)?.digest;

  it.each([
    ["by its name", "terraform review", "terraform-review"],
    ["by other forms of its words", "reviewing a planned drift", "terraform-review"],
    ["by a declared trigger", "I have to feed my starter", "sourdough"],
    ["by a declared alias", "levain", "sourdough"],
    ["in Chinese", "怎么转换文件？", "文件转换"],
    ["among signs", "^(merge|split)\\s+pdf.*$", "pdf-merge"],
  ])("finds a skill %s", (_, asked, name) => {
    expect(first(asked)?.digest).toBe(digestOf(name));
  });

  it("names the words as they were asked, the rarest first, with their fields", () => {
    const found = first("Does the DRIFT break my Terraform files?");
    expect(found?.digest).toBe(digestOf("terraform-review"));
    expect(found?.words.map(({ word }) => word)).toEqual(expect.arrayContaining(["DRIFT", "Terraform"]));
    expect(found?.words.find(({ word }) => word === "DRIFT")?.fields).toEqual(["description", "headings"]);
  });

  it.each([
    ["nothing", ""],
    ["spaces", " \n\t"],
    ["emoji", "🎉🎉🔥"],
    ["control characters", "\u0000\u0001\u202e\u200b"],
    ["half a pair", "\ud83d"],
    ["words that nobody has", "qwertz yxcvb"],
  ])("finds nothing by %s", (_, asked) => {
    expect(index.search(asked, everything)).toEqual([]);
  });

  it("reads stop words when there are no others", () => {
    expect(index.search("the and of", everything).map(({ digest }) => digest)).toContain(digestOf("terraform-review"));
  });

  it("finds nothing in an empty index", () => {
    expect(createIndex([]).search("pdf", everything)).toEqual([]);
    expect(createIndex([buildSegment([])]).search("pdf", everything)).toEqual([]);
  });

  it("T26: reads only the beginning of a query of a megabyte", () => {
    const asked = `merge pdf ${"word ".repeat(200_000)} terraform`;
    const found = index.search(asked, everything);
    expect(found[0]?.digest).toBe(digestOf("pdf-merge"));
    expect(found.some(({ digest }) => digest === digestOf("terraform-review"))).toBe(false);
  });

  it("gives no more than asked, and only what is allowed", () => {
    expect(index.search("pdf files", { limit: 1, allows: () => true })).toHaveLength(1);
    expect(index.search("pdf files", { limit: 0, allows: () => true })).toEqual([]);
    const others = index.search("pdf files", { limit: 10, allows: (digest) => digest !== digestOf("pdf-merge") });
    expect(others.map(({ digest }) => digest)).toEqual([digestOf("文件转换")]);
  });

  it("asks once for each document, and for none that was not found", () => {
    const asked: string[] = [];
    index.search("pdf", { limit: 1, allows: (digest) => asked.push(digest) > 0 });
    expect(new Set(asked)).toEqual(new Set([digestOf("pdf-merge"), digestOf("文件转换")]));
    expect(asked).toHaveLength(2);
  });

  it("can be asked again while it asks", () => {
    const once = index.search("pdf files", everything);
    const nested = index.search("pdf files", {
      limit: 10,
      allows: () => index.search("terraform bread", everything).length > 0,
    });
    expect(nested).toEqual(once);
  });

  it("gives confidences from 0 to 1 and descending scores", () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 12 }), query, (documents, asked) => {
        const found = createIndex([buildSegment(documents)]).search(asked, everything);
        for (const { confidence } of found) expect(confidence >= 0 && confidence <= 1).toBe(true);
        expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a));
      }),
      { numRuns: 200, seed: 42 },
    );
  });

  it.each([
    ["200 of them, each once", (word: string) => Array.from({ length: 197 }, (_, at) => `${word}${letters(at)}`)],
    ["one of them 200 times", (word: string) => Array.from({ length: 197 }, () => word)],
  ])("T32: keywords in a description do not beat the skill that is about it: %s", (_, others) => {
    const stuffed = ["pdf", "terraform"].map((word) =>
      documentOf(
        `best-${word}`,
        ["merge", "terraform", "pdf", "drift", "files", ...others(word)].join(", "),
        "Ask it anything.",
      ),
    );
    const all = createIndex([buildSegment([...shelf, ...stuffed])]);
    expect(all.search("merge pdf files", everything)[0]?.digest).toBe(digestOf("pdf-merge"));
    expect(all.search("terraform drift", everything)[0]?.digest).toBe(digestOf("terraform-review"));
  });
});

it("T32: a phrase that a description repeats counts as if it came twice", () => {
  const merge = documentOf("pdf-merge", "Merges PDF files", "Use qpdf to merge.");
  const stuffed = documentOf("best-skill", "merge pdf files ".repeat(67), "Ask it anything.");
  const others = ["sourdough", "terraform", "meeting"].map((name) => documentOf(name, `About ${name}`));
  const index = createIndex([buildSegment([merge, stuffed, ...others])]);
  expect(index.search("combine pdf files", everything)[0]?.digest).toBe(merge.digest);
});

describe("likeness", () => {
  const said = Array.from({ length: 400 }, (_, at) => `word${letters((at * 7919) % 997)}`);
  const [own, other] = [
    documentOf("one", "First", said.join(" ")),
    documentOf("two", "Second", said.toReversed().join(" ")),
  ];
  const revised = documentOf("one", "First", said.with(200, "another").join(" "));
  const index = createIndex([buildSegment([own, other]), buildSegment([revised])]);

  it("is 1 for the same words in the same order, and next to 0 for other ones", () => {
    const same = { ...own, digest: sha256(Buffer.from("same words")) };
    expect(withChanges(index, buildSegment([same]), new Set()).likeness(own.digest, same.digest)).toBe(1);
    expect(index.likeness(own.digest, own.digest)).toBe(1);
    expect(index.likeness(own.digest, other.digest)).toBeLessThan(0.1);
  });

  it("is high where little was changed, and the same both ways", () => {
    expect(index.likeness(own.digest, revised.digest)).toBeGreaterThan(0.85);
    expect(index.likeness(own.digest, revised.digest)).toBe(index.likeness(revised.digest, own.digest));
  });

  it("is 0 with a document that is not there", () => {
    expect(index.likeness(own.digest, "0".repeat(64))).toBe(0);
    expect(index.likeness(own.digest, "no digest")).toBe(0);
  });
});

/** Digits are parts of a word by themselves: these have none. */
function letters(number: number): string {
  return number.toString().replace(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
}
