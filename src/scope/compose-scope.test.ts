import { describe, expect, test } from "vitest";
import type { CapabilityDefinition, CapabilitySkill } from "./capability.ts";
import { composeScope, joinScopes, withForbidden } from "./compose-scope.ts";
import { readDefinition } from "./definition.ts";

function skill(name: string, more: Partial<CapabilityDefinition> = {}, source = "session"): CapabilitySkill {
  const definition = { name, description: "One.", allowedTools: ["read"], executionProtocol: [], ...more };
  const { skill: read } = readDefinition(definition, { source });
  if (read === undefined) throw new Error("not a skill");
  return read;
}

const texts = (entries: "*" | readonly { readonly text: string }[] | undefined) =>
  entries === "*" ? entries : entries?.map(({ text }) => text);

describe("composing (SC-3)", () => {
  test("lists are in order, each thing once, with all who forbid it", () => {
    const scope = composeScope([
      skill("b", { allowedTools: ["write", "read", "write"], forbiddenTools: ["spawn", "shell"] }),
      skill("a", { forbiddenTools: ["shell"] }),
    ]);
    expect(scope.skills.map(({ id }) => id)).toEqual(["session/a", "session/b"]);
    expect(scope.groups.map(({ allowed }) => texts(allowed))).toEqual([["read"], ["read", "write"]]);
    expect(scope.forbidden.map(({ text, by }) => [text, by])).toEqual([
      ["shell", ["session/a", "session/b"]],
      ["spawn", ["session/b"]],
    ]);
  });

  test("the protocol is each skill's own order, in the order of the skills, each step once", () => {
    const skills = [
      skill("b", { executionProtocol: ["look", "act", "report"] }),
      skill("a", { executionProtocol: ["plan", "look", "plan"] }),
    ];
    expect(composeScope(skills).protocol).toEqual(["plan", "look", "act", "report"]);
    expect(composeScope(skills.toReversed()).protocol).toEqual(["plan", "look", "act", "report"]);
  });

  test("the empty scope has a group that allows nothing, and null is something else", () => {
    const empty = composeScope([]);
    expect(empty.groups).toEqual([{ skills: [], allowed: [] }]);
    expect(joinScopes(null, null)).toBeNull();
    expect(joinScopes(null, empty)).toBe(empty);
    expect(joinScopes(empty, null)).toBe(empty);
  });

  test("two skills under one id are both kept: the one that was, and the one that overrode it", () => {
    const scope = composeScope([skill("a", { allowedTools: ["read"] }), skill("a", { allowedTools: ["write"] })]);
    expect(scope.groups).toHaveLength(2);
  });
});

describe("joining (SC-5, invariant 3)", () => {
  const parent = composeScope([skill("a", { allowedTools: ["read", "list"], forbiddenTools: ["list"] })]);
  const own = composeScope([skill("b", { allowedTools: "*", forbiddenTools: ["shell"] }), skill("c")]);

  test("a child has its parent's groups and its own, and what either forbids", () => {
    const joined = joinScopes(parent, own);
    expect(joined?.groups.map(({ skills }) => skills)).toEqual([["session/a"], ["session/b"], ["session/c"]]);
    expect(joined?.forbidden.map(({ text }) => text)).toEqual(["list", "shell"]);
    expect(joined?.skills).toHaveLength(3);
  });

  test("the empty scope stays empty in whatever it is joined with", () => {
    expect(joinScopes(composeScope([]), own)?.groups).toContainEqual({ skills: [], allowed: [] });
    expect(joinScopes(own, composeScope([]))?.groups).toContainEqual({ skills: [], allowed: [] });
  });

  test("joining the same again and again does not grow", () => {
    let scope = joinScopes(parent, own);
    const once = structuredClone(scope);
    for (let depth = 0; depth < 20; depth++) scope = joinScopes(joinScopes(scope, own), parent);
    expect(scope).toEqual(once);
  });

  test("a scope joined with itself is the same, to the order", () => {
    const odd = composeScope([skill("A b", {}, "team"), skill("A", {}, "team"), skill("A!", {}, "team"), skill("a")]);
    expect(joinScopes(odd, odd)).toEqual(odd);
  });

  test("groups of the same skills that allow something else are kept apart: one was overridden in between", () => {
    const before = composeScope([skill("a", { allowedTools: ["read"] })]);
    const after = composeScope([skill("a", { allowedTools: "*" })]);
    expect(joinScopes(before, after)?.groups.map(({ allowed }) => texts(allowed))).toEqual([["read"], "*"]);
  });

  test("what a workspace forbids holds with and without a scope", () => {
    expect(withForbidden(null, [], "workspace")).toBeNull();
    expect(withForbidden(parent, [], "workspace")).toBe(parent);
    expect(withForbidden(null, ["Bash(rm:*)"], "workspace")).toEqual({
      skills: [],
      groups: [{ skills: [], allowed: "*" }],
      forbidden: [{ text: "Bash(rm:*)", reach: { kind: "tools", tools: ["shell"] }, by: ["workspace"] }],
      protocol: [],
    });
    const narrowed = withForbidden(parent, ["list", "write"], "workspace");
    expect(narrowed?.groups).toEqual(parent.groups);
    expect(narrowed?.forbidden.map(({ text, by }) => [text, by])).toEqual([
      ["list", ["session/a", "workspace"]],
      ["write", ["workspace"]],
    ]);
  });

  test("frozen through and through, however it was made", () => {
    for (const scope of [
      parent,
      composeScope([]),
      joinScopes(parent, own),
      withForbidden(own, ["Write(a/**)"], "workspace"),
    ])
      expect(isFrozenThrough(scope)).toBe(true);
    expect(isFrozenThrough(withForbidden(null, ["Write(a/**)"], "workspace"))).toBe(true);
  });
});

function isFrozenThrough(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenThrough);
}
