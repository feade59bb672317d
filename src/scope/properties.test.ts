import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allows,
  calls,
  catalogue,
  entries,
  host,
  isStrict,
  run,
  scope,
  skill,
  skillOf,
  skills,
  someEntries,
  someSkills,
} from "../../test/support/drawn-scopes.ts";
import { fits, forbids, readCall } from "./tools/calls.ts";
import { parsePattern } from "./tools/patterns.ts";
import { canonicalTools, type ToolCall } from "./tools/tools.ts";
import { composeScope, joinScopes } from "./compose-scope.ts";
import { effectiveList, effectiveTools, namedTools } from "./effective.ts";
import { leavesNothing } from "./empty.ts";
import { type CallDecision, decide, type HostWord } from "./gate.ts";
import { renderRules } from "./rules.ts";
import type { Scope } from "./scope.ts";

function isAllowed(held: Scope | null, call: ToolCall): boolean {
  return decide(allows, held, [], call).verdict === "allow";
}

/** Calls that pass under the one and not under the other. */
function beyond(narrow: Scope | null, wide: Scope | null): readonly ToolCall[] {
  return calls.filter((call) => isAllowed(narrow, call) && !isAllowed(wide, call));
}

function groupWith(held: Scope, id: string): readonly string[] {
  return held.groups.find((group) => group.skills.includes(id))?.skills ?? [];
}

describe("T33, invariant 3: a scope never widens", () => {
  test("SC-3: the order of skills and their repetition change nothing", () => {
    fc.assert(
      fc.property(skills, fc.infiniteStream(fc.nat()), isStrict, (set, numbers, strict) => {
        const shuffled = [...set, ...set.slice(1)].map((each) => ({ each, key: numbers.next().value ?? 0 }));
        shuffled.sort((a, b) => a.key - b.key);
        const once = composeScope(set, { strict });
        expect(
          composeScope(
            shuffled.map(({ each }) => each),
            { strict },
          ),
        ).toEqual(once);
        const twice = joinScopes(once, once);
        expect(calls.filter((call) => isAllowed(twice, call) !== isAllowed(once, call))).toEqual([]);
      }),
      run,
    );
  });

  test("SC-3: a further skill adds nothing outside its group, and nothing at all without groups", () => {
    fc.assert(
      fc.property(someSkills, skill, isStrict, (set, added, strict) => {
        const before = set.filter(({ id }) => id !== added.id);
        const after = composeScope([...before, added], { strict });
        const group = groupWith(after, added.id);
        const others = before.filter(({ id }) => !group.includes(id));
        if (others.length > 0) expect(beyond(after, composeScope(others, { strict }))).toEqual([]);
        if (strict) expect(group).toEqual([added.id]);
        // What the group's other members did not let through, only the one that was added can.
        const own = group.flatMap((id) => [...before, added].filter((each) => each.id === id));
        expect(beyond(after, composeScope(own, { strict }))).toEqual([]);
      }),
      run,
    );
  });

  test("SC-3: without groups nothing passes that does not with them", () => {
    fc.assert(
      fc.property(skills, (set) => {
        expect(beyond(composeScope(set, { strict: true }), composeScope(set))).toEqual([]);
      }),
      run,
    );
  });

  test("SC-5: a child never has more than its parent or its own skills, at any depth", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(scope, fc.constant(null)), { maxLength: 6 }), (chain) => {
        let held: Scope | null = null;
        for (const own of chain) {
          const parent: Scope | null = held;
          held = joinScopes(parent, own);
          expect(beyond(held, parent)).toEqual([]);
          expect(beyond(held, own)).toEqual([]);
          expect(joinScopes(own, parent)?.groups).toEqual(held?.groups);
        }
      }),
      { ...run, numRuns: 80 },
    );
  });

  test("SC-3: what allows nothing allows nothing, whatever it is joined with", () => {
    fc.assert(
      fc.property(scope, (held) => {
        for (const nothing of [joinScopes(composeScope([]), held), joinScopes(held, composeScope([]))])
          expect(calls.filter((call) => isAllowed(nothing, call))).toEqual([]);
      }),
      run,
    );
  });
});

