import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lowerTrust, parseTrust, type Trust, trusts } from "./trust.ts";

const anyTrust = fc.constantFrom(...trusts);

describe("IN-1: trust", () => {
  test("every known word is read as itself", () => {
    expect(trusts.map(parseTrust)).toEqual(["untrusted", "community", "verified", "first_party"]);
  });

  test.each([
    "",
    "First_Party",
    "first-party",
    " verified",
    "admin",
    "__proto__",
    null,
    undefined,
    3,
    ["verified"],
    {},
  ])("%j is not known and reads as the lowest", (word) => {
    expect(parseTrust(word)).toBe("untrusted");
  });

  test.each<[Trust, Trust, Trust]>([
    ["first_party", "verified", "verified"],
    ["community", "verified", "community"],
    ["untrusted", "first_party", "untrusted"],
  ])("of %s and %s the lower is %s", (a, b, lower) => {
    expect(lowerTrust(a, b)).toBe(lower);
  });

  test("the lower of two is one of them, whichever comes first, and never above either", () => {
    fc.assert(
      fc.property(anyTrust, anyTrust, (a, b) => {
        const lower = lowerTrust(a, b);
        expect(lower).toBe(lowerTrust(b, a));
        expect([a, b]).toContain(lower);
        expect(trusts.indexOf(lower)).toBe(Math.min(trusts.indexOf(a), trusts.indexOf(b)));
      }),
    );
  });
});
