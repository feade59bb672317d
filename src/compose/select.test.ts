import { describe, expect, test } from "vitest";
import type { Trust } from "../sources/trust.ts";
import type { UsableEntry } from "../registry/snapshot.ts";
import { reaches, select, type Wanted } from "./select.ts";

function usableOf(trusts: Record<string, Trust>): ReadonlyMap<string, UsableEntry> {
  const entries = Object.entries(trusts).map(([id, trust]): [string, UsableEntry] => [
    id,
    { id, digest: "d".repeat(64), name: id, description: "", trust, grants: ["Read"], approvals: [] },
  ]);
  return new Map(entries);
}

const nothing: Wanted = { configuration: [], task: [], invoked: [], routed: [] };
const usable = usableOf({ "h:a": "verified", "h:b": "community", "h:c": "first_party", "h:d": "verified" });
const choose = (wanted: Partial<Wanted>, floor: Trust = "untrusted") =>
  select(usable, { ...nothing, ...wanted }, floor, (entry) => `${entry} is\u202e disabled`);
const shown = ({ chosen }: ReturnType<typeof choose>) => chosen.map(({ entry, via }) => [entry, via]);

describe("CO-1: the one selection", () => {
  test("configuration, then task, then invoked, then routed; first wins", () => {
    const chosen = choose({ routed: ["h:d", "h:a"], task: ["h:b", "h:a"], configuration: ["h:a"], invoked: ["h:c"] });
    expect(shown(chosen)).toEqual([
      ["h:a", "configuration"],
      ["h:b", "task"],
      ["h:c", "invoked"],
      ["h:d", "routed"],
    ]);
    expect(chosen).toMatchObject({ dropped: [], findings: [] });
  });

  test("one that is asked for by name as well keeps its place and counts as invoked", () => {
    expect(shown(choose({ configuration: ["h:a", "h:b"], invoked: ["h:a"], routed: ["h:b"] }))).toEqual([
      ["h:a", "invoked"],
      ["h:b", "configuration"],
    ]);
  });

  test("what cannot be used is dropped with the reason, once", () => {
    const { chosen, dropped, findings } = choose({ configuration: ["h:x", "h:a"], task: ["h:x"] });
    expect(chosen.map(({ entry }) => entry)).toEqual(["h:a"]);
    expect(dropped).toEqual([{ entry: "h:x", digest: null, via: "configuration", why: "unusable" }]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ code: "compose.unusable", at: { file: "entry:h:x" } });
    expect(findings[0]?.message).toContain("h:x is\\u{202e} disabled");
  });

  test("what is trusted less than the floor is dropped with a finding", () => {
    const { dropped, findings, ...rest } = choose({ configuration: ["h:a", "h:b"], invoked: ["h:c"] }, "verified");
    expect(shown({ dropped, findings, ...rest })).toEqual([
      ["h:a", "configuration"],
      ["h:c", "invoked"],
    ]);
    expect(dropped).toMatchObject([{ entry: "h:b", why: "below-floor", digest: "d".repeat(64) }]);
    expect(findings).toMatchObject([{ code: "compose.below-floor" }]);
  });

  test("a trust that is not known is below every floor, and as a floor above all", () => {
    expect(reaches("?" as Trust, "untrusted")).toBe(false);
    expect(reaches("first_party", "?" as Trust)).toBe(false);
    expect(reaches("?" as Trust, "?" as Trust)).toBe(false);
    expect(reaches("verified", "verified")).toBe(true);
  });

  test("names out of a prototype are entries that nobody has", () => {
    expect(choose({ invoked: ["__proto__", "constructor"] }).dropped).toHaveLength(2);
  });
});
