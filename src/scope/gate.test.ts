import { describe, expect, test } from "vitest";
import { emptyScope, hostOf, patterns, scopeOf } from "../../test/support/scope-of.ts";
import { parseForbidden } from "./tools/patterns.ts";
import type { ToolCall } from "./tools/tools.ts";
import { type CallDecision, decide, type HostWord } from "./gate.ts";
import type { Scope } from "./scope.ts";

const tools = ["read", "list", "search", "write", "edit", "replace", "patch", "shell", "execute", "mcp__hub__post"];
const host = hostOf(tools);

function verdict(scope: Scope | null, call: ToolCall, word: HostWord = "allow", grants: readonly string[] = []) {
  return decide(hostOf(tools, word), scope, patterns(grants), call);
}

function codeOf(decision: CallDecision): string {
  return decision.verdict === "deny" ? decision.code : decision.verdict;
}

describe("T33: who denied cannot be falsified", () => {
  const scope = scopeOf({
    allowed: { a: ["read", "Bash(git:*)"], b: ["read", "shell", "write"] },
    forbidden: { a: ["write", "Read(x/**)"], b: ["Write", "read(x)"] },
  });
  const thawed: Scope = { ...scope, forbidden: [{ ...parseForbidden("write"), by: ["a"] }] };

  test.each<[string, Scope, ToolCall, readonly string[]]>([
    ["not allowed", scope, { tool: "execute" }, ["a", "b"]],
    ["not fitting", scope, { tool: "shell", command: "rm x" }, ["a"]],
    ["forbidden", scope, { tool: "write" }, ["a", "b"]],
    ["forbidden on a path", scope, { tool: "read", paths: ["x/y"] }, ["a", "b"]],
    ["of a scope that is not frozen", thawed, { tool: "write" }, ["a"]],
  ])("%s", (_, held, call, by) => {
    const denied = verdict(held, call);
    if (denied.verdict !== "deny") throw new Error("not denied");
    expect(denied.by).toEqual(by);
    expect(Reflect.set(denied.by, 0, "somebody/else")).toBe(false);
    expect(verdict(held, call)).toEqual(denied);
  });
});

