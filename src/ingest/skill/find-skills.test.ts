import { describe, expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import type { Files } from "../../base/world.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
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
