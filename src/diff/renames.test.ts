import { describe, expect, test } from "vitest";
import { createBundle } from "../skill/bundle.ts";
import { diffBundles } from "./diff.ts";

const skill = "---\nname: t\ndescription: Formats dates.\n---\n# T\n";

function diffOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const bundle = (files: Readonly<Record<string, string>>) =>
    createBundle(
      "t",
      Object.entries({ "SKILL.md": skill, ...files }).map(([path, text]) => [path, Buffer.from(text)]),
    );
  return diffBundles(bundle(before), bundle(after));
}

const ten = (last: string) => `${Array.from({ length: 9 }, (_, at) => `line ${at}`).join("\n")}\n${last}\n`;

describe("RV-4: the set of files", () => {
  test("RV-4: SKILL.md first, then by path; what is the same is only counted", () => {
    const { files, unchanged } = diffOf(
      { "b.md": "b", "a.md": "a", same: "s" },
      { "SKILL.md": `${skill}new`, "c.md": "c", same: "s", "a.md": "A" },
    );
    expect(files.map(({ path, change }) => [path, change])).toEqual([
      ["SKILL.md", "changed"],
      ["a.md", "changed"],
      ["b.md", "removed"],
      ["c.md", "added"],
    ]);
    expect(unchanged).toBe(1);
  });

  test("RV-4: equal bundles have no diff", () => {
    expect(diffOf({ a: "a" }, { a: "a" })).toEqual({
      files: [],
      unchanged: 2,
      fields: [],
      tools: { added: [], removed: [] },
      delta: [],
    });
  });

  test("RV-4: a file with the same bytes elsewhere was renamed", () => {
    const { files } = diffOf({ "a.md": "text\n", "b.md": "text\n" }, { "docs/a.md": "text\n" });
    expect(files.map(({ path, from, change, shows }) => [path, from, change, shows])).toEqual([
      ["b.md", null, "removed", "text"],
      ["docs/a.md", "a.md", "renamed", "same"],
    ]);
  });

  test("RV-4: so was one with most of its lines, and what changed in it is shown", () => {
    const { files } = diffOf(
      { "a.md": ten("old end"), "other.md": ten("x").replaceAll("line", "row") },
      { "b.md": ten("new end") },
    );
    expect(
      files.map(({ path, from, change, shows, added, removed }) => [path, from, change, shows, added, removed]),
    ).toEqual([
      ["b.md", "a.md", "renamed", "text", 1, 1],
      ["other.md", null, "removed", "text", 0, 10],
    ]);
  });

  test("RV-4: one with less than that was not", () => {
    const { files } = diffOf({ "a.md": "1\n2\n3\n4\n5\n" }, { "b.md": "1\n2\n6\n7\n8\n" });
    expect(files.map(({ change }) => change)).toEqual(["removed", "added"]);
  });

  test("T28: a file that means something by its name is never renamed away", () => {
    const scope = "allowed_tools: [Read]\nexecution_protocol: [look]\n";
    const { files } = diffOf({ "scope.yaml": scope }, { "scope.yml": scope });
    expect(files.map(({ path, change }) => [path, change])).toEqual([
      ["scope.yaml", "removed"],
      ["scope.yml", "added"],
    ]);
    const bundle = (path: string) => createBundle("t", [[path, Buffer.from(skill)]]);
    expect(diffBundles(bundle("SKILL.md"), bundle("README.md")).files.map(({ change }) => change)).toEqual([
      "removed",
      "added",
    ]);
  });
});
