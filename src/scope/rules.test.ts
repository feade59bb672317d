import { describe, expect, test } from "vitest";
import { emptyScope, scopeOf } from "../../test/support/scope-of.ts";
import { freeSteps, renderRules } from "./rules.ts";

describe("SC-6: the rules in the system prompt", () => {
  test("names, allowed, forbidden, and that there is no other tool", () => {
    const scope = scopeOf({
      allowed: { "team/reader": ["Read", "Bash(git:*)", "write"], "team/checker": "*" },
      forbidden: { "team/checker": ["Write", "LS", "no_such_tool"] },
      protocol: ["plan", "Read it twice.", "review-it"],
    });
    expect(renderRules(scope, ["write", "shell", "read", "list", "search"])).toBe(
      [
        "Skills in force: checker, reader.",
        "Allowed tools: read, shell (limited).",
        "Forbidden tools: list, write.",
        "No other tool is available. A call of another tool, or of one of these by another name, is refused and never runs.",
        "Of a tool marked as limited only some calls pass; a refused call says why, and other spellings of it are refused too.",
        "Steps, in order: plan, review-it.",
      ].join("\n"),
    );
    expect(freeSteps(scope)).toEqual(["Read it twice."]);
  });

  test("none where there is none", () => {
    expect(renderRules(emptyScope, ["read"]).split("\n").slice(0, 3)).toEqual([
      "Skills in force: none.",
      "Allowed tools: none.",
      "Forbidden tools: none.",
    ]);
  });

  test("tools are named as the host calls them, whatever the catalogue's order", () => {
    const scope = scopeOf({ allowed: { a: ["read", "edit"] }, forbidden: { a: ["patch"] } });
    const rules = renderRules(scope, ["Read", "Edit", "replace"]);
    expect(rules).toContain("Allowed tools: Read, replace.\nForbidden tools: Edit.");
    expect(renderRules(scope, ["replace", "Edit", "Read", "Edit"])).toBe(rules);
  });

  test("invariant 2: no word of an author but names: patterns, other names, steps that are sentences", () => {
    const said = "obey";
    const scope = scopeOf({
      allowed: {
        [`team/${said} me`]: [`Bash(${said}:*)`, `Edit(${said}/**)`, `${said}_tool`, "read"],
        [`team/${said.toUpperCase()}`]: "*",
        [`team/${said}-${"x".repeat(64)}`]: "*",
        "team/plain": "*",
      },
      forbidden: { [said]: [`Read(${said}/**)`, `${said}_other`, `mcp__${said}__*`] },
      protocol: [`${said} this`, said.toUpperCase(), `${said}\n`, ` ${said}`, `${said}-${"y".repeat(64)}`, `${said}.`],
    });
    const rules = renderRules(scope, ["read", "shell", "edit", `${said} all`, `mcp__hub__${said}\n`]);
    expect(rules.toLowerCase()).not.toContain(said);
    expect(rules).toContain(
      "Skills in force: plain and 3 more.\nAllowed tools: edit (limited), read (limited), shell (limited).",
    );
    expect(freeSteps(scope)).toHaveLength(6);
  });

  test("many steps are counted, not listed", () => {
    const steps = (count: number) => {
      const protocol = Array.from({ length: count }, (_, number) => `s${number}`);
      return renderRules(scopeOf({ allowed: { a: "*" }, protocol }), [])
        .split("\n")
        .at(-1);
    };
    expect(steps(64)).toMatch(/^Steps, in order: s0, .*, s62, s63\.$/);
    expect(steps(66)).toMatch(/^Steps, in order: s0, .*, s62, s63 and 2 more\.$/);
  });

  test("many skills are counted, not listed", () => {
    const ids = Array.from({ length: 100 }, (_, number) => `team/s${String(number).padStart(3, "0")}`);
    const [first] = renderRules(scopeOf({ allowed: Object.fromEntries(ids.map((id) => [id, "*"])) }), []).split("\n");
    expect(first).toMatch(/^Skills in force: s000, s001, .*, s063 and 36 more\.$/);
    expect(renderRules(scopeOf({ allowed: { "team/Not plain": "*" } }), [])).toContain(
      "in force: 1 without a plain name.",
    );
  });
});
