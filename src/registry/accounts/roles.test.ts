import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requireRight } from "./permit.ts";
import { chosenRole, mayAct, parseRole, type Right, type Role, roles, weakerRole } from "./roles.ts";

const rights: readonly Right[] = ["read", "operate", "review", "administer"];
const person = (role: Role) => ({ name: "ann", role, configurations: null });
const allowed = (role: Role, reviewers: boolean) =>
  rights.filter((right) => mayAct(person(role), right, { reviewers })).join(" ");

describe("RV-12: what each role may do", () => {
  test.each<[Role, string, string]>([
    ["reader", "read", "read"],
    ["operator", "read operate", "read operate"],
    ["reviewer", "read", "read review"],
    ["admin", "read operate review administer", "read operate review administer"],
  ])("%s: %s; with reviewers switched on: %s", (role, off, on) => {
    expect(allowed(role, false)).toBe(off);
    expect(allowed(role, true)).toBe(on);
  });

  test("a refusal says who is what, and what it takes", () => {
    const refusal = (role: Role, right: Right) => () =>
      requireRight({ person: person(role), policy: { reviewers: false } }, right);
    expect(refusal("operator", "administer")).toThrow("ann is operator: this takes the role admin");
    expect(refusal("reader", "operate")).toThrow("ann is reader: this takes the role operator or admin");
    expect(refusal("reviewer", "review")).toThrow("the role reviewer is switched off");
    expect(refusal("admin", "administer")).not.toThrow();
  });

  test("only the four words are roles", () => {
    expect(roles.map(parseRole)).toEqual(roles);
    for (const word of ["", "Admin", "admin ", "root", "constructor"]) {
      expect(parseRole(word)).toBeUndefined();
      expect(() => chosenRole(word)).toThrow("choose one of reader, operator, reviewer, admin");
    }
  });

  test("the weaker of two roles may exactly what both may, in either order", () => {
    const anyRole = fc.constantFrom(...roles);
    fc.assert(
      fc.property(anyRole, anyRole, fc.constantFrom(...rights), (one, other, right) => {
        const policy = { reviewers: true };
        const both = mayAct(person(one), right, policy) && mayAct(person(other), right, policy);
        expect(mayAct(person(weakerRole(one, other)), right, policy)).toBe(both);
      }),
    );
  });
});
