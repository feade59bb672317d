import { describe, expect, test } from "vitest";
import { githubCom } from "../../net/host-set.ts";
import type { ProvenTree, TreeEntry } from "../git/git.ts";
import type { MarketplacePlugin } from "./marketplace.ts";
import { pluginJsonPath, pluginSkillRoots } from "./plugin.ts";

const id = "0".repeat(40);

/** A tree with these files and the folders they are in. */
function treeOf(files: readonly string[], unknown: readonly string[] = []): ProvenTree {
  const folders = files.flatMap((file) => file.split("/").map((_, at, names) => names.slice(0, at).join("/")));
  const paths = [...new Set([...folders, ...unknown])].filter((path) => path !== "");
  const entries = new Map<string, TreeEntry>();
  for (const path of paths) entries.set(path, { path, mode: "040000", id, size: null });
  for (const path of files) entries.set(path, { path, mode: "100644", id, size: 1 });
  return { id, entries, unknown };
}

interface Given {
  readonly path?: string;
  readonly skills?: readonly string[];
  readonly strict?: boolean;
  readonly elsewhere?: boolean;
  readonly json?: unknown;
}

function rootsIn(tree: ProvenTree, { path = "", skills = [], strict = true, elsewhere = false, json }: Given = {}) {
  const repository = { hosts: githubCom, owner: "o", name: "r" };
  const place: MarketplacePlugin["place"] = elsewhere
    ? { kind: "elsewhere", repository, path, ref: null, sha: null }
    : { kind: "here", path };
  const bytes = json === undefined ? null : Buffer.from(typeof json === "string" ? json : JSON.stringify(json));
  const { roots, findings } = pluginSkillRoots(tree, { place, skills, strict }, bytes);
  return [
    roots.map((root) => `${root.kind} ${root.path}`),
    findings.map(({ code, at }) => `${code} ${at.file}:${at.line}`),
  ];
}

const usual = treeOf([
  "p/skills/a/SKILL.md",
  "p/more/b/SKILL.md",
  "skills/x/SKILL.md",
  "other/SKILL.md",
  "p/README.md",
]);

describe("formats 2: which folders of a plugin hold skills", () => {
  test("skills/, and nothing where there is none", () => {
    expect(rootsIn(usual, { path: "p" })).toEqual([["scan p/skills"], []]);
    expect(rootsIn(usual)).toEqual([["scan skills"], []]);
    expect(rootsIn(usual, { path: "p/more" })).toEqual([[], []]);
  });

  test("what the entry names is added", () => {
    expect(rootsIn(usual, { path: "p", skills: ["more"] })).toEqual([["scan p/skills", "skill-or-folder p/more"], []]);
    expect(rootsIn(usual, { path: "p", skills: ["skills", "skills/a"] })).toEqual([
      ["scan p/skills", "skill-or-folder p/skills/a"],
      [],
    ]);
  });

  test("where the source is the marketplace itself it replaces; in a repository of its own it does not", () => {
    expect(rootsIn(usual, { skills: ["other"] })).toEqual([["skill-or-folder other"], []]);
    expect(rootsIn(usual, { skills: ["other"], elsewhere: true })).toEqual([
      ["scan skills", "skill-or-folder other"],
      [],
    ]);
    expect(rootsIn(usual, { json: { skills: "./other" } })).toEqual([["skill-or-folder other"], []]);
    expect(rootsIn(usual, { json: { skills: "../other" } })).toEqual([
      [],
      ["marketplace.refused .claude-plugin/plugin.json:1"],
    ]);
  });

  test("plugin.json has a say unless strict is false", () => {
    const json = { name: "p", skills: ["./more/"] };
    expect(rootsIn(usual, { path: "p", json })).toEqual([["scan p/skills", "skill-or-folder p/more"], []]);
    expect(rootsIn(usual, { path: "p", json, strict: false })).toEqual([["scan p/skills"], []]);
    expect(rootsIn(usual, { json, strict: false, skills: ["other"] })).toEqual([["skill-or-folder other"], []]);
    expect(rootsIn(usual, { path: "p", json: { skills: "more" } })).toEqual([
      ["scan p/skills", "skill-or-folder p/more"],
      ["marketplace.lenient p/.claude-plugin/plugin.json:1"],
    ]);
  });

  test("a plugin that is a skill itself", () => {
    const single = treeOf(["one/SKILL.md", "one/notes.md"]);
    expect(rootsIn(single, { path: "one" })).toEqual([["skill-or-folder one"], []]);
    expect(rootsIn(treeOf(["SKILL.md"]))).toEqual([["skill-or-folder "], []]);
    expect(rootsIn(treeOf(["one/SKILL.md", "one/skills/a/SKILL.md"]), { path: "one" })).toEqual([
      ["scan one/skills"],
      [],
    ]);
    expect(rootsIn(treeOf(["one/SKILL.md", "one/x/SKILL.md"]), { path: "one", skills: ["x"] })).toEqual([
      ["skill-or-folder one/x"],
      [],
    ]);
    expect(rootsIn(treeOf(["one/skill.md"]), { path: "one" })).toEqual([[], []]);
    expect(rootsIn(single, { path: "one", skills: ["gone"] })).toEqual([[], ["marketplace.refused one:1"]]);
  });

  test.each(["../other", "./../other", "/other", "a/../../other", "a\\b", "./.git/x", "./%2e%2e/x", "", 7, null, {}])(
    "T2, T23: plugin.json cannot lead out of the plugin: %j",
    (path) => {
      expect(rootsIn(usual, { path: "p", json: { skills: [path] } })).toEqual([
        ["scan p/skills"],
        ["marketplace.refused p/.claude-plugin/plugin.json:1"],
      ]);
    },
  );

  test("a folder that is not there is said, a file is none, and one that could not be listed stays", () => {
    expect(rootsIn(usual, { path: "p", skills: ["gone", "README.md"] })).toEqual([
      ["scan p/skills"],
      ["marketplace.refused p:1", "marketplace.refused p:1"],
    ]);
    expect(rootsIn(usual, { path: "gone" })).toEqual([[], ["marketplace.refused gone:1"]]);
    const unknown = treeOf(["x/README.md"], ["p"]);
    expect(rootsIn(unknown, { path: "p", skills: ["a"] })).toEqual([["scan p/skills", "skill-or-folder p/a"], []]);
  });

  test.each(["", "[]", "{", "7", `{"skills":${"[".repeat(99)}${"]".repeat(99)}}`, `{"x":"${"x".repeat(2 ** 20)}"}`])(
    "plugin.json that cannot be read is said, and the usual folder is searched: %#",
    (json) => {
      expect(rootsIn(usual, { path: "p", json })).toEqual([
        ["scan p/skills"],
        ["plugin.invalid p/.claude-plugin/plugin.json:1"],
      ]);
    },
  );

  test("where plugin.json is", () => {
    expect(["", "a/b"].map(pluginJsonPath)).toEqual([".claude-plugin/plugin.json", "a/b/.claude-plugin/plugin.json"]);
  });
});
