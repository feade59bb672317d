import { describe, expect, it } from "vitest";
import { sha256 } from "../../core/digest.ts";
import type { Document } from "./lexical-index.ts";
import { createIndex, withChanges } from "./segmented-index.ts";
import { buildSegment } from "./segment.ts";

const topics = ["invoice", "kernel", "orchid", "violin", "glacier", "tariff", "sonnet", "pulsar", "saddle", "enzyme"];

/** So many that words are common, and the search stops looking for documents that have nothing else. */
const documents = Array.from({ length: 3_000 }, (_, at): Document => {
  const topic = topics[at % topics.length] ?? "";
  const other = topics[Math.floor(at / 10) % topics.length] ?? "";
  const name = `${topic}-${other}-${at}`;
  const description = `Handles one ${topic} ${at % 3 === 0 ? "quickly" : "slowly"} beside the ${other}.`;
  const declared = { kind: "tool", triggers: [], aliases: [], paths: [] } as const;
  return {
    digest: sha256(Buffer.from(name)),
    name,
    description,
    body: `Common words about ${other}.`.repeat(1 + (at % 4)),
    declared,
  };
});
const queries = [
  "violin glacier common words",
  "handles common words beside",
  "the orchid number 42 quickly",
  "pulsar",
];
const everything = { limit: 20, allows: () => true };

describe("RT-6: many documents", () => {
  const rebuilt = createIndex([buildSegment(documents)]);

  it("incremental equals full rebuild where common words are only added to what was found", () => {
    const gone = documents.filter((_, at) => at % 7 === 3);
    let index = createIndex([]);
    for (let at = 0; at < documents.length; at += 250)
      index = withChanges(index, buildSegment(documents.slice(at, at + 250)), new Set());
    expect(index.parts.length).toBeGreaterThan(1);
    expect(queries.map((query) => index.search(query, everything))).toEqual(
      queries.map((query) => rebuilt.search(query, everything)),
    );
    const removed = new Set(gone.map(({ digest }) => digest));
    const left = createIndex([buildSegment(documents.filter(({ digest }) => !removed.has(digest)))]);
    const fewer = withChanges(index, null, removed);
    expect(queries.map((query) => fewer.search(query, everything))).toEqual(
      queries.map((query) => left.search(query, everything)),
    );
  });

  it("finds those that are allowed, however few they are among the common ones", () => {
    const allowed = new Set(documents.filter((_, at) => at % 500 === 77).map(({ digest }) => digest));
    const found = rebuilt.search("handles common words beside", { limit: 20, allows: (digest) => allowed.has(digest) });
    expect(new Set(found.map(({ digest }) => digest))).toEqual(allowed);
  });
});
