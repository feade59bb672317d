import { describe, expect, test } from "vitest";
import { emptyScope, scopeOf } from "../../test/support/scope-of.ts";
import { parseForbidden, parsePattern } from "./tools/patterns.ts";
import type { CapabilitySkill } from "./capability.ts";
import { effectiveList, effectiveTools, factsOf, namedTools } from "./effective.ts";
import type { Scope } from "./scope.ts";

const catalogue = ["write", "read", "shell", "edit", "execute", "read"];
const example = scopeOf({ allowed: { a: ["read", "write"], b: ["read", "execute"] }, forbidden: { b: ["write"] } });

/** By name: `allow`, `deny`, or the entries that limit it. */
function standings(scope: Scope, tools: readonly string[] = catalogue) {
  return Object.fromEntries(
    effectiveTools(scope, tools).map(({ name, decision, limited }) => [name, limited ?? decision]),
  );
}

describe("effectiveTools", () => {
  test("SC-3: the example, tool by tool and why", () => {
    expect(effectiveTools(example, catalogue)).toEqual([
      { name: "edit", decision: "deny", why: "not allowed by a, b", limited: null },
      { name: "execute", decision: "deny", why: "not allowed by a", limited: null },
      { name: "read", decision: "allow", why: "nothing is against it", limited: null },
      { name: "shell", decision: "deny", why: "not allowed by a, b", limited: null },
      { name: "write", decision: "deny", why: "forbidden by b", limited: null },
    ]);
  });

  test("SC-3: of several groups a call has to fit one entry each", () => {
    const why = (allowed: Record<string, readonly string[]>) => effectiveTools(scopeOf({ allowed }), ["edit"])[0]?.why;
    expect(why({ a: ["Edit(src/**)", "Edit(docs/**)"], b: ["Edit(src/a/**)"] })).toBe(
      "only calls that fit Edit(src/a/**) and one of Edit(docs/**), Edit(src/**) pass",
    );
    const many = Array.from({ length: 5 }, (_, at) => [`s${at}`, [`Edit(src/${"*/".repeat(at)}**)`]]);
    expect(why(Object.fromEntries(many))).toMatch(/^only calls that fit (?:\S+ and ){3}what 2 more let through pass$/);
  });

  test("SC-3: paths of two groups that lie apart leave nothing", () => {
    const scope = scopeOf({ allowed: { a: ["Edit(src/**)"], b: ["Edit(docs/**)"], c: ["Edit(**)"] } });
    expect(effectiveTools(scope, ["edit"])).toEqual([
      { name: "edit", decision: "deny", why: "no call fits what a, b, c let through, all together", limited: null },
    ]);
  });

  test("SC-3: nothing of an empty scope, everything of a star", () => {
    expect(new Set(Object.values(standings(emptyScope)))).toEqual(new Set(["deny"]));
    expect(effectiveTools(emptyScope, ["read"])[0]?.why).toBe("the scope is empty");
    expect(new Set(Object.values(standings(scopeOf({ allowed: { a: "*" } }))))).toEqual(new Set(["allow"]));
  });

  test("a tool that only some calls may use is allowed, and limited", () => {
    const scope = scopeOf({ allowed: { a: ["Bash(git:*)", "Edit"], b: "*" }, forbidden: { b: ["Edit(src/**)"] } });
    expect(standings(scope)).toMatchObject({ shell: ["Bash(git:*)"], edit: ["Edit(src/**)"], read: "deny" });
    const [edit, shell] = effectiveTools(scope, ["shell", "edit"]);
    expect(edit?.why).toBe("none that fits Edit(src/**) does");
    expect(shell?.why).toBe("only calls that fit Bash(git:*) pass");
  });

  test.each([
    ["no command of one is one of the other", ["Bash(git:*)"], ["Bash(npm:*)"], [], "deny"],
    ["another exact command", ["Bash(git status)"], ["Bash(git)", "Bash(git log)"], [], "deny"],
    ["one is inside the other", ["Bash(git:*)"], ["Bash(git log)", "Bash(ls)"], [], "limited"],
    ["any simple command", ["Bash(*)"], ["Bash(ls)"], [], "limited"],
    ["the shorter list has the wider one", ["Bash(git:*)"], ["Bash(ls)", "Bash(git log:*)"], [], "limited"],
    ["an exact one and one with more words", ["Bash(git)"], ["Bash(git log:*)"], [], "deny"],
    ["an exact one and the same open", ["Bash(git)"], ["Bash(git:*)"], [], "limited"],
    ["an empty word is a word", ["Bash('':*)"], ["Bash(ls)"], [], "deny"],
    ["words end where they end", ["Bash(git:*)"], ["Bash(gitk)"], [], "deny"],
    ["one has the whole tool", ["Bash"], ["Bash(ls)"], [], "limited"],
    ["both have the whole tool", ["Bash"], ["shell"], [], "allow"],
    ["forbidden by words is forbidden", ["Bash"], ["Bash"], ["Bash(rm:*)"], "deny"],
  ])("SC-7: commands of two groups: %s", (_, a, b, forbidden, expected) => {
    const [shell] = effectiveTools(scopeOf({ allowed: { a, b }, forbidden: { a: forbidden } }), ["shell"]);
    expect(shell?.limited === null ? shell.decision : "limited").toBe(expected);
  });

  test.each([
    [["Edit(src/**)"], ["Edit(docs/**)"], [], "deny"],
    [["Edit(src/**)"], ["Edit"], ["Edit(src/**)"], "deny"],
    [["Edit(src/a/*)", "Edit(src/b)"], ["Edit"], ["MultiEdit(src/**)"], "deny"],
    [["Edit(src/**)", "Edit(docs/**)"], ["Edit"], ["Edit(src/**)"], "limited"],
    [["Edit"], ["Edit"], ["Edit(**)"], "deny"],
    [["Edit(src/**)"], ["replace(src/**)"], [], "deny"],
    [["Edit(Src/**)"], ["Edit"], ["Edit(sRC/**)"], "deny"],
    [["Edit(docs/a.md)", "Edit(docs/b/*)"], ["Edit"], ["Edit(docs)"], "deny"],
    [["Edit(src/**)"], ["Edit"], ["Edit(src/*)"], "deny"],
    [["Edit(src/**/a)"], ["Edit"], ["Edit(src/*)"], "deny"],
    [["Edit(src/*.ts)"], ["Edit"], ["Edit(**/*.ts)"], "deny"],
    [["Edit(src/**)"], ["Edit"], ["Edit(src/*/a)"], "limited"],
    [["Edit(**/a)"], ["Edit"], ["Edit(a)"], "limited"],
    [["Edit(src)"], ["Edit"], ["Edit(src/a/b)"], "limited"],
    [["Edit(src/e*)"], ["Edit"], ["Edit(src/e*)"], "limited"],
  ])("SC-7: paths %j and %j without %j: %s", (a, b, forbidden, expected) => {
    const [edit] = effectiveTools(scopeOf({ allowed: { a, b }, forbidden: { a: forbidden } }), ["edit"]);
    expect(edit?.limited === null ? edit.decision : "limited").toBe(expected);
  });

  test("T33: what is no name of a tool is denied", () => {
    const names = ["", " read", "r\u0435ad", "Bash(git:*)", "*"];
    expect(new Set(Object.values(standings(scopeOf({ allowed: { a: "*" } }), names)))).toEqual(new Set(["deny"]));
  });
});

