import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../core/limits.ts";
import { type MemoryEntry, memoryFiles } from "../testing/memory-files.ts";
import type { ProvenTree, TreeEntry } from "./git/git.ts";
import { createBundle } from "../skill/bundle.ts";
import { findSkills } from "../skill/find-skills.ts";
import { loadBundle } from "../skill/load-bundle.ts";
import { findTreeSkills, type TreeSearchOptions } from "./tree-skills.ts";

/** Things that have no white space in them. */
const words = (text: string) => text.trim().split(/\s+/);

const rootId = "f".repeat(40);
const [file, link, submodule] = ["100644", "120000", "160000"];

/** Each path with its mode; the folders they are in come by themselves, each with an id of its own. */
function treeOf(modes: Readonly<Record<string, string | undefined>>, unknown: readonly string[] = []): ProvenTree {
  const entries = new Map<string, TreeEntry>();
  const put = (path: string, mode: string) => {
    const id = entries.size.toString(16).padStart(40, "0");
    entries.set(path, { path, mode, id, size: mode.startsWith("100") ? 1 : null });
  };
  const folder = (path: string) => {
    if (path === "" || entries.has(path)) return;
    folder(path.slice(0, Math.max(path.lastIndexOf("/"), 0)));
    put(path, "040000");
  };
  for (const path of unknown) folder(path);
  for (const [path, mode = file] of Object.entries(modes)) {
    folder(path.slice(0, Math.max(path.lastIndexOf("/"), 0)));
    put(path, mode ?? "");
  }
  return { id: rootId, entries, unknown };
}

const files = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, file]));

function found(tree: ProvenTree, options: Partial<TreeSearchOptions> = {}) {
  const { skills, findings, unvisited } = findTreeSkills(tree, { roots: [""], skip: [], depth: 8, ...options });
  return {
    skills: skills.map(({ path, role, files: own }) => `${path} ${role}: ${own.map((each) => each.path).join(" ")}`),
    said: [...findings, ...skills.flatMap((skill) => skill.findings)].map(({ code, at }) => `${code} ${at.file}`),
    unvisited,
  };
}

describe("IN-13, SK-11: skills in a tree", () => {
  test("a folder with SKILL.md is a leaf, wherever it lies; what is below it is its own", () => {
    const tree = treeOf(
      files(
        "skills/a/SKILL.md",
        "skills/a/sub/SKILL.md",
        ".claude/skills/b/SKILL.md",
        ".agents/skills/c/SKILL.md",
        "plugins/p/skills/d/SKILL.md",
        "d1/d2/d3/d4/d5/d6/d7/e/SKILL.md",
        "README.md",
        "skills/README.md",
      ),
    );
    expect(found(tree)).toEqual({
      skills: [
        "skills/a leaf: skills/a/SKILL.md skills/a/sub/SKILL.md",
        ".claude/skills/b leaf: .claude/skills/b/SKILL.md",
        ".agents/skills/c leaf: .agents/skills/c/SKILL.md",
        "plugins/p/skills/d leaf: plugins/p/skills/d/SKILL.md",
        "d1/d2/d3/d4/d5/d6/d7/e leaf: d1/d2/d3/d4/d5/d6/d7/e/SKILL.md",
      ],
      said: [],
      unvisited: [],
    });
    const { skills } = findTreeSkills(tree, { roots: [""], skip: [], depth: 8 });
    expect(skills.map(({ path, tree: id }) => id === tree.entries.get(path)?.id)).toEqual(Array(5).fill(true));
  });

  test("the root does not end the walk; then it has only what a root's skill has", () => {
    const tree = treeOf(
      files(
        ...words(`
      SKILL.md README.md scope.yaml scripts/x.sh scripts/y/SKILL.md references/SKILL.md assets/i.png
      skills/b/SKILL.md docs/x.md
    `),
      ),
    );
    expect(found(tree).skills).toEqual([
      " root: SKILL.md scope.yaml scripts/x.sh references/SKILL.md assets/i.png scripts/y/SKILL.md",
      "skills/b leaf: skills/b/SKILL.md",
    ]);
    expect(findTreeSkills(tree, { roots: [""], skip: [], depth: 8 }).skills[0]?.tree).toBe(rootId);
  });

  test("a root that is one skill is that skill with all its files, and speaks for them", () => {
    const tree = treeOf({
      ...files("SKILL.md", "notes.md", "a/skill.md", ".git/config", "node_modules/x.js"),
      "a/l": link,
    });
    expect(found(tree)).toEqual({
      skills: [" leaf: SKILL.md notes.md a/skill.md node_modules/x.js"],
      said: ["path.link a/l"],
      unvisited: [],
    });
  });

  test("the name is exact; what is almost it is said", () => {
    expect(found(treeOf(files("a/skill.md", "b/MY_SKILL.md", "c/Skill.MD", "d/SKILL.MD.txt")))).toEqual({
      skills: [],
      said: ["skill.case a/skill.md", "skill.case c/Skill.MD"],
      unvisited: [],
    });
  });

  test(".git and node_modules never; folders by configuration are said where they hold a skill", () => {
    const tree = treeOf(
      files("node_modules/p/SKILL.md", "a/.git/x/SKILL.md", "test/fixtures/x/SKILL.md", "fixtures/y.md", "b/SKILL.md"),
    );
    expect(found(tree, { skip: ["fixtures"] })).toEqual({
      skills: ["b leaf: b/SKILL.md"],
      said: ["walk.skipped test/fixtures"],
      unvisited: [],
    });
    expect(found(tree, { roots: ["node_modules", "node_modules/p"] })).toEqual({
      skills: [],
      said: ["walk.skipped node_modules", "walk.skipped node_modules/p"],
      unvisited: [],
    });
    // Who names it means it.
    expect(found(tree, { roots: ["test/fixtures"], skip: ["fixtures"] }).skills).toEqual([
      "test/fixtures/x leaf: test/fixtures/x/SKILL.md",
    ]);
  });

  test("a bound is said where a skill lies beyond it, and what is there is protected", () => {
    const tree = treeOf(files("a/b/c/SKILL.md", "x/y/z/deep.md", "s/SKILL.md"));
    expect(found(tree, { depth: 1 })).toEqual({
      skills: ["s leaf: s/SKILL.md"],
      said: ["walk.bounds a"],
      unvisited: ["a/b"],
    });
    expect(found(tree, { depth: 3 })).toMatchObject({ said: [], unvisited: [] });
    expect(found(tree, { depth: 1, roots: ["a/b"] }).skills).toEqual(["a/b/c leaf: a/b/c/SKILL.md"]);
  });
});

