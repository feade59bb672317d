import { describe, expect, test } from "vitest";
import { limits } from "../core/limits.ts";
import { parseScope } from "./scope-file.ts";

const parse = (text: string) => parseScope(Buffer.from(text), limits.skill.workspace);
const least = "allowed_tools: [Read]\nexecution_protocol: [plan, do]\n";

describe("SC-1: scope.yaml", () => {
  test("a full declaration", () => {
    const text = `version: 1.10
allowed_tools: [Read, "Bash(git:*)"]
forbidden_tools: [Write]
execution_protocol: [plan, Then do it]
preconditions: [clean tree]
postconditions: [tests pass]
output_contract: { type: json, schema: { required: [a] } }
compatibility_rules: [{ type: requires, skill: other, reason: needs it }]
composability_rules: [{ type: forbids, skill: third }]
`;
    expect(parse(text)).toEqual({
      findings: [],
      declaration: {
        version: "1.10",
        allowedTools: ["Read", "Bash(git:*)"],
        forbiddenTools: ["Write"],
        executionProtocol: ["plan", "Then do it"],
        preconditions: ["clean tree"],
        postconditions: ["tests pass"],
        outputContract: { type: "json", schema: { required: ["a"] } },
        compatibilityRules: [{ type: "requires", skill: "other", reason: "needs it" }],
        composabilityRules: [{ type: "forbids", skill: "third", reason: null }],
      },
    });
  });

  test("the star is the identity, alone and not in a list", () => {
    expect(parse("allowed_tools: '*'\nexecution_protocol: []").declaration?.allowedTools).toBe("*");
    expect(parse("allowed_tools: ['*']\nexecution_protocol: []").declaration).toBeUndefined();
  });

  test.each(["", "''", '"  "', "~", "null"])("an empty version is none: %j", (version) => {
    expect(parse(`version: ${version}\n${least}`)).toMatchObject({ findings: [], declaration: { version: null } });
  });

  test("name and description are SKILL.md's: ignored, and the scope stays usable", () => {
    const { declaration, findings } = parse(`name: x\ndescription: y\n${least}`);
    expect(declaration?.allowedTools).toEqual(["Read"]);
    expect(findings.map(({ code, at }) => `${code}:${at.line}`)).toEqual(["scope.repeats:1", "scope.repeats:2"]);
  });
});

describe("SC-1: bounds are said with what is wanted", () => {
  const rule = (skill: string, reason = "r") => `{ type: requires, skill: ${skill}, reason: ${reason} }`;
  const many = (count: number, text: string) => `[${Array.from({ length: count }, () => text).join(", ")}]`;
  const rules = "at most 64 rules, each with a skill of at most 256 and a reason of at most 1000 characters";
  const steps = "at most 256 texts of at most 1000 characters";

  test.each([
    ["version", "v".repeat(256), "v".repeat(257), "text of at most 256 characters"],
    ["preconditions", many(256, "a"), many(257, "a"), steps],
    ["postconditions", `[${"x".repeat(1000)}]`, `[${"x".repeat(1001)}]`, steps],
    ["compatibility_rules", many(64, rule("a")), many(65, rule("a")), rules],
    ["compatibility_rules", many(1, rule("a".repeat(256))), many(1, rule("a".repeat(257))), rules],
    ["composability_rules", many(1, rule("a", "r".repeat(1000))), many(1, rule("a", "r".repeat(1001))), rules],
    [
      "output_contract",
      `{ type: ${"t".repeat(256)} }`,
      `{ type: ${"t".repeat(257)} }`,
      "`type` of at most 256 characters and optionally `schema`",
    ],
  ])("%s", (field, most, over, wanted) => {
    expect(parse(`${least}${field}: ${most}`)).toMatchObject({ findings: [], declaration: {} });
    const { declaration, findings } = parse(`${least}${field}: ${over}`);
    expect(declaration).toBeUndefined();
    expect(findings).toMatchObject([{ code: "scope.type", message: `"${field}" must be ${wanted}`, at: { line: 3 } }]);
  });

  test("execution_protocol", () => {
    const { findings } = parse(`allowed_tools: []\nexecution_protocol: ${many(257, "a")}`);
    expect(findings).toMatchObject([{ code: "scope.type", message: `"execution_protocol" must be ${steps}` }]);
  });
});

describe("SK-4: half a restriction is none", () => {
  test.each([
    ["allowed_tools: [Read]", "scope.missing"],
    ["execution_protocol: [a]", "scope.missing"],
    [`${least}forbiden_tools: [Write]`, "scope.unknown"],
    ["allowed_tools: Read\nexecution_protocol: [a]", "scope.type"],
    ["allowed_tools: [[Read]]\nexecution_protocol: [a]", "scope.type"],
    ["allowed_tools: ['']\nexecution_protocol: [a]", "scope.type"],
    [`${least}forbidden_tools: { Write: true }`, "scope.type"],
    [`${least}output_contract: json`, "scope.type"],
    [`${least}output_contract: { schema: {} }`, "scope.type"],
    [`${least}compatibility_rules: [{ type: forbids, skill: x }]`, "scope.type"],
    [`${least}composability_rules: [{ type: requires }]`, "scope.type"],
    [`${least}composability_rules: [{ type: requires, skill: x, extra: 1 }]`, "scope.type"],
    [`allowed_tools: [${"x,".repeat(65)}]\nexecution_protocol: [a]`, "scope.type"],
    ["allowed_tools: [Read", "scope.unreadable"],
    ["- a", "scope.unreadable"],
    ["a: &x 1\nb: *x", "scope.unreadable"],
    ["a: 1\n---\nb: 1", "scope.unreadable"],
    ["x".repeat(70_000), "scope.unreadable"],
  ])("%j: %s and no declaration", (text, code) => {
    const { declaration, findings } = parse(text);
    expect(declaration).toBeUndefined();
    expect(findings.map((each) => each.code)).toContain(code);
  });

  test("bytes that are not UTF-8", () => {
    expect(parseScope(Buffer.from([0xff]), limits.skill.workspace).declaration).toBeUndefined();
  });
});
