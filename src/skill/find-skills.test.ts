import { describe, expect, test } from "vitest";
import { limits } from "../core/limits.ts";
import type { Files } from "../core/world.ts";
import { memoryFiles } from "../testing/memory-files.ts";
import { findSkills } from "./find-skills.ts";

const found = async (files: Files, bounds = limits.walk) => {
  const { folders, findings } = await findSkills(files, "/r", bounds);
  return { skills: folders.map(({ path, role }) => `${path} ${role}`), codes: findings.map(({ code }) => code) };
};

describe("SK-11: finding skills", () => {
  test("a folder with SKILL.md is a leaf", async () => {
    const files = memoryFiles({ "/r/a/SKILL.md": "", "/r/a/sub/SKILL.md": "", "/r/deep/b/SKILL.md": "" });
    expect(await found(files)).toEqual({ skills: ["/r/a leaf", "/r/deep/b leaf"], codes: [] });
  });

  test("the root of a source does not end the walk; its own folders are not searched", async () => {
    const files = memoryFiles({
      "/r/SKILL.md": "",
      "/r/scripts/x/SKILL.md": "",
      "/r/references/SKILL.md": "",
      "/r/skills/b/SKILL.md": "",
    });
    expect((await found(files)).skills).toEqual(["/r root", "/r/skills/b leaf"]);
  });

  test("a folder that is one skill is that skill with all its files", async () => {
    expect((await found(memoryFiles({ "/r/SKILL.md": "", "/r/notes.md": "" }))).skills).toEqual(["/r leaf"]);
  });

  test("links, .git and node_modules are not walked", async () => {
    const files = memoryFiles({
      "/r/.git/SKILL.md": "",
      "/r/node_modules/p/SKILL.md": "",
      "/r/link": { kind: "link" },
      "/r/odd": { kind: "unnameable" },
      "/r/a/SKILL.md": "",
    });
    expect(await found(files)).toEqual({ skills: ["/r/a leaf"], codes: ["walk.link", "path.unsafe"] });
  });

  test("the name is exact; what is almost it is said", async () => {
    const files = memoryFiles({ "/r/a/skill.md": "", "/r/b/MY_SKILL.md": "", "/r/c/Skill.MD": "" });
    expect(await found(files)).toEqual({ skills: [], codes: ["skill.case", "skill.case"] });
  });

  test("a SKILL.md is seen in a folder that is too large to list", async () => {
    const files = memoryFiles({ "/r/a/0": "", "/r/a/1": "", "/r/a/2": "", "/r/a/SKILL.md": "" });
    expect(await found(files, { ...limits.walk, folderEntries: 2 })).toEqual({
      skills: ["/r/a leaf"],
      codes: ["walk.bounds"],
    });
  });

  test("of more folders than are walked the first are, and that is said once", async () => {
    const tree = { "/r/a/SKILL.md": "", "/r/b/SKILL.md": "", "/r/c/SKILL.md": "", "/r/d/SKILL.md": "" };
    expect(await found(memoryFiles(tree), { ...limits.walk, folders: 3 })).toEqual({
      skills: ["/r/a leaf", "/r/b leaf"],
      codes: ["walk.bounds"],
    });
    const deeper = { "/r/a/x/1": "", "/r/b/x/1": "", "/r/c/SKILL.md": "" };
    expect(await found(memoryFiles(deeper), { ...limits.walk, folders: 4 })).toEqual({
      skills: ["/r/c leaf"],
      codes: ["walk.bounds"],
    });
  });

  test("what is skipped is not looked into, and every other folder is told of in the order of the walk", async () => {
    const files = memoryFiles({ "/r/a/x/SKILL.md": "", "/r/b/SKILL.md": "", "/r/c/y/SKILL.md": "" });
    const seen: string[] = [];
    const { folders } = await findSkills(files, "/r", limits.walk, {
      skips: (folder) => folder === "/r/a",
      onFolder: (folder, entries) => seen.push(`${folder} ${entries.length}`),
    });
    expect(folders.map(({ path }) => path)).toEqual(["/r/b", "/r/c/y"]);
    expect(seen).toEqual(["/r 3", "/r/b 1", "/r/c 1", "/r/c/y 1"]);
  });

  test("many folders are listed at the same time, and found in the same order", async () => {
    const names = Array.from({ length: 100 }, (_, at) => `s${at.toString().padStart(3, "0")}`);
    const memory = memoryFiles(Object.fromEntries(names.map((name) => [`/r/${name}/SKILL.md`, ""])));
    let [underWay, most] = [0, 0];
    const files: Files = {
      ...memory,
      list: async (folder, max) => {
        most = Math.max(most, ++underWay);
        // Later ones are there first.
        for (let wait = folder.length > 2 ? 100 - Number(folder.slice(4)) : 0; wait > 0; wait--)
          await Promise.resolve();
        underWay--;
        return await memory.list(folder, max);
      },
    };
    expect((await found(files)).skills).toEqual(names.map((name) => `/r/${name} leaf`));
    expect(most).toBe(32);
  });

  test.each([
    [{ depth: 1 }, { "/r/a/b/c/SKILL.md": "" }],
    [{ folders: 2 }, { "/r/a/x": "", "/r/b/x": "", "/r/c/x": "" }],
    [{ folderEntries: 2 }, { "/r/a": "", "/r/b": "", "/r/c": "" }],
    [{ skills: 1 }, { "/r/a/SKILL.md": "", "/r/b/SKILL.md": "" }],
  ])("a bound that is reached is a finding: %j", async (bound, tree) => {
    expect((await found(memoryFiles(tree as Record<string, string>), { ...limits.walk, ...bound })).codes).toEqual([
      "walk.bounds",
    ]);
  });
});
