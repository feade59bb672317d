import { describe, expect, test } from "vitest";
import { limits, type SkillLimits } from "../core/limits.ts";
import type { Files } from "../core/world.ts";
import { memoryFiles } from "../testing/memory-files.ts";
import { loadBundle, type SkillFolder, surveyBundle } from "./load-bundle.ts";

const loaded = async (files: Files, folder: SkillFolder, bounds: Partial<SkillLimits> = {}) => {
  const bundle = await loadBundle(files, folder, { ...limits.skill.workspace, ...bounds });
  return { paths: bundle.files.map(({ path }) => path), codes: bundle.findings.map(({ code }) => code), bundle };
};

const leaf = { path: "/r/a", role: "leaf" } as const;

describe("SK-11, T24: reading a bundle", () => {
  test("every file under the folder, .git aside", async () => {
    const files = memoryFiles({ "/r/a/SKILL.md": "", "/r/a/.git/HEAD": "", "/r/a/.env": "", "/r/a/x/y/z.txt": "" });
    expect(await loaded(files, leaf)).toMatchObject({ paths: [".env", "SKILL.md", "x/y/z.txt"], codes: [] });
  });

  test("at the root of a source only what belongs to the skill", async () => {
    const files = memoryFiles({
      "/r/a/SKILL.md": "",
      "/r/a/README.md": "",
      "/r/a/scope.yaml": "",
      "/r/a/contract.js": "",
      "/r/a/scripts/x.py": "",
      "/r/a/references/r.md": "",
      "/r/a/assets/a.txt": "",
      "/r/a/skills/b/SKILL.md": "",
    });
    const { paths } = await loaded(files, { path: "/r/a", role: "root" });
    expect(paths).toEqual(["SKILL.md", "assets/a.txt", "contract.js", "references/r.md", "scope.yaml", "scripts/x.py"]);
  });

  test("links, special files and names that are not UTF-8 are left out, the rest is read", async () => {
    const files = memoryFiles({
      "/r/a/SKILL.md": "",
      "/r/a/device": { kind: "special" },
      "/r/a/link": { kind: "link" },
      "/r/a/odd": { kind: "unnameable" },
      "/r/a/z": "",
    });
    expect(await loaded(files, leaf)).toMatchObject({
      paths: ["SKILL.md", "z"],
      codes: ["path.special", "path.link", "path.unsafe"],
    });
  });

  test.each([
    ["files", { bundleFiles: 2 }, "bundle.files"],
    ["bytes", { bundleBytes: 5 }, "bundle.bytes"],
  ])("beyond its %s nothing is read, and there is no digest", async (_, bounds, code) => {
    const files = memoryFiles({ "/r/a/SKILL.md": "12", "/r/a/b": "34", "/r/a/c": "56" });
    const { codes, bundle } = await loaded(files, leaf, bounds);
    expect(codes).toEqual([code]);
    expect(bundle.digest).toBeNull();
  });

  test("folders count too", async () => {
    const wide = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`/r/a/d${index}/x`, ""]));
    const deep = { "/r/a/1/2/3/4/5/x": "" };
    for (const tree of [wide, deep])
      expect((await loaded(memoryFiles(tree), leaf, { bundleFiles: 3 })).codes).toEqual(["bundle.files"]);
  });

  test("SK-3: a SKILL.md above its limit is not read", async () => {
    const files = memoryFiles({ "/r/a/SKILL.md": "123456", "/r/a/b": "" });
    expect(await loaded(files, leaf, { fileBytes: 5 })).toMatchObject({ paths: ["b"], codes: ["file.size"] });
  });

  test("a SKILL.md that is a folder or a link is said, and nothing stands in for it", async () => {
    expect(await loaded(memoryFiles({ "/r/a/SKILL.md/x": "" }), leaf)).toMatchObject({
      paths: [],
      codes: ["file.missing"],
    });
    const link = memoryFiles({ "/r/a/SKILL.md": { kind: "link" } });
    expect(await loaded(link, leaf)).toMatchObject({ paths: [], codes: ["path.link"] });
  });
});

const stampOnly = (files: Files) => async (path: string) => ({ stamp: await files.stamp(path) });

describe("AG-4: seeing a bundle without reading it", () => {
  test.each([{}, { bundleFiles: 2 }, { bundleBytes: 5 }, { fileBytes: 1 }])(
    "sees what would be read, by the same rules: %j",
    async (bounds) => {
      const memory = memoryFiles({
        "/r/a/SKILL.md": "12",
        "/r/a/.git/HEAD": "",
        "/r/a/b/c": "3456",
        "/r/a/device": { kind: "special" },
        "/r/a/link": { kind: "link" },
      });
      const { paths, bundle } = await loaded(memory, leaf, bounds);
      const survey = await surveyBundle(memory, leaf, { ...limits.skill.workspace, ...bounds }, stampOnly(memory));
      expect(survey.files.map(([path]) => path)).toEqual(paths);
      expect(survey.findings).toEqual(bundle.findings);
      expect(survey.complete || bundle.digest === null).toBe(true);
    },
  );

  test("a folder that was just listed is not listed again", async () => {
    const memory = memoryFiles({ "/r/a/SKILL.md": "", "/r/a/b/c": "" });
    const listed: string[] = [];
    const files: Files = {
      ...memory,
      list: (folder, max) => {
        listed.push(folder);
        return memory.list(folder, max);
      },
    };
    const just = await memory.list("/r/a", 10);
    const survey = await surveyBundle(files, leaf, limits.skill.workspace, stampOnly(memory), just);
    expect([survey.files.length, survey.folders, listed]).toEqual([2, ["", "b"], ["/r/a/b"]]);
  });
});
