import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../core/digest.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import type { ShelfEntry } from "../../routing/shelf.ts";
import { readGolden } from "./golden.ts";

function entry(id: string, name: string, text = id): [string, ShelfEntry] {
  return [id, { id, digest: sha256(Buffer.from(text)), name, description: text, trust: "untrusted" }];
}

const entries = new Map([
  entry("folder:pdf", "pdf-merge"),
  entry("folder:ssh", "ssh-keys"),
  entry("one:backup", "backup"),
  entry("two:backup", "backup"),
  entry("one:same", "same", "the same bytes"),
  entry("two:same", "same", "the same bytes"),
]);

function read(content: string | Uint8Array, path = "/g.jsonl") {
  return readGolden(memoryFiles({ [path]: content }), path, entries);
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

describe("RT-8: golden files", () => {
  test("ids, names in any case, lists, null and `not`; kind, note and place are kept", async () => {
    const golden = await read(
      lines(
        { query: "a", expected: "folder:pdf" },
        { query: "b", expected: ["SSH-Keys", "one:backup"], kind: "long", note: "a remark" },
        { query: "c", expected: null, unknown: 1 },
        { query: "d", not: ["pdf-merge"] },
      ),
    );
    expect(golden).toEqual([
      {
        query: "a",
        wanted: { is: "one-of", entries: new Set(["folder:pdf"]) },
        kind: null,
        note: null,
        at: "g.jsonl:1",
      },
      {
        query: "b",
        wanted: { is: "one-of", entries: new Set(["folder:ssh", "one:backup"]) },
        kind: "long",
        note: "a remark",
        at: "g.jsonl:2",
      },
      { query: "c", wanted: { is: "none" }, kind: null, note: null, at: "g.jsonl:3" },
      { query: "d", wanted: { is: "not", entries: new Set(["folder:pdf"]) }, kind: null, note: null, at: "g.jsonl:4" },
    ]);
  });

  test("a name that several have is one skill only where their bytes are the same", async () => {
    const [same] = await read(lines({ query: "a", expected: "same" }));
    expect(same?.wanted).toEqual({ is: "one-of", entries: new Set(["one:same", "two:same"]) });
    await expect(read(lines({ query: "a", expected: "backup" }))).rejects.toThrow(
      '/g.jsonl:1 expected: 2 different skills are named "backup"; name one by its id: one:backup, two:backup',
    );
  });

  test("packed is read as unpacked; .xz says what to do", async () => {
    const content = lines({ query: "a", expected: "folder:pdf" });
    expect(await read(gzipSync(content), "/g.jsonl.gz")).toHaveLength(1);
    await expect(read("", "/g.jsonl.xz")).rejects.toThrow("unpack it first: xz -dc g.jsonl.xz > g.jsonl");
  });

  test.each([
    ["no JSON", "{", "is not JSON in UTF-8"],
    ["no object", "7", "expected { "],
    ["no query", lines({ expected: null }), "query: expected 1 to"],
    ["an empty query", lines({ query: " ", expected: null }), "query: expected 1 to"],
    ["a query of 1 MB", lines({ query: "a".repeat(1e6), expected: null }), "query: expected 1 to"],
    ["neither", lines({ query: "a" }), 'has neither "expected" nor "not": give one'],
    ["both", lines({ query: "a", expected: null, not: ["pdf-merge"] }), 'has both "expected" and "not": give one'],
    ["an empty list", lines({ query: "a", expected: [] }), "expected: an empty list; null says that no skill fits"],
    ["an empty not", lines({ query: "a", not: [] }), "not: an empty list"],
    ["not: null", lines({ query: "a", not: null }), "not: expected the id or name"],
    ["a number", lines({ query: "a", expected: 7 }), "expected: expected the id or name"],
    ["an empty name", lines({ query: "a", expected: "" }), "expected: expected the id or name"],
    ["an unknown name", lines({ query: "a", expected: "pdf-merg" }), 'no skill "pdf-merg" among the 6'],
    ["an unknown not", lines({ query: "a", not: ["nobody"] }), 'not: no skill "nobody" among the 6'],
    ["a name of Object", lines({ query: "a", expected: "constructor" }), 'no skill "constructor"'],
    ["a long kind", lines({ query: "a", expected: null, kind: "k".repeat(33) }), "kind: expected a text of at most 32"],
    ["a kind that is no text", lines({ query: "a", expected: null, kind: 7 }), "kind: expected a text"],
  ])("a line with %s is refused by its number, never counted as right", async (_, line, why) => {
    const reading = read(lines({ query: "a", expected: null }) + line);
    await expect(reading).rejects.toMatchObject({ code: "usage.invalid" });
    await expect(reading).rejects.toThrow("/g.jsonl:2 ");
    await expect(reading).rejects.toThrow(why);
  });

  test("an unknown name comes with the nearest", async () => {
    await expect(read(lines({ query: "a", expected: "pdf-merg" }))).rejects.toThrow("did you mean pdf-merge?");
  });

  test("an empty file is no result", async () => {
    await expect(read("\n")).rejects.toThrow("has no queries in it");
  });
});
