import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import type { Files } from "../core/world.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { type MemoryEntry, memoryFiles } from "../testing/memory-files.ts";
import { readFolder } from "./folder.ts";
import type { OnProgress, ReadingEnd, ReadSkill } from "./reading.ts";
import type { SyncBounds } from "./schema.ts";

const enough: SyncBounds = { files: 1000, seconds: 120, bytes: 1_000_000 };
const skill = "---\nname: x\ndescription: What it does.\n---\nDo it.\n";

interface Reading extends ReadingEnd {
  readonly seen: readonly ReadSkill[];
  readonly progress: readonly string[];
}

async function read(
  tree: Readonly<Record<string, MemoryEntry>>,
  {
    bounds = {},
    files = memoryFiles(tree),
    tick = 0,
  }: { bounds?: Partial<SyncBounds>; files?: Files; tick?: number } = {},
): Promise<Reading> {
  const clock = fixedClock();
  const progress: string[] = [];
  const onProgress: OnProgress = ({ done, total }) => {
    progress.push(`${done}/${total}`);
    clock.advance(tick);
  };
  const reading = readFolder({ files, clock }, "/skills", { bounds: { ...enough, ...bounds }, onProgress });
  const seen: ReadSkill[] = [];
  for (let step = await reading.next(); ; step = await reading.next()) {
    if (step.done === true) return { ...step.value, seen, progress };
    seen.push(step.value);
  }
}

const paths = ({ seen }: Reading) => seen.map(({ path }) => path);
const codes = ({ findings }: Reading) => findings.map(({ code, at }) => `${code} ${at.file}`);

function four(): Record<string, string> {
  return Object.fromEntries(["a", "b", "c", "d"].map((name) => [`/skills/${name}/SKILL.md`, skill]));
}

describe("IN-13: reading a folder", () => {
  test("gives every skill with its path inside, its files and its digest", async () => {
    const reading = await read({
      "/skills/pdf/SKILL.md": skill,
      "/skills/pdf/references/notes.md": "notes\n",
      "/skills/deep/er/SKILL.md": skill,
      "/skills/README.md": "not a skill\n",
      "/skills/node_modules/x/SKILL.md": skill,
      "/skills/.git/x/SKILL.md": skill,
    });
    expect(paths(reading)).toEqual(["pdf", "deep/er"]);
    expect(reading.seen[0]?.bundle.files.map(({ path }) => path)).toEqual(["SKILL.md", "references/notes.md"]);
    expect(reading.seen.every(({ bundle }) => /^[0-9a-f]{64}$/.test(bundle.digest ?? ""))).toBe(true);
    expect(reading).toMatchObject({ files: 3, bytes: 2 * skill.length + 6, unvisited: [], findings: [] });
    expect(reading.progress).toEqual(["0/2", "1/2", "2/2"]);
  });

  test("a folder that is itself a skill has the empty path", async () => {
    expect(paths(await read({ "/skills/SKILL.md": skill, "/skills/notes.md": "x" }))).toEqual([""]);
    expect(paths(await read({ "/skills/SKILL.md": skill, "/skills/a/SKILL.md": skill }))).toEqual(["", "a"]);
  });

  test("an empty folder is an empty source; one that is not there, or a file, is an error (IN-21)", async () => {
    expect(await read({ "/skills": { kind: "folder" } })).toMatchObject({ seen: [], unvisited: [] });
    await expect(read({})).rejects.toMatchObject({ code: "path.missing" });
    await expect(read({ "/skills": "a file" })).rejects.toMatchObject({ code: "path.wrong-kind" });
    await expect(read({ "/skills": { kind: "link" } })).rejects.toMatchObject({ code: "path.wrong-kind" });
  });

  test("a link is not followed, and that is said with the path inside", async () => {
    const reading = await read({ "/skills/a/SKILL.md": skill, "/skills/b": { kind: "link" } });
    expect([paths(reading), codes(reading), reading.unvisited]).toEqual([["a"], ["walk.link b"], []]);
  });

  test("a SKILL.md that is no file is there, and has no digest", async () => {
    const { seen } = await read({ "/skills/a/SKILL.md": { kind: "link" } });
    expect(seen).toMatchObject([{ path: "a", bundle: { digest: null } }]);
  });
});

describe("IN-16: a bound", () => {
  test.each<[string, Partial<SyncBounds>, string[], RegExp]>([
    ["files", { files: 4 }, ["a", "b", "c", "d"], /^$/],
    ["bytes", { bytes: 2 * skill.length }, ["a", "b"], /more than \d+ bytes; 2 of 4 skills/],
    ["bytes, to the last one", { bytes: 4 * skill.length }, ["a", "b", "c", "d"], /^$/],
    ["bytes, one less", { bytes: 4 * skill.length - 1 }, ["a", "b", "c"], /3 of 4/],
  ])("%s: what fits is read, the rest is unvisited and said", async (_, bounds, fits, said) => {
    const reading = await read(four(), { bounds });
    expect(paths(reading)).toEqual(fits);
    expect(reading.unvisited).toEqual(["a", "b", "c", "d"].slice(fits.length));
    expect(reading.findings.map(({ message }) => message).join()).toMatch(said);
  });

  test("files: counted over all skills", async () => {
    const tree = { ...four(), "/skills/a/x": "", "/skills/b/x": "", "/skills/c/x": "" };
    const reading = await read(tree, { bounds: { files: 5 } });
    expect([paths(reading), reading.unvisited]).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(reading.findings[0]).toMatchObject({ code: "walk.bounds", level: "high" });
  });

  test("files: more skills than that hide whatever else there is", async () => {
    const reading = await read(four(), { bounds: { files: 3 } });
    expect(reading.unvisited).toContain("");
    expect(codes(reading)).toContain("walk.bounds d");
  });

  test("seconds: by the clock, between skills", async () => {
    const reading = await read(four(), { bounds: { seconds: 10 }, tick: 4000 });
    expect([paths(reading), reading.unvisited]).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(reading.findings[0]?.message).toMatch(/more than 10 seconds; 2 of 4/);
  });

  test("a skill that is broken by itself does not stop the others, however little is left", async () => {
    const tree = { ...four(), "/skills/b/SKILL.md": { kind: "link" } } as const;
    const reading = await read(tree, { bounds: { files: 4, bytes: 3 * skill.length } });
    expect([paths(reading), reading.unvisited]).toEqual([["a", "b", "c", "d"], []]);
  });

  test("a folder that cannot be listed hides what is below it, and nothing else", async () => {
    const tree = { ...four(), "/skills/z/one/SKILL.md": skill };
    const files = memoryFiles(tree);
    const list: Files["list"] = (path, max) =>
      path === "/skills/z" ? Promise.reject(new AppError("disk.failed", "permission denied")) : files.list(path, max);
    const reading = await read(tree, { files: { ...files, list } });
    expect([paths(reading), reading.unvisited]).toEqual([["a", "b", "c", "d"], ["z"]]);
    expect(codes(reading)).toEqual(["folder.unreadable z"]);
  });
});
