import { describe, expect, test } from "vitest";
import { limits } from "../core/limits.ts";
import { coreValue } from "./core-value.ts";
import { parseYaml } from "./yaml.ts";

const bounds = limits.skill.workspace;
const faultOf = (source: string) => parseYaml(source, bounds).fault;

describe("SK-4, T20: what is not read", () => {
  test.each([
    ["a: &x 1", "yaml.anchor", 1],
    ["a: 1\nb: *x", "yaml.alias", 2],
    ["<<: { a: 1 }", "yaml.merge", 1],
    ["a: 1\nb: !!js/function x", "yaml.tag", 2],
    ["a: !local x", "yaml.tag", 1],
    ["a: 1\nb: 2\na: 3", "yaml.duplicate", 3],
    ["m: { a: 1, a: 2 }", "yaml.duplicate", 1],
    ["? [a]\n: 1", "yaml.key", 1],
    ["a: 1\nc: 2\n---\nb: 2", "yaml.documents", 3],
    ["%TAG ! tag:x\n---\na: 1", "yaml.tag", 1],
    ['a: "x\\0y"', "yaml.nul", 1],
    ["- a\n- b", "yaml.shape", 1],
    ["just text", "yaml.shape", 1],
    ["a: b: c", "yaml.invalid", 1],
    ["a: 1\nb: 'open", "yaml.invalid", 2],
    [`a: ${"[".repeat(11)}${"]".repeat(11)}`, "yaml.depth", 1],
    [`a: [${"x,".repeat(5000)}]`, "yaml.nodes", 1],
  ])("%j is %s on line %i", (source, code, line) => {
    expect(faultOf(source)).toMatchObject({ code, line });
  });

  test("a quoted merge key is a word like any other", () => {
    expect(parseYaml('"<<": x', bounds).root?.entries.has("<<")).toBe(true);
  });
});

describe("T21: keys are data", () => {
  test("__proto__, constructor and prototype reach nothing", () => {
    const { root } = parseYaml("__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }", bounds);
    const value = root && coreValue(root);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("values as any YAML 1.2 reader sees them", () => {
  test.each([
    ["null", null],
    ["~", null],
    ["", null],
    ["true", true],
    ["FALSE", false],
    ["no", "no"],
    ["012", 12],
    ["0o17", 15],
    ["0xff", 255],
    ["1.10", 1.1],
    ["-1e3", -1000],
    [".inf", ".inf"],
    ["1e999", "1e999"],
    ["2024-01-01", "2024-01-01"],
    ['"true"', "true"],
    ["[a, 1]", ["a", 1]],
  ])("%s is %j", (source, expected) => {
    const { root } = parseYaml(`a: ${source}`, bounds);
    const node = root?.entries.get("a")?.value;
    expect(node && coreValue(node)).toEqual(expected);
  });
});

test("an empty source is an empty map", () => {
  expect(parseYaml("# only a comment\n", bounds).root?.entries.size).toBe(0);
});

test("every key knows its line, also after block scalars", () => {
  const { root } = parseYaml("a: |\n  one\n  two\n\nb: 1\nc:\n  - x\nd:", bounds);
  expect([...(root?.entries ?? [])].map(([key, { line }]) => `${key}:${line}`)).toEqual(["a:1", "b:5", "c:6", "d:8"]);
});
