import { describe, expect, it } from "vitest";
import { limits } from "../../core/limits.ts";
import { parseYaml } from "../../skill/yaml.ts";
import { readCase } from "./read-case.ts";

function read(text: string) {
  const { root } = parseYaml(text, limits.skill.workspace);
  if (root === undefined) throw new Error("no YAML");
  return readCase(root, "a.case.yaml");
}

const head = "name: a\nprompts: [Hello]\n";
const faults = (text: string) => read(text).findings?.map(({ code, message, at }) => `${code}:${at.line} ${message}`);

describe("AG-9: reading a case", () => {
  it("AG-9: what is not said has its usual value", () => {
    expect(read(`${head}checks: [{ toolCalled: read }]\n`).read).toEqual({
      name: "a",
      description: null,
      skills: [],
      files: [],
      prompts: ["Hello"],
      script: null,
      trust: true,
      allow: [],
      runs: 1,
      checks: [{ check: { is: "toolCalled", tool: "read" }, isNot: false, line: 3 }],
      golden: false,
    });
  });

  it("AG-9: every check can stand under not, and twice not is none", () => {
    const { read: found } = read(
      `${head}checks:\n  - not: { toolCalledWith: { tool: shell, input: { command: ls }, contains: { command: l } } }\n`,
    );
    expect(found?.checks).toEqual([
      {
        check: { is: "toolCalledWith", tool: "shell", input: { command: "ls" }, contains: { command: "l" } },
        isNot: true,
        line: 4,
      },
    ]);
    expect(faults(`${head}checks:\n  - not: { not: { toolCalled: read } }\n`)?.[0]).toContain(':4 "not" is no check');
  });

  it.each([
    ["checks:\n  - toolCaled: read", ':4 "toolCaled" is no check; did you mean toolCalled?'],
    ["checks:\n  - constructor: read", ':4 "constructor" is no check; expected toolCalled'],
    ["checks:\n  - toolCalled: read\n    toolDenied: read", ":4 checks: expected one key"],
    ["checks:\n  - read", ":4 checks: expected one key"],
    ["checks: []", ":3 checks: expected 1 to"],
    ["", "neither checks nor a golden transcript"],
    ["golden: true\ncheck: 1", ':4 "check" is no field of a case; did you mean checks?'],
    ["golden: perhaps", ":3 golden: expected true or false"],
    ["golden: true\nruns: 0", ":4 runs: expected a whole number from 1 to 100"],
    ["golden: true\nruns: 101", ":4 runs: expected"],
    ["golden: true\nname: [x]".replace("name", "description"), ":4 description: expected a text"],
    ["golden: true\nscript: [{ replay: x }]", ':4 the script rule 1 has an unknown field "replay"'],
    ["golden: true\nscript: [{ turn: 0, reply: x }]", ":4 the script rule 1"],
    ["checks:\n  - responseMatches: (a+)+", "eval.case-pattern:4 responseMatches: it could take too long"],
    ["checks:\n  - toolCalledWith: { tool: read }", ":4 toolCalledWith: expected input or contains"],
    ["checks:\n  - toolCalledWith: { tool: read, input: a.txt }", ":4 toolCalledWith: expected fields"],
    ["checks:\n  - toolCalledWith: { input: { a: 1 } }", ":4 tool: expected"],
    ["checks:\n  - fileContains: { path: a }", ":4 text: expected"],
    ["checks:\n  - fileContains: { text: a }", ":4 fileContains: expected the path"],
    ["checks:\n  - fileModified: ../a", ":4 fileModified: "],
  ])("AG-9: %j is refused with its line", (text, message) => {
    expect(faults(`${head}${text}\n`)?.[0]).toContain(message);
  });

  it.each(["../a", "/etc/passwd", "a/../../b", "a//b", ".", String.raw`a\b`, "C:/a", "a\u0007"])(
    "T23: no file of a case is written to %j",
    (path) => {
      const found = faults(`${head}golden: true\nfiles:\n  ${JSON.stringify(path)}: x\n`);
      expect(found?.[0]).toContain("eval.case-invalid:5 files: ");
    },
  );

  it("AG-9: a path is a file or a folder", () => {
    expect(faults(`${head}golden: true\nfiles: { a: x, a/b: y }\n`)?.[0]).toContain("would be a file and a folder");
    expect(faults(`${head}golden: true\nfiles: { a/b: x, a: y }\n`)?.[0]).toContain("would be a file and a folder");
    expect(read(`${head}golden: true\nfiles: { a/b: x, a/c: "" }\n`).read?.files).toHaveLength(2);
  });

  it("AG-9: a name and a prompt are needed", () => {
    expect(faults("golden: true\n")).toEqual([
      expect.stringContaining("name: expected"),
      expect.stringContaining("prompts: expected what a person says"),
    ]);
  });
});