describe("roots that somebody named", () => {
  const tree = treeOf(
    files("a/SKILL.md", "a/scripts/s/SKILL.md", "a/x/SKILL.md", "a/x/sub/SKILL.md", "b/c/SKILL.md", "f.md"),
  );

  test("are searched each from itself, once, in any order", () => {
    expect(found(tree, { roots: ["b", "b/c", "b"] }).skills).toEqual(["b/c leaf: b/c/SKILL.md"]);
    const both = found(tree, { roots: ["a", "b"] }).skills;
    expect(both.map((each) => each.split(":")[0])).toEqual(["a leaf", "b/c leaf"]);
    expect(found(tree, { roots: ["b", "a"] }).skills.toSorted()).toEqual(both.toSorted());
    expect(found(tree, { roots: ["", "a"] }).skills.toSorted()).toEqual(both.toSorted());
    const deep = treeOf(files("a/b/c/SKILL.md"));
    const from = { skills: ["a/b/c leaf: a/b/c/SKILL.md"], said: [], unvisited: [] };
    for (const roots of [
      ["", "a/b"],
      ["a/b", ""],
    ])
      expect(found(deep, { depth: 1, roots })).toEqual(from);
  });

  test("inside another skill are that skill's", () => {
    const names = (roots: readonly string[]) => found(tree, { roots }).skills.map((each) => each.split(":")[0]);
    expect(names(["", "a/x/sub"])).toEqual(["a leaf", "b/c leaf"]);
    expect(names(["a/scripts/s", "a"])).toEqual(["a leaf"]);
    const alone = treeOf(files("SKILL.md", "x.md", "scripts/s/SKILL.md"));
    expect(found(alone, { roots: ["", "scripts/s"] }).skills).toEqual([" leaf: SKILL.md x.md scripts/s/SKILL.md"]);
    expect(names(["a/x/sub"])).toEqual(["a/x/sub leaf"]);
    expect(names(["a/x/sub", "a/x"])).toEqual(["a/x leaf"]);
  });

  test("that are not there, or no folders, are said", () => {
    expect(found(tree, { roots: ["gone", "f.md", "../x", "a//x", "a\\x"] })).toEqual({
      skills: [],
      said: ["skill.none gone", "skill.none f.md", "path.unsafe ../x", "path.unsafe a//x", "path.unsafe a\\x"],
      unvisited: [],
    });
    expect(found(treeOf({ l: link }), { roots: ["l"] }).said).toEqual(["walk.link l"]);
  });
});

