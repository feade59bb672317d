import { describe, expect, test } from "vitest";
import type { CapabilityDefinition } from "./capability.ts";
import { createCapabilities, type PrimaryRegistry, type ValidateOptions } from "./registry.ts";
import { errorFinding } from "./scope-faults.ts";

function registryOf(skills: Readonly<Record<string, Partial<CapabilityDefinition>>>): PrimaryRegistry {
  const registry = createCapabilities();
  for (const [name, more] of Object.entries(skills)) {
    const definition = { name, description: "One.", allowedTools: ["read"], executionProtocol: [], ...more };
    expect(registry.register(definition).filter(({ level }) => level === "high")).toEqual([]);
  }
  return registry;
}

const rule = (type: string, skill: string, reason: string | null = null) => ({ type, skill, reason });

describe("errors of a set (SC-4)", () => {
  test("all of them, each once, in the order of the skills, whatever the order of the names", () => {
    const registry = registryOf({
      a: {
        allowedTools: ["read", "teleport", "Bash(git:*)", "shell"],
        compatibilityRules: [rule("requires", "c"), rule("incompatible", "b", "they fight")],
        composabilityRules: [rule("requires", "c", "it keeps count"), rule("forbids", "b")],
      },
      b: { compatibilityRules: [rule("requires", "nobody")] },
      c: {},
    });
    const expected = [
      { code: "UNKNOWN_SKILL", skill: "ghost", reason: "there is no capability skill of this name" },
      { code: "FORBIDDEN_COMBINATION", skill: "session/a", reason: 'forbids "session/b" in the same set' },
      { code: "INCOMPATIBLE_SKILLS", skill: "session/a", reason: 'is incompatible with "session/b": they fight' },
      {
        code: "MISSING_REQUIRED",
        skill: "session/a",
        reason: 'requires "session/c", which is not in the set: it keeps count',
      },
      { code: "UNKNOWN_TOOL", skill: "session/a", reason: 'allows "shell", which is no tool of this host' },
      { code: "UNKNOWN_TOOL", skill: "session/a", reason: 'allows "teleport", which is no tool of this host' },
      {
        code: "MISSING_REQUIRED",
        skill: "session/b",
        reason: 'requires "nobody", which is not in the set',
      },
    ];
    const options = { catalogue: ["read"] };
    expect(registry.validate(["a", "b", "ghost", "a"], options).errors).toEqual(expected);
    expect(registry.validate(["ghost", "b", "session/a"], options).errors).toEqual(expected);
  });

  test("a rule's reason and a name from outside are made safe to show", () => {
    const registry = registryOf({
      a: { compatibilityRules: [rule("requires", "b\u202e", `\u001b[2J${"x".repeat(900)}`)] },
    });
    const [error, unknown] = registry.validate(["a", "gho\u0007st"]).errors.toReversed();
    expect(error?.reason).toContain("\\u{1b}[2J");
    expect(error?.reason.length).toBeLessThan(400);
    expect(unknown?.skill).toBe("gho\\u{7}st");
  });

  test("tools are held against a catalogue only when there is one, by what they mean", () => {
    const registry = registryOf({ a: { allowedTools: ["Read", "Edit", "Grep", "Bash(git:*)", "mcp__x__y"] } });
    const unknown = (options: ValidateOptions) => registry.validate(["a"], options).errors.map(({ reason }) => reason);
    expect(unknown({})).toEqual([]);
    expect(unknown({ catalogue: ["read", "replace", "search", "Bash", "mcp__x__y"] })).toEqual([]);
    expect(unknown({ catalogue: new Set(["READ", "edit", "search", "shell", "mcp__x__Y"]) })).toEqual([
      'allows "mcp__x__y", which is no tool of this host',
      'allows "read", which is no tool of this host',
    ]);
  });

  test("a companion that was overridden since is still the one that is meant", () => {
    const registry = registryOf({ a: { compatibilityRules: [rule("requires", "b")] }, b: {} });
    registry.override("b", { name: "b", description: "Two.", allowedTools: "*", executionProtocol: [] });
    expect(registry.validate(["a", "b"]).errors).toEqual([]);
  });

  test("an error is a finding where both are shown alike", () => {
    expect(errorFinding({ code: "UNKNOWN_SKILL", skill: "ghost", reason: "there is none" })).toEqual({
      code: "UNKNOWN_SKILL",
      level: "high",
      message: "there is none",
      at: { file: "skill:ghost", line: 1 },
    });
  });
});

