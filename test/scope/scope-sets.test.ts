import { describe, expect, test } from "vitest";
import { effectiveList, namedTools } from "../../src/scope/effective.ts";
import { createCapabilities, type PrimaryRegistry } from "../../src/scope/registry.ts";
import { type SkillSet, sets } from "./scope-sets.ts";

describe.each([false, true])("60 hand-made sets, strict: %s", (strict) => {
  test.each(sets.map((set) => [set.about, set] as const))("SC-3, SC-4: %s", (_, set) => {
    const expected = strict ? { ...set.expected, ...set.strict, groups: apart(set.expected.groups) } : set.expected;
    expect(outcome(set, strict)).toEqual({ errors: "", ...expected });
  });
});

test("there are 60 of them, and each says something of its own", () => {
  expect(sets).toHaveLength(60);
  expect(new Set(sets.map(({ about }) => about)).size).toBe(sets.length);
  expect(sets.filter(({ strict }) => strict !== undefined).length).toBeGreaterThan(8);
});

/** In strict mode every skill is a group of its own. */
function apart(groups: string): string {
  return words(groups.replaceAll("+", ", ")).toSorted().join(", ");
}

function outcome({ skills, ask, tools }: SkillSet, strict: boolean) {
  const registry = createCapabilities();
  const written = skills.trim().split("\n").filter(Boolean);
  const names = written.map((line) => register(registry, line));
  const asked = ask === undefined ? names : words(ask);
  const catalogue = tools === undefined ? undefined : words(tools);
  const { errors } = registry.validate(asked, { strict, catalogue });
  const held = asked.filter((name) => registry.get(name) !== undefined);
  const scope = registry.compose(held, { strict });
  const all = held.flatMap((name) => registry.get(name) ?? []);
  const { allowed, forbidden } = effectiveList(scope, catalogue ?? namedTools(all));
  return {
    allowed: allowed.join(", "),
    forbidden: forbidden.join(", "),
    groups: scope.groups
      .map((group) => group.skills.map(short).join("+"))
      .toSorted()
      .join(", "),
    errors: errors.map(({ code, skill }) => `${code} ${short(skill)}`).join(", "),
  };
}

/** `source/name: allow a, b; forbid c; requires d`; without a source it is declared in code. */
function register(registry: PrimaryRegistry, line: string): string {
  const [, id = "", clauses = ""] = /^\s*(\S+?): (.*)$/.exec(line) ?? [];
  const [source, name] = id.includes("/") ? id.split("/") : ["session", id];
  const said = new Map(clauses.split("; ").map((clause) => [clause.split(" ")[0], clause.replace(/^\S+ ?/, "")]));
  const rules = (verb: string, type: string) =>
    words(said.get(verb) ?? "").map((skill) => ({ type, skill, reason: null }));
  const allowed = said.get("allow");
  const findings = registry.register(
    {
      name: name ?? "",
      description: "One of a set.",
      allowedTools: allowed === "*" ? "*" : words(allowed ?? ""),
      forbiddenTools: words(said.get("forbid") ?? ""),
      executionProtocol: [],
      compatibilityRules: [...rules("requires", "requires"), ...rules("incompatible", "incompatible")],
      composabilityRules: [...rules("needs", "requires"), ...rules("bars", "forbids")],
    },
    { source: source ?? "" },
  );
  expect(findings.filter(({ level }) => level === "high")).toEqual([]);
  return `${source}/${name}`;
}

function words(text: string): string[] {
  return text === "" ? [] : text.split(", ");
}

function short(id: string): string {
  return id.replace(/^session\//, "");
}