describe("T24: only regular files", () => {
  test("links, submodules and odd modes are left out of a skill and said, by paths inside it", () => {
    const tree = treeOf({
      ...files("s/SKILL.md"),
      "s/run.sh": "100755",
      "s/l": link,
      "s/m": submodule,
      "s/sub/l": link,
      "s/old": "100664",
      "s/odd": "\u001b[2J",
    });
    expect(found(tree)).toEqual({
      skills: ["s leaf: s/SKILL.md s/run.sh"],
      said: ["path.link l", "path.special m", "path.special old", "path.special odd", "path.link sub/l"],
      unvisited: [],
    });
    expect(JSON.stringify(findTreeSkills(tree, { roots: [""], skip: [], depth: 8 }).skills)).not.toContain(
      "\\u001b[2J; left",
    );
  });

  test("outside of skills they are not followed", () => {
    expect(found(treeOf({ ...files("a/x.md"), l: link, "a/m": submodule }))).toEqual({
      skills: [],
      said: ["walk.link l", "walk.skipped a/m"],
      unvisited: [],
    });
  });

  test.each([
    [link, "path.link"],
    [submodule, "path.special"],
    ["100664", "path.special"],
  ])("a SKILL.md of mode %s makes no skill", (mode, code) => {
    expect(found(treeOf({ "a/SKILL.md": mode, "a/b/SKILL.md": file }))).toEqual({
      skills: ["a/b leaf: a/b/SKILL.md"],
      said: [`${code} a/SKILL.md`],
      unvisited: [],
    });
  });

  test("a folder named SKILL.md makes no skill", () => {
    expect(found(treeOf(files("a/SKILL.md/x")))).toMatchObject({ skills: [], said: ["file.missing a/SKILL.md"] });
  });
});

describe("T23: paths", () => {
  test.each(["a\\b", "..", ".", "a.", "a ", "a\u0001", "C:", "%2e%2e", "a%2fb", ".GIT", "x".repeat(1100)])(
    "a folder named %j is not searched, and that is said where a skill is in it",
    (name) => {
      expect(found(treeOf(files(`${name}/SKILL.md`, "ok/SKILL.md")))).toMatchObject({
        skills: ["ok leaf: ok/SKILL.md"],
        said: [expect.stringMatching(/^path\.unsafe /)],
      });
      expect(found(treeOf(files(`${name}/x.md`))).said).toEqual([]);
    },
  );

  test.each(["a\\b", "..", "a.", "a\nb", "C:x", "%2e%2e", "a%5cb", "sub/../../x", "sub/.GIT/x"])(
    "a file %j is left out of its skill",
    (name) => {
      expect(found(treeOf(files("s/SKILL.md", `s/${name}`)))).toMatchObject({
        skills: ["s leaf: s/SKILL.md"],
        said: [expect.stringMatching(/^path\.unsafe /)],
      });
    },
  );
});

describe("IN-10: what could not be listed", () => {
  test("is unvisited, and nothing else", () => {
    expect(found(treeOf(files("a/SKILL.md", "b/c/x.md"), ["b/d", "e"]))).toEqual({
      skills: ["a leaf: a/SKILL.md"],
      said: [],
      unvisited: ["e", "b/d"],
    });
    expect(found(treeOf({}, [""]))).toEqual({ skills: [], said: [], unvisited: [""] });
    expect(found(treeOf({}, ["b"]), { roots: ["b/c", "b"] })).toEqual({
      skills: [],
      said: [],
      unvisited: ["b/c", "b"],
    });
  });

  test("takes the skill with it in which it lies, not the one beside which it lies", () => {
    expect(found(treeOf(files("a/SKILL.md", "b/SKILL.md"), ["a/x/y"]))).toEqual({
      skills: ["b leaf: b/SKILL.md"],
      said: [],
      unvisited: ["a"],
    });
    const root = files("SKILL.md", "skills/b/SKILL.md");
    expect(found(treeOf(root, ["docs"])).skills).toHaveLength(2);
    expect(found(treeOf(root, ["scripts"]))).toMatchObject({
      skills: [expect.stringMatching(/^skills\/b/)],
      unvisited: [""],
    });
    // Others may be in there: whether the root is all of it cannot be said.
    expect(found(treeOf(files("SKILL.md"), ["docs"]))).toMatchObject({ skills: [], unvisited: ["docs", ""] });
  });
});