describe("effectiveList", () => {
  test("SC-3: A allows read, write; B allows read, execute and forbids write", () => {
    expect(effectiveList(example, catalogue)).toEqual({ allowed: ["read"], forbidden: ["write"] });
  });

  test("names are shown as canonical ones, the pair as edit", () => {
    const scope = scopeOf({
      allowed: { a: ["Read", "Edit", "Grep"], b: "*" },
      forbidden: { b: ["MultiEdit", "Glob"] },
    });
    expect(effectiveList(scope, ["Read", "Edit", "search"])).toEqual({
      allowed: ["read", "search"],
      forbidden: ["edit", "list"],
    });
    expect(effectiveList(scopeOf({ allowed: { a: ["Edit"] } }), ["Edit"]).allowed).toEqual(["edit"]);
    expect(effectiveList(scopeOf({ allowed: { a: ["Edit"] } }), ["patch", "replace"]).allowed).toEqual([
      "patch",
      "replace",
    ]);
  });

  test("SC-7: a shell entry with arguments forbids the shell; other entries are shown as written", () => {
    const forbidden = { a: ["Bash(rm:*)", "Bash(ls)", "mcp__hub__*", "Edit(src/**)", "what\u202e?"] };
    expect(effectiveList(scopeOf({ allowed: { a: "*" }, forbidden }), []).forbidden).toEqual([
      "Edit(src/**)",
      "mcp__hub__*",
      "shell",
      "what\\u{202e}?",
    ]);
  });

  test("patterns that hold in every group are listed, and no others", () => {
    const a = ["Bash(git:*)", "Bash(npm run:*)", "Edit(src/**)", "Read"];
    const b = ["Bash(git status)", "Bash(npm run:*)", "Bash(ls)", "Edit(**)", "Read(docs/*)"];
    const tools = ["shell", "edit", "read"];
    expect(effectiveList(scopeOf({ allowed: { a, b, c: "*" } }), tools).allowed).toEqual([
      "Bash(git status)",
      "Bash(npm run:*)",
      "Edit(src/**)",
      "Read(docs/*)",
    ]);
    const forbidden = { a: ["Bash(rm)", "Edit(src/secret/**)", "Read(other/**)"] };
    expect(effectiveList(scopeOf({ allowed: { a, b }, forbidden }), tools).allowed).toEqual(["Read(docs/*)"]);
    expect(effectiveList(scopeOf({ allowed: { a, b } }), ["read"]).allowed).toEqual(["Read(docs/*)"]);
  });

  test("a pattern adds nothing to a tool that passes as a whole", () => {
    expect(effectiveList(scopeOf({ allowed: { a: ["Bash", "Bash(ls)"] } }), ["shell"]).allowed).toEqual(["shell"]);
  });

  test("what is forbidden on some paths is not listed as allowed on all", () => {
    const scope = scopeOf({ allowed: { a: ["Edit", "Read"] }, forbidden: { a: ["Edit(src/**)"] } });
    expect(effectiveList(scope, ["edit", "read"])).toEqual({ allowed: ["read"], forbidden: ["Edit(src/**)"] });
  });
});