describe("T33: the gate", () => {
  test("SC-7: forbidden always wins", () => {
    fc.assert(
      fc.property(someSkills, isStrict, (set, strict) => {
        const held = composeScope(set, { strict });
        const forbidden = set.flatMap((each) => each.forbidden);
        const wrong = calls.filter((call) => {
          const decision = decide(allows, held, [], call);
          const isForbidden = forbidden.some((entry) => forbids(entry, readCall(call)));
          return (decision.verdict === "deny" && decision.code === "TOOL_FORBIDDEN") !== isForbidden;
        });
        expect(wrong).toEqual([]);
      }),
      run,
    );
  });

  test("SC-3: a call passes when every group has what fits each of its tools, and nothing forbids it", () => {
    let passing = 0;
    fc.assert(
      fc.property(scope, (held) => {
        const expected = calls.filter((call) => passes(held, call));
        expect(calls.filter((call) => isAllowed(held, call))).toEqual(expected);
        passing += expected.length;
      }),
      run,
    );
    // Sets under which nothing passes would show nothing.
    expect(passing).toBeGreaterThan(1_000);
  });

  test("SC-3: for plain names it is the intersection without what is forbidden", () => {
    const plain = ["read", "write", "execute", "shell"];
    const drawn = fc.record({ allowed: fc.subarray(plain), forbidden: fc.subarray(plain, { maxLength: 1 }) });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 4 }), (sets) => {
        const held = composeScope(
          sets.map(({ allowed, forbidden }, at) =>
            skillOf({
              name: `s${at}`,
              source: "team",
              allowedTools: allowed,
              forbiddenTools: forbidden,
              requires: [],
              executionProtocol: [],
            }),
          ),
        );
        const left = plain.filter((tool) =>
          sets.every(({ allowed, forbidden }) => allowed.includes(tool) && !forbidden.includes(tool)),
        );
        expect(effectiveList(held, plain)).toEqual({
          allowed: left.toSorted(),
          forbidden: [...new Set(sets.flatMap(({ forbidden }) => forbidden))].toSorted(),
        });
        expect(plain.filter((tool) => isAllowed(held, { tool }))).toEqual(left);
      }),
      run,
    );
  });

  test("a host's no stays one, its question stays one or is answered by a grant, and a scope adds nothing", () => {
    fc.assert(
      fc.property(host, fc.oneof(scope, fc.constant(null)), someEntries, (policy, held, granted) => {
        const grants = granted.flatMap((text) => parsePattern(text) ?? []);
        for (const call of calls) {
          const bare = decide(policy, null, [], call);
          const scoped = decide(policy, held, [], call);
          const full = decide(policy, held, grants, call);
          const isThere = policy.catalogue.has(call.tool);
          if (!isThere || policy.word(call, held) === "deny") expect(bare.verdict).toBe("deny");
          if (scoped.verdict !== "deny") expect(scoped.verdict).toBe(bare.verdict);
          expect(expectedWith(scoped, full, policy.word(call, held))).toBe("as it should be");
        }
      }),
      { ...run, numRuns: 100 },
    );
  });

  test("SC-7: what only a command pattern let through has words to be run as, and nothing else has", () => {
    fc.assert(
      fc.property(scope, (held) => {
        for (const call of calls) {
          const decision = decide(allows, held, [], call);
          if (decision.verdict === "deny") continue;
          const { words: read } = readCall(call);
          expect(decision.argv).toEqual(isWholeEverywhere(held, "shell") || !isShell(call) ? null : read);
        }
      }),
      run,
    );
  });

  test("never throws, whatever the call and whatever the scope", () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom(...catalogue, ...entries));
    const list = fc.oneof(fc.anything(), fc.array(fc.oneof(fc.string(), fc.anything()), { maxLength: 3 }));
    const text = fc.oneof(fc.string(), fc.anything());
    const rubbish = fc.oneof(
      fc.anything(),
      fc.record({ tool: value, command: text, paths: list }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(rubbish, fc.oneof(scope, fc.constant(null)), (call, held) => {
        const { verdict } = decide(allows, held, [], call as ToolCall);
        expect(["allow", "deny"]).toContain(verdict);
      }),
      { ...run, numRuns: 1000 },
    );
  });
});