test("100,000 entries are indexed once, and a hostile tree says little", () => {
  const modes: Record<string, string> = {};
  for (let at = 0; at < 20_000; at++) {
    modes[`flat/f${at}/x.md`] = file;
    modes[`skills/s${at}/SKILL.md`] = file;
    modes[`links/l${at}`] = link;
  }
  let deep = "deep";
  for (let at = 0; at < 400; at++) modes[`${(deep += "/d")}/x.md`] = file;
  const tree = treeOf(modes);
  expect(tree.entries.size).toBeGreaterThan(100_000);
  const { skills, findings } = findTreeSkills(tree, { roots: [""], skip: [], depth: 8 });
  expect([skills.length, findings.length]).toEqual([20_000, 50]);
  expect(findings[0]?.message).toMatch(/and 19950 more/);
  // Every root a walk of its own: together they are still one.
  const roots = Array.from({ length: 20_000 }, (_, at) => `skills/s${at}`);
  expect(findTreeSkills(tree, { roots, skip: [], depth: 8 }).skills).toHaveLength(20_000);
});

const name = fc.constantFrom(
  "SKILL.md",
  "skill.md",
  "a",
  "b",
  "scripts",
  "assets",
  "node_modules",
  ".git",
  "scope.yaml",
);
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));

test("SK-11: a tree has the skills that the same folder on a disk has, with the same files", async () => {
  const distinct = fc.array(path, { maxLength: 12 }).map((all) => {
    // A path is a file or a folder. SKILL.md as a folder and .git as a file are what the two tell differently.
    const isKept = (each: string) =>
      !/SKILL\.md\/|(?:^|\/)\.git$/.test(each) && !all.some((other) => other.startsWith(`${each}/`));
    return Array.from(new Set(all.filter(isKept)));
  });
  await fc.assert(
    fc.asyncProperty(distinct, async (all) => {
      const disk: Record<string, MemoryEntry> = { "/r": { kind: "folder" } };
      for (const each of all) disk[`/r/${each}`] = each;
      const memory = memoryFiles(disk);
      const { folders } = await findSkills(memory, "/r", limits.walk);
      const expected = await Promise.all(
        folders.map(async (folder) => {
          const bundle = await loadBundle(memory, folder, limits.skill.ingest);
          const inside = bundle.files.map((each) => `${folder.path}/${each.path}`.slice("/r/".length));
          return `${folder.path.slice("/r/".length)} ${folder.role}: ${inside.toSorted().join(" ")}`;
        }),
      );
      const { skills } = findTreeSkills(treeOf(files(...all)), { roots: [""], skip: [], depth: 8 });
      const actual = skills.map((skill) => {
        const inside = skill.files.map((each) => each.path.slice(skill.path === "" ? 0 : skill.path.length + 1));
        // Twins are found where a bundle is made, for either of them.
        const bundle = createBundle(
          "x",
          inside.map((each) => [each, new Uint8Array()]),
        );
        const paths = bundle.files.map((each) => `${skill.path}/${each.path}`.replace(/^\//, ""));
        return `${skill.path} ${skill.role}: ${paths.toSorted().join(" ")}`;
      });
      expect(actual.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 300 },
  );
});

test("whatever is in a tree, no file is in two skills, none has a dot segment, and nothing but files is in one", () => {
  const mode = fc.constantFrom(file, file, file, "100755", link, submodule, "100664");
  const odd = fc.oneof(
    path,
    fc.string({ unit: "binary", minLength: 1 }),
    fc.constantFrom("..", "../SKILL.md", "a/../SKILL.md"),
  );
  const roots = fc.array(fc.oneof(fc.constant(""), path), { maxLength: 4 });
  fc.assert(
    fc.property(
      fc.dictionary(odd, mode, { maxKeys: 12 }),
      fc.array(path, { maxLength: 2 }),
      roots,
      (modes, unknown, where) => {
        const tree = treeOf(modes, unknown);
        const { skills } = findTreeSkills(tree, { roots: where, skip: ["b"], depth: 3 });
        const all = skills.flatMap((skill) => skill.files);
        expect(new Set(all.map((each) => each.path)).size).toBe(all.length);
        expect(all.every((each) => /^100(?:644|755)$/.test(each.mode))).toBe(true);
        expect(all.filter((each) => each.path.split("/").some((part) => /^\.{0,2}$/.test(part)))).toEqual([]);
        expect(
          skills.every((skill) =>
            skill.files.some((each) => each.path === `${skill.path}/SKILL.md`.replace(/^\//, "")),
          ),
        ).toBe(true);
      },
    ),
  );
});
