import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CapabilitySkill } from "./capability.ts";
import { readDefinition } from "./definition.ts";
import { groupsOf } from "./compose-scope.ts";

function skill(name: string, requires: readonly string[], source = "session"): CapabilitySkill {
  const rules = requires.map((other) => ({ type: "requires", skill: other, reason: null }));
  const read = readDefinition(
    { name, description: "One.", allowedTools: [], executionProtocol: [], compatibilityRules: rules },
    { source },
  );
  if (read.skill === undefined) throw new Error("not a skill");
  return read.skill;
}

const shown = (groups: readonly (readonly CapabilitySkill[])[]) =>
  groups
    .map((group) =>
      group
        .map(({ id }) => id)
        .toSorted()
        .join(" "),
    )
    .toSorted();

/** By definition: two stand together when each can be reached from the other. */
function byReaching(edges: readonly (readonly boolean[])[]): string[] {
  const reach = edges.map((row) => [...row]);
  const all = edges.map((_, at) => at);
  for (const via of all)
    for (const from of all)
      for (const to of all) if (reach[from]?.[via] && reach[via]?.[to]) (reach[from] ?? [])[to] = true;
  const together = (a: number) => all.filter((b) => a === b || (reach[a]?.[b] && reach[b]?.[a]));
  const groups = all.map((at) =>
    together(at)
      .map((member) => `session/s${member}`)
      .join(" "),
  );
  return [...new Set(groups)].toSorted();
}

describe("groups (SC-3)", () => {
  test("are what can be reached there and back, in any graph", () => {
    const graphs = fc
      .integer({ min: 1, max: 8 })
      .chain((size) =>
        fc.array(fc.array(fc.boolean(), { minLength: size, maxLength: size }), { minLength: size, maxLength: size }),
      );
    fc.assert(
      fc.property(graphs, (edges) => {
        const skills = edges.map((row, at) =>
          skill(
            `s${at}`,
            row.flatMap((is, to) => (is ? [`s${to}`] : [])),
          ),
        );
        expect(shown(groupsOf(skills))).toEqual(byReaching(edges));
      }),
      { seed: 8, numRuns: 200 },
    );
  });

  test("only through skills of the set: one that is left out joins nobody", () => {
    const ring = [skill("a", ["b"]), skill("b", ["c"]), skill("c", ["a"])];
    expect(groupsOf(ring)).toHaveLength(1);
    expect(groupsOf(ring.slice(0, 2))).toHaveLength(2);
  });

  test("never across sources, also not through one", () => {
    const set = [skill("a", ["south/b"], "north"), skill("b", ["north/c"], "south"), skill("c", ["north/a"], "north")];
    expect(groupsOf(set)).toHaveLength(3);
  });

  test("a rule means the other source's skill, although one of its own is called like that id", () => {
    const own = [skill("a", ["south/b"], "north"), skill("south/b", ["a"], "north")];
    expect(groupsOf(own)).toHaveLength(1);
    expect(groupsOf([...own, skill("b", [], "south")])).toHaveLength(3);
  });

  test("T26: a chain as long as the registry may be, and the ring of all", () => {
    const size = 100_000;
    const template = skill("s", []);
    const long = (last: string) =>
      Array.from({ length: size }, (_, at): CapabilitySkill => {
        const next = at + 1 < size ? `s${at + 1}` : last;
        return { ...template, name: `s${at}`, compatibilityRules: [{ type: "requires", skill: next, reason: null }] };
      });
    expect(groupsOf(long("nobody"))).toHaveLength(size);
    expect(groupsOf(long("s0"))).toHaveLength(1);
  });
});