describe("findings of a set (SC-4)", () => {
  const codes = (registry: PrimaryRegistry, names: readonly string[], options?: ValidateOptions) =>
    registry.validate(names, options).findings.map(({ code, at, excerpt }) => [code, at.file, excerpt]);

  test("a step may need what only another skill or the host knows for a tool", () => {
    const registry = registryOf({
      a: { executionProtocol: ["frobnicate `input`", "then use warp_drive"] },
      b: { allowedTools: ["read", "frobnicate"] },
    });
    expect(codes(registry, ["a"])).toEqual([]);
    expect(codes(registry, ["a", "b"])).toEqual([["scope.protocol-tool", "skill:session/a", "frobnicate `input`"]]);
    expect(codes(registry, ["a"], { catalogue: ["read", "warp_drive"] })).toEqual([
      ["scope.protocol-tool", "skill:session/a", "then use warp_drive"],
    ]);
  });

  test("what a host does not have need not be forbidden", () => {
    const registry = registryOf({
      a: { forbiddenTools: ["Edit", "mcp__docs__*", "mcp__mail__*", "teleport", "Write(a/**)"] },
    });
    expect(codes(registry, ["a"])).toEqual([]);
    expect(codes(registry, ["a"], { catalogue: ["read", "patch", "mcp__mail__send"] })).toEqual([
      ["scope.unknown-forbidden", "skill:session/a", "Write(a/**)"],
      ["scope.unknown-forbidden", "skill:session/a", "mcp__docs__*"],
      ["scope.unknown-forbidden", "skill:session/a", "teleport"],
    ]);
  });

  test.each<[string, readonly Partial<CapabilityDefinition>[], ValidateOptions]>([
    ["lists with nothing in common", [{ allowedTools: ["read"] }, { allowedTools: ["write"] }], {}],
    [
      "all that is allowed is forbidden",
      [{ allowedTools: ["read"] }, { allowedTools: "*", forbiddenTools: ["Read"] }],
      {},
    ],
    ["an empty list", [{ allowedTools: [] }], {}],
    ["nothing but entries in no known form", [{ allowedTools: ["Bash(git"] }], {}],
    ["everything forbidden", [{ allowedTools: "*", forbiddenTools: ["no name"] }], {}],
    ["all of a host forbidden", [{ allowedTools: "*", forbiddenTools: ["write"] }], { catalogue: ["write"] }],
    ["a host without any of them", [{ allowedTools: "*" }], { catalogue: [] }],
    ["half of edit", [{ allowedTools: ["replace"] }], { catalogue: ["edit"] }],
    [
      "all paths forbidden, in another spelling",
      [{ allowedTools: ["Read(Src/**)"], forbiddenTools: ["Read(SRC/**)"] }],
      {},
    ],
    ["all of a folder's files forbidden", [{ allowedTools: ["Read(docs/a.md)"], forbiddenTools: ["Read(docs)"] }], {}],
    ["a tool forbidden on all paths", [{ allowedTools: ["read"], forbiddenTools: ["Read(**)"] }], {}],
    ["a name that no tool has", [{ allowedTools: "*" }], { catalogue: ["no name"] }],
    ["commands that never meet", [{ allowedTools: ["Bash(git:*)"] }, { allowedTools: ["Bash(npm:*)"] }], {}],
    ["paths that never meet", [{ allowedTools: ["Edit(src/**)"] }, { allowedTools: ["Edit(docs/**)"] }], {}],
    [
      "a pair, where each stands for itself",
      [
        { allowedTools: ["read"], compatibilityRules: [rule("requires", "s1")] },
        { allowedTools: ["write"], compatibilityRules: [rule("requires", "s0")] },
      ],
      { strict: true },
    ],
  ])("nothing is left: %s", (_, skills, options) => {
    expect(emptied(skills, options)).toBe(true);
  });

  test.each<[string, readonly Partial<CapabilityDefinition>[], ValidateOptions]>([
    ["a tool that both allow", [{ allowedTools: ["read", "list"] }, { allowedTools: ["list"] }], {}],
    ["a star", [{ allowedTools: "*", forbiddenTools: ["shell"] }], {}],
    ["some calls of a tool", [{ allowedTools: ["Bash(git:*)"] }, { allowedTools: ["Bash(git status)"] }], {}],
    ["some paths of a tool", [{ allowedTools: ["write"], forbiddenTools: ["Write(a/**)"] }], {}],
    ["half of edit, where it is all the host has", [{ allowedTools: ["Edit"] }], { catalogue: ["replace"] }],
    [
      "a pair",
      [
        { allowedTools: ["read"], compatibilityRules: [rule("requires", "s1")] },
        { allowedTools: ["write"], compatibilityRules: [rule("requires", "s0")] },
      ],
      {},
    ],
    [
      "a pair of which one has a star",
      [
        { allowedTools: ["Read(a)"], compatibilityRules: [rule("requires", "s1")] },
        { allowedTools: "*", compatibilityRules: [rule("requires", "s0")] },
      ],
      {},
    ],
    ["no skill, which asks for nothing", [], {}],
  ])("something is left: %s", (_, skills, options) => {
    expect(emptied(skills, options)).toBe(false);
  });

  function emptied(skills: readonly Partial<CapabilityDefinition>[], options: ValidateOptions): boolean {
    const registry = registryOf(Object.fromEntries(skills.map((skill, at) => [`s${at}`, skill])));
    const { findings } = registry.validate(
      skills.map((_, at) => `s${at}`),
      options,
    );
    return findings.some(({ code }) => code === "scope.empty");
  }

  test("each once, in the order of the skills, whatever the order of the names", () => {
    const registry = registryOf({
      b: { executionProtocol: ["`write` it", "`write` it again"] },
      a: { allowedTools: ["read", "list"], forbiddenTools: ["list"], executionProtocol: ["shell"] },
    });
    const expected = [
      ["scope.overlap", "skill:session/a", "list"],
      ["scope.protocol-tool", "skill:session/a", "shell"],
      ["scope.protocol-tool", "skill:session/b", "`write` it"],
    ];
    expect(codes(registry, ["a", "b"])).toEqual(expected);
    expect(codes(registry, ["b", "a", "b"])).toEqual(expected);
  });
});
