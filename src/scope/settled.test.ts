import { expect, test } from "vitest";
import { scopeOf } from "../../test/support/scope-of.ts";
import { builtIns } from "./built-ins.ts";
import { composeScope, joinScopes, withForbidden } from "./compose-scope.ts";
import { createCapabilities } from "./registry.ts";
import type { Scope } from "./scope.ts";
import { isSettled } from "./scope-index.ts";

test("what is composed and joined is settled, so that it is read once", () => {
  const registry = createCapabilities();
  registry.register({
    name: "editor",
    description: "Edits.",
    allowedTools: ["Edit(src/**)", "Bash(git:*)"],
    forbiddenTools: ["Edit(src/x/**)", "??"],
    executionProtocol: ["plan"],
  });
  const own = registry.compose(["editor"]);
  const scopes = [composeScope([]), composeScope(builtIns), own, joinScopes(own, composeScope(builtIns))];
  for (const scope of [
    ...scopes,
    withForbidden(null, ["shell"], "workspace"),
    withForbidden(own, ["Read(a/**)"], "workspace"),
  ])
    expect(scope === null ? null : isSettled(scope)).toBe(true);
});

test("what can change anywhere is not", () => {
  const scope = scopeOf({ allowed: { a: ["Edit(src/**)"], b: "*" }, forbidden: { a: ["Read(docs/**)"] } });
  expect(isSettled(scope)).toBe(true);
  const [group, other] = scope.groups;
  const [forbidden] = scope.forbidden;
  if (group === undefined || group.allowed === "*" || other === undefined || forbidden === undefined)
    expect.unreachable();
  const [pattern] = group.allowed;
  if (pattern?.argument?.kind !== "path") expect.unreachable();
  const open: readonly Scope[] = [
    { ...scope },
    Object.freeze({ ...scope, groups: [...scope.groups] }),
    Object.freeze({ ...scope, forbidden: [...scope.forbidden] }),
    withGroups(scope, [{ ...group }]),
    withGroups(scope, [Object.freeze({ ...group, skills: ["a"] })]),
    withGroups(scope, [Object.freeze({ ...group, allowed: [...group.allowed] })]),
    withGroups(scope, [Object.freeze({ ...group, allowed: Object.freeze([{ ...pattern }]) })]),
    withGroups(scope, [
      Object.freeze({
        ...group,
        allowed: Object.freeze([Object.freeze({ ...pattern, argument: { ...pattern.argument } })]),
      }),
    ]),
    Object.freeze({ ...scope, forbidden: Object.freeze([{ ...forbidden }]) }),
    Object.freeze({
      ...scope,
      forbidden: Object.freeze([Object.freeze({ ...forbidden, reach: { ...forbidden.reach } })]),
    }),
  ];
  expect(open.map(isSettled)).toEqual(open.map(() => false));
});

function withGroups(scope: Scope, groups: Scope["groups"]): Scope {
  return Object.freeze({ ...scope, groups: Object.freeze(groups) });
}