describe("the effective set", () => {
  test("the gate agrees with it for every tool", () => {
    fc.assert(
      fc.property(scope, (held) => {
        const standings = new Map(effectiveTools(held, catalogue).map((standing) => [standing.name, standing]));
        expect([...standings.keys()]).toEqual(catalogue.toSorted());
        const wrong = calls.filter((call) => {
          const { decision, limited } = standings.get(call.tool) ?? {};
          const made = decide(allows, held, [], call);
          if (decision !== "allow") return made.verdict !== "deny";
          return limited === null && !(made.verdict === "allow" && made.argv === null);
        });
        expect(wrong).toEqual([]);
      }),
      run,
    );
  });

  test("SC-4: a set is said to leave nothing exactly when it denies every tool", () => {
    const seen = { nothing: 0, something: 0 };
    fc.assert(
      fc.property(someSkills, fc.option(fc.subarray(catalogue)), isStrict, (set, tools, strict) => {
        const lists = set.flatMap(({ allowed }) => (allowed === "*" ? [] : [allowed]));
        if (tools === null && lists.length === 0) return;
        const held = composeScope(set, { strict });
        const asked = tools ?? lists.flat().flatMap((entry) => entry.tools);
        const isNothing = effectiveTools(held, asked).every(({ decision }) => decision === "deny");
        expect(leavesNothing(set, tools, { strict })).toBe(isNothing);
        seen[isNothing ? "nothing" : "something"]++;
      }),
      { ...run, numRuns: 1_000 },
    );
    expect(Math.min(seen.nothing, seen.something)).toBeGreaterThan(100);
  });

  test("a listed pattern lets all its calls through", () => {
    fc.assert(
      fc.property(scope, (held) => {
        for (const text of effectiveList(held, catalogue).allowed) {
          const pattern = parsePattern(text);
          const fitting = pattern === null ? [] : calls.filter((call) => fits(pattern, readCall(call)));
          expect(fitting.filter((call) => !isAllowed(held, call))).toEqual([]);
        }
      }),
      run,
    );
  });

  test("SC-6: the rendered rules name exactly it, in the same bytes for the same scope", () => {
    fc.assert(
      fc.property(skills, fc.subarray(catalogue), (set, tools) => {
        const held = composeScope(set);
        const rules = renderRules(held, tools);
        const standing = effectiveTools(held, tools).filter(({ decision }) => decision === "allow");
        expect(namedIn(rules, "Allowed")).toEqual(standing.map(({ name }) => name));
        const passing = tools.filter((tool) => calls.some((call) => call.tool === tool && isAllowed(held, call)));
        expect(namedIn(rules, "Allowed")).toEqual(expect.arrayContaining(passing));
        const forbidden = tools.filter((tool) => isForbiddenWhole(held, tool));
        expect(namedIn(rules, "Forbidden")).toEqual(forbidden.toSorted());
        expect(renderRules(composeScope(set.toReversed()), tools.toReversed())).toBe(rules);
      }),
      run,
    );
  });

  test("without a host's catalogue the tools that skills name are enough to show it", () => {
    fc.assert(
      fc.property(someSkills, (set) => {
        const named = namedTools(set);
        expect(named).toEqual([...new Set(named)].toSorted());
        for (const name of named) expect(canonicalTools(name)).not.toEqual([]);
      }),
      run,
    );
  });
});

/** SC-3 word for word, without an index. */
function passes({ groups, forbidden }: Scope, call: ToolCall): boolean {
  const read = readCall(call);
  if (forbidden.some((entry) => forbids(entry, read))) return false;
  return groups.every(({ allowed }) =>
    read.tools.every((tool) => allowed === "*" || allowed.some((pattern) => fits(pattern, { ...read, tools: [tool] }))),
  );
}

/** A grant may only answer a question that the host would put to a person. */
function expectedWith(scoped: CallDecision, full: CallDecision, word: HostWord): string {
  const isSame = full.verdict === scoped.verdict;
  const isAnswered = word === "ask" && scoped.verdict === "ask" && full.verdict === "allow";
  return isSame || isAnswered ? "as it should be" : `${word}: ${scoped.verdict} became ${full.verdict}`;
}

function isShell({ tool }: ToolCall): boolean {
  return canonicalTools(tool).includes("shell");
}

function isWholeEverywhere({ groups }: Scope, tool: string): boolean {
  return groups.every(
    ({ allowed }) =>
      allowed === "*" || allowed.some(({ tools, argument }) => argument === null && tools.includes(tool)),
  );
}

function isForbiddenWhole({ forbidden }: Scope, name: string): boolean {
  const isWhole = (segments: readonly string[]) => segments.every((segment) => segment === "**");
  return forbidden
    .filter(({ reach }) => reach.kind !== "paths" || isWhole(reach.segments))
    .some((entry) => forbids(entry, readCall({ tool: name })));
}

function namedIn(rules: string, which: string): readonly string[] {
  const line = rules.split("\n").find((each) => each.startsWith(`${which} tools: `)) ?? "";
  const list = line.slice(`${which} tools: `.length, -1);
  return list === "none" ? [] : list.split(", ").map((name) => name.replace(" (limited)", ""));
}
