import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../core/digest.ts";
import { decodeIndex, encodeIndex } from "./file.ts";
import type { Document, LexicalIndex } from "./lexical-index.ts";
import { createIndex, type SegmentedIndex, withChanges } from "./segmented-index.ts";
import { buildSegment, type Segment } from "./segment.ts";

function documentOf(name: string, description: string): Document {
  const declared = { kind: "host-knowledge", triggers: [`run ${name}`], aliases: [], paths: ["*.pdf"] } as const;
  return { digest: sha256(Buffer.from(name)), name, description, body: `# Use\n${description} twice.`, declared };
}

const documents = ["pdf-merge", "pdf-split", "terraform-review", "csv-cleaning"].map((name) =>
  documentOf(name, `Does what ${name.replace("-", " ")} says with files`),
);
const queries = ["merge a pdf", "terraform", "files", "clean csv"];

/** Two parts, and one document of the first is gone. */
function sample(): SegmentedIndex {
  const [first, second, third, fourth] = documents;
  if (!first || !second || !third || !fourth) throw new Error("too few");
  const index = createIndex([buildSegment([first, second, third])]);
  return withChanges(index, buildSegment([fourth]), new Set([second.digest]));
}

function bytesOf(index: SegmentedIndex): Buffer {
  return Buffer.concat([...encodeIndex(index)]);
}

function seenOf(index: LexicalIndex) {
  const digests = [...index.digests()];
  return {
    digests,
    declared: digests.map((digest) => index.declaredBy(digest)),
    likeness: digests.map((digest) => index.likeness(digest, digests[0] ?? "")),
    found: queries.map((query) => index.search(query, { limit: 10, allows: () => true })),
  };
}

function decoded(bytes: Uint8Array): SegmentedIndex {
  const index = decodeIndex(bytes);
  if ("fault" in index) throw new Error(index.fault);
  return index;
}

/** Puts a checksum that fits on bytes that were changed. */
function resealed(bytes: Buffer): Buffer {
  const content = bytes.subarray(0, -32);
  return Buffer.concat([content, createHash("sha256").update(content).digest()]);
}

describe("RT-6: the file of an index", () => {
  it("comes back as it was, whatever the bytes lie on", () => {
    const index = sample();
    const bytes = bytesOf(index);
    const moved = Buffer.alloc(bytes.length + 3);
    moved.set(bytes, 3);
    expect(seenOf(decoded(bytes))).toEqual(seenOf(index));
    expect(seenOf(decoded(moved.subarray(3)))).toEqual(seenOf(index));
    expect(bytesOf(decoded(bytes)).equals(bytes)).toBe(true);
  });

  it("can be changed further after it came back", () => {
    const [first, second] = documents;
    if (!first || !second) throw new Error("too few");
    const gone = new Set([first.digest]);
    const back = decoded(bytesOf(sample()));
    expect(seenOf(withChanges(back, buildSegment([second]), gone))).toEqual(
      seenOf(withChanges(sample(), buildSegment([second]), gone)),
    );
  });

  it("comes back when it is empty", () => {
    expect(decoded(bytesOf(createIndex([]))).size).toBe(0);
  });

  it("any byte that is changed is a fault", () => {
    const bytes = bytesOf(sample());
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      expect(decodeIndex(damaged)).toHaveProperty("fault");
    }
  });

  it("a file that is cut or goes on is a fault", () => {
    const bytes = bytesOf(sample());
    for (let length = 0; length < bytes.length; length += 13)
      expect(decodeIndex(bytes.subarray(0, length))).toHaveProperty("fault");
    expect(decodeIndex(Buffer.concat([bytes, Buffer.alloc(8)]))).toHaveProperty("fault");
  });

  it("T26: bytes with a fitting checksum are a fault, or an index that can be used", () => {
    const bytes = bytesOf(sample());
    const changes = fc.array(fc.tuple(fc.nat(bytes.length - 33), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(changes, (each) => {
        const hostile = Buffer.from(bytes);
        for (const [at, value] of each) hostile[at] = value;
        const index = decodeIndex(resealed(hostile));
        if ("fault" in index) return;
        const { found } = seenOf(index);
        for (const { score, confidence } of found.flat()) {
          expect(Number.isFinite(score)).toBe(true);
          expect(confidence >= 0 && confidence <= 1).toBe(true);
        }
      }),
      { numRuns: 3000, seed: 11 },
    );
  });

  it("T26: random bytes are a fault", () => {
    const random = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(random, fc.boolean(), (bytes, isOurs) => {
        const content = isOurs ? Buffer.concat([Buffer.from("skwd-idx"), bytes]) : Buffer.from(bytes);
        expect(decodeIndex(resealed(Buffer.concat([content, Buffer.alloc(32)])))).toHaveProperty("fault");
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  it.each([
    ["of another format", 12],
    ["of other tokens", 16],
    ["of other fields", 20],
    ["of the other byte order", 8],
  ])("a file %s is stale", (_, at) => {
    const bytes = bytesOf(sample());
    bytes.writeUInt32LE(bytes.readUInt32LE(at) + 1, at);
    expect(decodeIndex(resealed(bytes))).toEqual({ fault: "another version made it" });
  });

  it.each<[string, (segment: Segment) => Partial<Segment>]>([
    ["a document that is not there", ({ postings }) => ({ postings: postings.with(postings.length - 1, 9) })],
    ["documents out of order", ({ postings }) => ({ postings: postings.toReversed() })],
    ["a term that stands nowhere", ({ frequencies }) => ({ frequencies: frequencies.map(() => 0) })],
    ["terms out of order", ({ terms }) => ({ terms: terms.toReversed() })],
    ["digests out of order", ({ digests }) => ({ digests: digests.toReversed() })],
    ["starts that go back", ({ postingStarts }) => ({ postingStarts: postingStarts.with(1, 1_000_000) })],
    ["starts that end too soon", ({ surfaceStarts }) => ({ surfaceStarts: surfaceStarts.map(() => 0) })],
    ["a passage of terms that are not there", ({ surface }) => ({ surface: surface.map(() => 1_000_000) })],
    ["too few lengths", ({ lengths }) => ({ lengths: lengths.slice(1) })],
    ["too few signatures", ({ signatures }) => ({ signatures: signatures.slice(1) })],
    ["too few occurrences", ({ occurrences }) => ({ occurrences: occurrences.slice(1) })],
    ["too few frequencies", ({ frequencies }) => ({ frequencies: frequencies.slice(1) })],
    ["half a digest", ({ digests }) => ({ digests: digests.slice(16) })],
  ])("T26: %s is a fault, whatever the checksum", (_, change) => {
    const [part] = createIndex([buildSegment(documents)]).parts;
    if (part === undefined) throw new Error("no part");
    const forged = { ...part, segment: { ...part.segment, ...change(part.segment) } };
    expect(decodeIndex(bytesOf({ ...createIndex([]), parts: [forged] }))).toHaveProperty("fault");
  });

  it("a document that two parts have is a fault", () => {
    const [first] = documents;
    if (!first) throw new Error("too few");
    const part = createIndex([buildSegment([first])]).parts;
    const twice = Buffer.concat([...encodeIndex({ ...createIndex([]), parts: [...part, ...part] })]);
    expect(decodeIndex(twice)).toHaveProperty("fault");
  });
});
