import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { openPool, poolChain, createPoolShelf } from "./pool-routing.ts";
import { readPool } from "./skill-pool.ts";

function skill(name: string, description: string, header = ""): string {
  return `---\nname: ${name}\ndescription: ${description}\n${header}---\n# ${name}\n\nBody of ${name}.\n`;
}

const tree = {
  "/a/pdf-merge/SKILL.md": skill("pdf-merge", "Joins PDF documents. Use to combine scans."),
  "/a/hidden/SKILL.md": skill("hidden", "Is not to be routed.", "disable-model-invocation: true\n"),
  "/a/broken/SKILL.md": "no header",
  "/b/pdf-merge/SKILL.md": skill("pdf-merge", "Joins PDF documents of the second folder."),
};

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const one = { id: "x:one", name: "one", description: "Bakes bread.", body: "Flour, water, salt." };

async function read(files: Readonly<Record<string, string | Uint8Array>>, ...places: string[]) {
  const notes: string[] = [];
  const skills = [];
  const world = { files: memoryFiles(files), clock: fixedClock() };
  for await (const each of readPool(world, places, (note) => notes.push(note))) skills.push(each);
  return { skills, notes, ids: skills.map(({ entry }) => entry.id) };
}

describe("RT-8: pools of skills", () => {
  test("folders: what can be routed to, each folder with ids of its own; what is left out is said", async () => {
    const { ids, notes, skills } = await read(tree, "/a", "/b");
    expect(ids).toEqual(["folder:pdf-merge", "folder-2:pdf-merge"]);
    expect(skills[0]).toMatchObject({
      entry: { name: "pdf-merge", trust: "untrusted" },
      document: { description: "Joins PDF documents. Use to combine scans.", declared: { kind: "tool" } },
    });
    expect(notes).toEqual([
      expect.stringMatching(/^folder:broken is left out: /),
      "folder:hidden is left out: it is not to be routed to",
    ]);
  });

  test("lines, packed or not; triggers as a list or as one text", async () => {
    const text =
      line(one) +
      line({ ...one, id: "x:two", triggers: ["bake", "bread"] }) +
      line({ ...one, id: "x:3", triggers: "bake" });
    const { ids, skills } = await read({ "/p.jsonl": text }, "/p.jsonl");
    expect(ids).toEqual(["x:one", "x:two", "x:3"]);
    expect(skills.map(({ document }) => document.declared.triggers)).toEqual([[], ["bake", "bread"], ["bake"]]);
    expect((await read({ "/p.jsonl.gz": gzipSync(text) }, "/p.jsonl.gz")).ids).toEqual(ids);
  });

  test("the same text is the same skill, whatever its id", async () => {
    const { skills } = await read(
      { "/p.jsonl": line(one) + line({ ...one, id: "y" }) + line({ ...one, id: "z", body: "?" }) },
      "/p.jsonl",
    );
    const [a, b, c] = skills.map(({ entry }) => entry.digest);
    expect([a === b, a === c]).toEqual([true, false]);
  });

  test("an id that comes twice: the first counts, and it is said", async () => {
    const { ids, notes, skills } = await read({ "/p.jsonl": line(one) + line({ ...one, name: "later" }) }, "/p.jsonl");
    expect([ids, skills[0]?.entry.name]).toEqual([["x:one"], "one"]);
    expect(notes).toEqual(["/p.jsonl: the id x:one was there before; the first one counts"]);
  });

  test.each([
    ["no JSON", "{", "is not JSON"],
    ["no id", line({ ...one, id: "" }), "id: expected 1 to 1024 characters"],
    ["a long id", line({ ...one, id: "i".repeat(1025) }), "id: expected a text of at most 1024"],
    ["no body", line({ ...one, body: undefined }), "body: expected a text"],
    ["a description that is no text", line({ ...one, description: 7 }), "description: expected a text"],
    ["triggers that are no texts", line({ ...one, triggers: [7] }), "triggers: expected texts"],
    [
      "too many triggers",
      line({ ...one, triggers: Array.from({ length: 257 }, () => "t") }),
      "triggers: expected at most 256",
    ],
  ])("a line with %s is refused by its number", async (_, bad, why) => {
    const reading = read({ "/p.jsonl": line(one) + bad }, "/p.jsonl");
    await expect(reading).rejects.toMatchObject({
      code: "usage.invalid",
      message: expect.stringContaining("/p.jsonl:2 "),
    });
    await expect(reading).rejects.toThrow(why);
  });

  test("nothing to choose among is an error; so is what must be unpacked first, one skill's file, and what is not there", async () => {
    await expect(read({ "/p.jsonl": "\n" }, "/p.jsonl")).rejects.toThrow("has no skills in it");
    await expect(read({ "/p.jsonl.xz": "" }, "/p.jsonl.xz")).rejects.toThrow(
      "unpack it first: xz -dc p.jsonl.xz > p.jsonl",
    );
    await expect(read(tree, "/a/pdf-merge/SKILL.md")).rejects.toMatchObject({
      code: "usage.invalid",
      message: expect.stringContaining("/a/pdf-merge/SKILL.md is the file of one skill: name the folder that holds it"),
    });
    await expect(read({}, "/none")).rejects.toMatchObject({ code: "path.missing" });
  });
});

describe("RT-1: routing over a pool", () => {
  const stopwatch = fixedClock();
  const timer = { after: async () => {}, every: () => ({ stop: () => {} }) };
  const chain = poolChain({ stopwatch, timer });

  test("the skill that fits is found, its copies are one match", async () => {
    const bread = { name: "bread", description: "Bakes sourdough bread.", body: "Flour, water, salt." };
    const files = memoryFiles({
      "/p.jsonl":
        ["a", "b"].map((id) => line({ id, ...bread })).join("") +
        line({ id: "c", name: "knots", description: "Ties knots.", body: "Rope." }),
    });
    const world = { files, clock: stopwatch, stopwatch };
    const pool = await openPool(world, ["/p.jsonl"], { onNote: () => {} });
    const { trace } = await chain.route(pool.shelf, "sourdough bread with more salt", {});
    expect(trace.ranked[0]).toMatchObject({ entry: "a", alike: ["b"] });
    expect(pool.bodyOf("c")).toBe("Rope.");
    expect(pool.cost()).toMatchObject({ buildMs: 0, loadMs: 0, bytes: expect.any(Number) });
  });

  test("skills at hand: two of one id are refused", () => {
    const skills = [{ ...one }, { ...one }];
    expect(() => createPoolShelf({ stopwatch }, skills)).toThrow("two skills have the id x:one");
    expect(createPoolShelf({ stopwatch }, skills.slice(1)).shelf.entries.size).toBe(1);
  });
});
