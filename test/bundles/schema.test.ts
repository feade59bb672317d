import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { checkSchemas, writeSchemas } from "../../src/features/bundles/schemas.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { limits } from "../../src/core/limits.ts";
import { coreValue } from "../../src/skill/core-value.ts";
import { renderSchemas } from "../../src/skill/schema.ts";
import { parseYaml } from "../../src/skill/yaml.ts";
import { memoryFiles } from "../../src/testing/memory-files.ts";
import { examples, frontmatterOf, scopeOf } from "./examples.ts";

const schemas = renderSchemas();

function validator(name: string) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  return ajv.compile(JSON.parse(schemas.get(name) ?? ""));
}

function valueOf(yaml: string): unknown {
  const { root } = parseYaml(yaml, limits.skill.workspace);
  // The validator asks for ordinary objects; ours have no prototype.
  return root && JSON.parse(JSON.stringify(coreValue(root)));
}

describe("SK-14: the schemas are generated from the models", () => {
  test("what is committed is what the models generate", async () => {
    expect(await checkSchemas(createWorld().files, "schema")).toEqual([]);
  });

  test("generating is deterministic", () => {
    expect([...renderSchemas()]).toEqual([...schemas]);
  });

  test("a missing, a stale and a different file are each named", async () => {
    const files = memoryFiles({
      "/s/skill-manifest.schema.json": "{}",
      "/s/old.schema.json": "{}",
      "/s/skill-scope.schema.json": schemas.get("skill-scope.schema.json") ?? "",
    });
    expect(await checkSchemas(files, "/s")).toEqual([
      { file: "skill-manifest.schema.json", state: "different" },
      { file: "skill-manifest.strict.schema.json", state: "missing" },
      { file: "old.schema.json", state: "stale" },
    ]);
  });

  test("writing mends what can be mended and deletes nothing", async () => {
    const files = memoryFiles({ "/s/old.schema.json": "{}" });
    await writeSchemas(files, "/s");
    expect(await checkSchemas(files, "/s")).toEqual([{ file: "old.schema.json", state: "stale" }]);
    expect(await files.read("/s/old.schema.json", 10)).toEqual(Buffer.from("{}"));
  });
});

describe("SK-14: the schemas agree with the reader", () => {
  test.each(examples)("%s meets both manifest schemas", (name) => {
    const value = valueOf(frontmatterOf(name));
    for (const file of ["skill-manifest.schema.json", "skill-manifest.strict.schema.json"]) {
      const check = validator(file);
      expect([check(value), check.errors]).toEqual([true, null]);
    }
  });

  test.each(examples.filter((name) => scopeOf(name) !== undefined))("%s meets the scope schema", (name) => {
    const check = validator("skill-scope.schema.json");
    expect([check(valueOf(scopeOf(name) ?? "")), check.errors]).toEqual([true, null]);
  });

  test.each([
    ["name: a", false],
    ["name: a\ndescription: ''", false],
    ["name: a\ndescription: b\nextra: 1", false],
    [`name: ${"a".repeat(65)}\ndescription: b`, false],
    [`name: a\ndescription: ${"b".repeat(1025)}`, false],
    ["name: a\ndescription: b\nmetadata: { x: [1] }", false],
    ["name: a\ndescription: b\nmetadata: { version: 1.10 }", true],
    ["name: a\ndescription: b\nallowed-tools: Read Grep", true],
  ])("strict: %j is %s", (yaml, valid) => {
    expect(validator("skill-manifest.strict.schema.json")(valueOf(yaml))).toBe(valid);
  });

  test.each([
    ["allowed_tools: '*'\nexecution_protocol: []", true],
    ["allowed_tools: Read\nexecution_protocol: []", false],
    ["allowed_tools: [Read]\nexecution_protocol: []\nforbiden_tools: [x]", false],
    ["allowed_tools: [Read]\nexecution_protocol: []\ncompatibility_rules: [{ type: forbids, skill: x }]", false],
  ])("scope: %j is %s", (yaml, valid) => {
    expect(validator("skill-scope.schema.json")(valueOf(yaml))).toBe(valid);
  });
});

test("the package ships its schemas", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  expect(files).toContain("schema");
});
