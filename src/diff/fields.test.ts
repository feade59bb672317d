import { describe, expect, test } from "vitest";
import { createBundle } from "../skill/bundle.ts";
import { type BundleDiff, diffBundles } from "./diff.ts";

function bundle(header: string, scope?: string) {
  const files: [string, Uint8Array][] = [["SKILL.md", Buffer.from(`---\nname: t\n${header}\n---\n# T\n`)]];
  if (scope !== undefined) files.push(["scope.yaml", Buffer.from(scope)]);
  return createBundle("t", files);
}

function diffOf(before: Parameters<typeof bundle>, after: Parameters<typeof bundle>): BundleDiff {
  return diffBundles(bundle(...before), bundle(...after));
}

describe("RV-4: fields", () => {
  test("RV-4: the front-matter's values that changed, as canonical JSON", () => {
    const { fields } = diffOf(
      ["description: Old.\nlicense: MIT\nx: {b: 1, a: 2}"],
      ["description: New.\nlicense: MIT\ny: [1]"],
    );
    expect(fields).toEqual([
      { field: "description", before: '"Old."', after: '"New."' },
      { field: "y", before: null, after: "[1]" },
      { field: "x", before: '{"a":2,"b":1}', after: null },
    ]);
  });

  test("RV-4: of a new skill all of them", () => {
    expect(diffBundles(null, bundle("description: New.")).fields.map(({ field, before }) => [field, before])).toEqual([
      ["name", null],
      ["description", null],
    ]);
  });

  test("T28: what cannot be seen in a value is shown", () => {
    const { fields } = diffOf(["description: Read it."], ["description: Read\u200b it, gіthub."]);
    expect(fields[0]?.after).toBe('"Read\\u{200b} it, gі\\u{456}thub."');
  });

  test("T28: two long values that part late never look the same", () => {
    const long = "word ".repeat(1200);
    const { fields } = diffOf([`description: D.\nx: "${long}one"`], [`description: D.\nx: "${long}two"`]);
    expect(fields[0]?.before).toMatch(/^….*one"$/);
    expect(fields[0]?.after).toMatch(/^….*two"$/);
    expect(fields[0]?.after?.length).toBeLessThan(300);
  });

  test("RV-4: those of scope.yaml, and a scope that cannot be used", () => {
    const scope = (tools: string) => `allowed_tools: [${tools}]\nexecution_protocol: [look]\n`;
    const { fields } = diffOf(["description: D.", scope("Read")], ["description: D.", scope("Read, Bash")]);
    expect(fields).toEqual([{ field: "scope.allowed_tools", before: '["Read"]', after: '["Read","Bash"]' }]);
    expect(diffOf(["description: D."], ["description: D.", "allowed_tools: ["]).fields).toEqual([
      { field: "scope", before: null, after: '"unusable"' },
    ]);
  });

  test("T28: no key of a front-matter passes for a field of scope.yaml", () => {
    const { fields, delta } = diffOf(
      ["description: D."],
      ["description: D.\nscope.allowed_tools: ['*']\nscope: none\n'scope.((': 1"],
    );
    expect(fields.map(({ field }) => field)).toEqual(['"scope.allowed_tools"', '"scope"', '"scope.(("']);
    expect(delta.filter(({ kind }) => kind === "scope")).toEqual([]);
  });

  test("RV-4: a side that cannot be parsed has none, and its text is compared", () => {
    const { fields, files } = diffOf(["description: D."], ["description: [D.\n: {"]);
    expect(fields).toEqual([]);
    expect(files[0]?.added).toBeGreaterThan(0);
  });

  test("RV-4: tools that are asked for, and no longer", () => {
    const { tools } = diffOf(
      ["description: D.\nallowed-tools: Read Grep"],
      ["description: D.\nallowed-tools: Read Bash(git:*)"],
    );
    expect(tools).toEqual({ added: ["Bash(git:*)"], removed: ["Grep"] });
  });
});