describe("the host comes first", () => {
  test.each([
    "Read",
    "READ",
    "read ",
    " read",
    "r\u0435ad",
    "",
    "*",
    "constructor",
    "__proto__",
    "toString",
    "late_tool",
  ])("T33: a tool that the host does not have by exactly this name is denied: %j", (tool) => {
    const decision = decide(host, null, patterns(["Read", "late_tool"]), { tool });
    expect(decision).toMatchObject({ verdict: "deny", code: "TOOL_NOT_ALLOWED", by: [] });
  });

  test("SC-7: a name in no known form is denied, also when the host has it and no scope was asked for", () => {
    const odd = ["do it", "read\u200b", "r\u0435ad", "*", "Bash(git:*)"];
    for (const tool of odd) expect(codeOf(decide(hostOf(odd), null, [], { tool }))).toBe("TOOL_NOT_ALLOWED");
  });

  test("SC-7: what the host denies stays denied, whatever scope and grants say", () => {
    const scope = scopeOf({ allowed: { a: "*", b: ["read"] } });
    for (const each of [scope, null])
      expect(verdict(each, { tool: "read" }, "deny", ["Read"])).toMatchObject({ verdict: "deny", by: [] });
  });

  test("SC-7: a host whose word cannot be had denies", () => {
    const thrower = () => {
      throw new Error("broken");
    };
    expect(codeOf(decide({ ...host, word: thrower }, null, [], { tool: "read" }))).toBe("TOOL_NOT_ALLOWED");
    for (const word of ["yes", undefined, true, Promise.resolve("allow")])
      expect(codeOf(decide({ ...host, word: () => word as HostWord }, null, [], { tool: "read" }))).toBe(
        "TOOL_NOT_ALLOWED",
      );
  });

  test("the host judges the very call that is judged afterwards", () => {
    let reads = 0;
    const call = {
      tool: "shell",
      get command() {
        return reads++ === 0 ? "git status" : "rm -rf .";
      },
    };
    const seen: ToolCall[] = [];
    const curious = {
      ...host,
      word: (asked: ToolCall) => {
        seen.push(asked);
        return "allow" as const;
      },
    };
    const decision = decide(curious, scopeOf({ allowed: { a: ["Bash(git:*)"] } }), [], call);
    expect(decision).toMatchObject({ verdict: "allow", argv: ["git", "status"] });
    expect(seen).toEqual([{ tool: "shell", command: "git status", paths: undefined }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
    expect(reads).toBe(1);
  });
});

describe("the scope takes away", () => {
  const example = scopeOf({ allowed: { a: ["read", "write"], b: ["read", "execute"] }, forbidden: { b: ["write"] } });

  test("SC-3: every group must have an entry, and nothing may forbid it", () => {
    expect(verdict(example, { tool: "read" })).toEqual({ verdict: "allow", argv: null, why: expect.any(String) });
    expect(verdict(example, { tool: "write" })).toMatchObject({ code: "TOOL_FORBIDDEN", by: ["b"] });
    expect(verdict(example, { tool: "execute" })).toMatchObject({ code: "TOOL_NOT_ALLOWED", by: ["a"] });
    expect(verdict(example, { tool: "shell", command: "ls" })).toMatchObject({ by: ["a", "b"] });
  });

  test("SC-3: an empty scope allows nothing; no scope takes nothing away; the star is the identity", () => {
    for (const tool of tools) {
      expect(codeOf(verdict(emptyScope, { tool }))).toBe("TOOL_NOT_ALLOWED");
      expect(codeOf(verdict(null, { tool }))).toBe("allow");
      expect(codeOf(verdict(scopeOf({ allowed: { a: "*" } }), { tool }))).toBe("allow");
    }
  });

  test("SC-7: aliases are one tool; edit is two, and both must be allowed", () => {
    const reading = scopeOf({ allowed: { a: ["Read", "Grep"] } });
    expect(codeOf(verdict(reading, { tool: "read" }))).toBe("allow");
    expect(codeOf(verdict(reading, { tool: "search" }))).toBe("allow");

    const half = scopeOf({ allowed: { a: ["replace"] } });
    expect(codeOf(verdict(half, { tool: "replace" }))).toBe("allow");
    expect(codeOf(verdict(half, { tool: "edit" }))).toBe("TOOL_NOT_ALLOWED");
    expect(codeOf(verdict(scopeOf({ allowed: { a: ["replace", "patch"] } }), { tool: "edit" }))).toBe("allow");
    expect(codeOf(verdict(scopeOf({ allowed: { a: ["Edit"] } }), { tool: "patch" }))).toBe("allow");

    const noPatch = scopeOf({ allowed: { a: "*" }, forbidden: { a: ["patch"] } });
    expect(codeOf(verdict(noPatch, { tool: "edit" }))).toBe("TOOL_FORBIDDEN");
    expect(codeOf(verdict(noPatch, { tool: "replace" }))).toBe("allow");
  });

  test("SC-7: forbidden is said before not allowed", () => {
    const scope = scopeOf({ allowed: { a: [], b: "*" }, forbidden: { b: ["shell"] } });
    expect(verdict(scope, { tool: "shell" })).toMatchObject({ code: "TOOL_FORBIDDEN", by: ["b"] });
  });

  test.each([
    ["Bash(rm:*)", { tool: "shell", command: "git status" }],
    ["mcp__hub__*", { tool: "mcp__hub__post" }],
    ["what is this?", { tool: "read" }],
    ["Read(docs/**)", { tool: "read" }],
    ["Read(docs/**)", { tool: "read", paths: [] }],
    ["Read(docs/**)", { tool: "read", paths: ["/etc/passwd"] }],
    ["Read(docs/**)", { tool: "read", paths: ["src/a.ts", "DOCS/a.md"] }],
    ["Read(**)", { tool: "read", paths: ["src/a.ts"] }],
  ])("SC-7: %j forbids %j", (text, call) => {
    const scope = scopeOf({ allowed: { a: "*", c: ["read", "shell", "mcp__hub__post"] }, forbidden: { b: [text] } });
    const decision = verdict(scope, call);
    expect(decision).toMatchObject({ verdict: "deny", code: "TOOL_FORBIDDEN", by: ["b"] });
    expect(decision.why).toContain(text);
  });

  test("what forbids some paths leaves the others alone", () => {
    const scope = scopeOf({ allowed: { a: "*" }, forbidden: { a: ["Read(docs/**)"] } });
    expect(codeOf(verdict(scope, { tool: "read", paths: ["src/a.ts"] }))).toBe("allow");
    expect(codeOf(verdict(scope, { tool: "write", paths: ["docs/a.md"] }))).toBe("allow");
  });

  test("T27: what is said of a call holds nothing unseen and stays short", () => {
    const hostile = `mcp__\u202e${"x".repeat(10_000)}\n\u001b[31m`;
    const scope = scopeOf({ allowed: { [hostile]: [] }, forbidden: { [hostile]: [hostile] } });
    for (const decision of [verdict(scope, { tool: "read" }), decide(host, scope, [], { tool: hostile })]) {
      expect(decision.why).toMatch(/^[\x20-\x7e…]*$/);
      expect(decision.why.length).toBeLessThan(600);
    }
  });
});

describe("SC-7: patterns", () => {
  const git = scopeOf({ allowed: { a: ["Bash(git:*)", "Edit(src/**)"] } });

  test("a command that fits is run as its words, and what is no simple command is denied with why", () => {
    expect(verdict(git, { tool: "shell", command: "git log '--format=%h %s'" })).toMatchObject({
      verdict: "allow",
      argv: ["git", "log", "--format=%h %s"],
    });
    for (const command of [
      "git status; rm -rf /",
      "git$(id)",
      "git status\nid",
      "env git status",
      "",
      "git `id`",
      "git *",
    ])
      expect(verdict(git, { tool: "shell", command })).toMatchObject({ code: "TOOL_NOT_ALLOWED", by: ["a"] });
    expect(verdict(git, { tool: "shell" }).why).toContain("no command");
    expect(verdict(git, { tool: "shell", command: "git -c alias.x='!sh' x" })).toMatchObject({ verdict: "deny" });
  });

  test("where all groups have the whole tool, it runs as the tool does", () => {
    const command = "git status | cat";
    const whole = scopeOf({ allowed: { a: ["Bash", "Bash(git:*)"], b: "*" } });
    expect(verdict(whole, { tool: "shell", command })).toMatchObject({ verdict: "allow", argv: null });
    const part = scopeOf({ allowed: { a: ["Bash"], b: ["Bash(git:*)"] } });
    expect(codeOf(verdict(part, { tool: "shell", command }))).toBe("TOOL_NOT_ALLOWED");
    expect(verdict(part, { tool: "shell", command: "git status" })).toMatchObject({ argv: ["git", "status"] });
  });

  test("each group needs one that fits: patterns are not mixed across groups", () => {
    const scope = scopeOf({ allowed: { a: ["Bash(git:*)", "Bash(npm:*)"], b: ["Bash(git status)", "Bash(ls:*)"] } });
    expect(verdict(scope, { tool: "shell", command: "git status" })).toMatchObject({ argv: ["git", "status"] });
    expect(verdict(scope, { tool: "shell", command: "git push" })).toMatchObject({ by: ["b"] });
    expect(verdict(scope, { tool: "shell", command: "ls" })).toMatchObject({ by: ["a"] });
  });

  test("the same words, open and not, are two patterns", () => {
    for (const [a, b] of [
      ["Bash(git:*)", "Bash(git)"],
      ["Bash(git)", "Bash(git:*)"],
    ] as const) {
      const scope = scopeOf({ allowed: { a: [a], b: [b] } });
      expect(verdict(scope, { tool: "shell", command: "git" })).toMatchObject({ argv: ["git"] });
      expect(codeOf(verdict(scope, { tool: "shell", command: "git push" }))).toBe("TOOL_NOT_ALLOWED");
    }
  });

  test("all paths must fit, and be readable", () => {
    expect(codeOf(verdict(git, { tool: "edit", paths: ["src/a.ts", "src/b/c.ts"] }))).toBe("allow");
    const others = [["src/a.ts", "b.ts"], ["src/../b.ts"], ["SRC/a.ts"], [], ["/src/a.ts"], undefined];
    for (const paths of others) expect(codeOf(verdict(git, { tool: "edit", paths }))).toBe("TOOL_NOT_ALLOWED");
    expect(verdict(git, { tool: "edit" }).why).toContain("no path");
    expect(verdict(git, { tool: "edit", paths: ["../x"] }).why).toContain("..");
  });
});

describe("grants", () => {
  const open = scopeOf({ allowed: { a: "*" } });

  test("a grant stands for the person the host would ask, and for nobody else", () => {
    expect(codeOf(verdict(open, { tool: "write" }, "ask"))).toBe("ask");
    expect(codeOf(verdict(open, { tool: "write" }, "ask", ["Write"]))).toBe("allow");
    expect(codeOf(verdict(null, { tool: "write" }, "ask", ["Write"]))).toBe("allow");
    expect(codeOf(verdict(open, { tool: "write" }, "ask-always", ["Write"]))).toBe("ask");
    expect(codeOf(verdict(open, { tool: "write" }, "ask", ["Read"]))).toBe("ask");
  });

  test("a grant adds nothing to a scope", () => {
    const scope = scopeOf({ allowed: { a: ["read", "shell"] }, forbidden: { a: ["shell"] } });
    for (const word of ["allow", "ask", "ask-always"] as const) {
      expect(codeOf(verdict(scope, { tool: "write" }, word, ["Write"]))).toBe("TOOL_NOT_ALLOWED");
      expect(codeOf(verdict(scope, { tool: "shell", command: "ls" }, word, ["Bash"]))).toBe("TOOL_FORBIDDEN");
    }
  });

  test("SC-7: a command that only its pattern grants is run as its words", () => {
    const call = { tool: "shell", command: "git status" };
    expect(verdict(null, call, "ask", ["Bash(git:*)"])).toMatchObject({ verdict: "allow", argv: ["git", "status"] });
    expect(verdict(null, call, "ask", ["Bash(git:*)", "Bash"])).toMatchObject({ verdict: "allow", argv: null });
    expect(verdict(null, call, "allow", ["Bash(git:*)"])).toMatchObject({ verdict: "allow", argv: null });
    const tricked = { tool: "shell", command: "git status; id" };
    expect(verdict(null, tricked, "ask", ["Bash(git:*)"])).toMatchObject({ verdict: "ask", argv: null });
  });

  test("a call that is asked about is run as the scope's pattern let it through", () => {
    const scope = scopeOf({ allowed: { a: ["Bash(git:*)"] } });
    const call = { tool: "shell", command: "git status" };
    expect(verdict(scope, call, "ask-always", ["Bash"])).toMatchObject({ verdict: "ask", argv: ["git", "status"] });
    expect(verdict(scope, call, "ask")).toMatchObject({ verdict: "ask", argv: ["git", "status"] });
    expect(verdict(scope, call, "ask", ["Bash"])).toMatchObject({ verdict: "allow", argv: ["git", "status"] });
  });

  test("edit is granted when both of its tools are", () => {
    expect(codeOf(verdict(open, { tool: "edit" }, "ask", ["replace"]))).toBe("ask");
    expect(codeOf(verdict(open, { tool: "edit" }, "ask", ["replace", "patch"]))).toBe("allow");
  });
});

describe("calls that are none", () => {
  const thrower = () => {
    throw new Error("no");
  };
  const odd: readonly unknown[] = [
    null,
    undefined,
    7,
    "read",
    [],
    {},
    { tool: 7 },
    { tool: ["read"] },
    { tool: new String("read") },
    { tool: "read", paths: "src" },
    { tool: "read", paths: [7] },
    { tool: "read", paths: { length: 1, 0: "src" } },
    { tool: "read", paths: [Object.assign(Object.create(String.prototype), { toString: () => "src" })] },
    { tool: "read", paths: Array.from({ length: 100_000 }, () => "src") },
    { tool: "read", command: ["ls"] },
    { tool: "read", command: null },
    Object.defineProperty({}, "tool", { get: thrower }),
    Object.defineProperty({ tool: "read" }, "command", { get: thrower }),
    new Proxy({ tool: "read" }, { get: thrower }),
    { tool: "read", paths: new Proxy(["src"], { get: thrower }) },
  ];

  test.each(odd.map((call, at) => [at, call] as const))("T33: rubbish %i is denied, not thrown", (_, call) => {
    for (const scope of [null, scopeOf({ allowed: { a: "*" } })])
      expect(decide(host, scope, patterns(["Read"]), call as ToolCall)).toMatchObject({ verdict: "deny", by: [] });
  });

  test("a list of paths is read by number, whatever it says of itself", () => {
    const paths = Object.assign(["secret/a"], { [Symbol.iterator]: () => ["docs/a"][Symbol.iterator]() });
    const scope = scopeOf({ allowed: { a: ["Read(docs/**)"] } });
    expect(codeOf(verdict(scope, { tool: "read", paths }))).toBe("TOOL_NOT_ALLOWED");
  });
});

describe("the index of a scope", () => {
  test("a scope that changes is read again", () => {
    const scope = { skills: [], protocol: [], forbidden: [], groups: [{ skills: ["a"], allowed: patterns(["read"]) }] };
    expect(codeOf(verdict(scope, { tool: "read" }))).toBe("allow");
    scope.groups.push({ skills: ["b"], allowed: [] });
    expect(codeOf(verdict(scope, { tool: "read" }))).toBe("TOOL_NOT_ALLOWED");
  });

  test("more tools than are kept are judged alike, first and later", () => {
    const names = Array.from({ length: 600 }, (_, number) => `tool${number}`);
    const scope = scopeOf({ allowed: { a: names, b: names.filter((_, at) => at % 2 === 0) } });
    const codes = () => names.map((tool) => codeOf(decide(hostOf(names), scope, [], { tool })));
    expect(codes()).toEqual(names.map((_, at) => (at % 2 === 0 ? "allow" : "TOOL_NOT_ALLOWED")));
    expect(codes()).toEqual(codes());
  });
});