test("namedTools: every tool that skills allow or forbid, once", () => {
  const skill = (allowed: "*" | readonly string[], forbidden: readonly string[]) =>
    ({
      allowed: allowed === "*" ? allowed : allowed.flatMap((text) => parsePattern(text) ?? []),
      forbidden: forbidden.map(parseForbidden),
    }) as Partial<CapabilitySkill> as CapabilitySkill;
  const skills = [
    skill(["Read", "Bash(git:*)", "specKit", "Edit(src/**)", "no such form"], []),
    skill("*", ["Bash(rm:*)", "MultiEdit", "write", "Read(docs/**)", "mcp__hub__*", "mcp__hub__post", "??"]),
  ];
  expect(namedTools(skills)).toEqual(["edit", "mcp__hub__post", "read", "shell", "specKit", "write"]);
  expect(namedTools([])).toEqual([]);
});

describe("SC-10: what contracts are told", () => {
  test("canonical names; what some calls may use is allowed, what they may not is not forbidden", () => {
    const scope = scopeOf({
      allowed: { "team/a": ["Edit(src/**)", "Bash(git:*)", "Read"], "team/b": "*" },
      forbidden: { "team/b": ["Edit(src/x)", "MultiEdit(no [form])", "LS", "mcp__hub__*"] },
      protocol: ["plan", "Do it."],
    });
    expect(factsOf(scope, ["Read", "Bash", "list", "edit"])).toEqual({
      skills: ["team/a", "team/b"],
      allowed: ["read", "shell"],
      forbidden: ["Edit(src/x)", "list", "patch", "replace"],
      protocol: ["plan", "Do it."],
    });
    const limited = scopeOf({ allowed: { a: ["Edit"] }, forbidden: { a: ["Edit(src/**)"] } });
    expect(factsOf(limited, ["edit"])).toMatchObject({ allowed: ["patch", "replace"], forbidden: ["Edit(src/**)"] });
  });

  test("no scope is null; what forbids everything names all tools of the host", () => {
    expect(factsOf(null, ["read"])).toBeNull();
    const facts = factsOf(scopeOf({ allowed: { a: "*" }, forbidden: { a: ["??"] } }), ["mcp__hub__post"]);
    expect(facts?.allowed).toEqual([]);
    expect(facts?.forbidden).toEqual(["mcp__hub__post"]);
    const server = scopeOf({ allowed: { a: "*" }, forbidden: { a: ["mcp__hub__*", "nobody_has_it"] } });
    expect(factsOf(server, ["mcp__hub__post", "read"])).toMatchObject({
      allowed: ["read"],
      forbidden: ["mcp__hub__post", "nobody_has_it"],
    });
  });
});
