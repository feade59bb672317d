import { describe, expect, test, vi } from "vitest";
import { AppError, type ErrorCode } from "../core/error.ts";
import type { CapabilityDefinition, Origin } from "./capability.ts";
import { type CapabilityRegistry, createCapabilities, type PrimaryRegistry } from "./registry.ts";
import { Names } from "./resolve.ts";

function define(name: string, more: Partial<CapabilityDefinition> = {}): CapabilityDefinition {
  return { name, description: `Does ${name}.`, allowedTools: ["read"], executionProtocol: [], ...more };
}

function registered(...skills: readonly (readonly [string, Partial<Origin>?])[]): PrimaryRegistry {
  const registry = createCapabilities();
  for (const [name, origin] of skills) expect(registry.register(define(name), origin)).toEqual([]);
  return registry;
}

function codeOf(work: () => unknown): ErrorCode | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.code : undefined;
  }
  return undefined;
}

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

describe("the registry (SC-2)", () => {
  test("the built-ins are there from the start, in order, and say nothing against themselves", () => {
    const registry = createCapabilities();
    expect(registry.list().map(({ id }) => id)).toEqual(["guarded", "opencode-implementer", "specification-engine"]);
    expect(registry.validate(["opencode-implementer", "specification-engine", "guarded"])).toEqual({
      errors: [],
      findings: [],
    });
  });

  test("a new skill is usable at once, also for who has a view", () => {
    const registry = createCapabilities();
    const view = registry.view();
    expect(view.get("a")).toBeUndefined();
    expect(view.list()).toHaveLength(3);
    registry.register(define("a"));
    expect(view.get("a")?.id).toBe("session/a");
    expect(view.list().map(({ id }) => id)).toContain("session/a");
    expect(view.compose(["a"]).groups).toHaveLength(1);
  });

  test("nothing is registered when a finding blocks", () => {
    const registry = createCapabilities();
    expect(codes(registry.register(define("Not a name")))).toEqual(["scope.invalid"]);
    expect(registry.list()).toHaveLength(3);
  });

  test("registering twice is refused, whoever spells it how, and the first one stays", () => {
    const registry = createCapabilities();
    registry.register(define("Straße"), { source: "team" });
    const again = registry.register(define("STRASSE", { allowedTools: "*" }), { source: "team" });
    expect(codes(again)).toEqual(["scope.exists"]);
    expect(registry.get("team/strasse")?.allowed).not.toBe("*");
  });

  test("names of the built-ins are reserved in every source, in every spelling", () => {
    const registry = createCapabilities();
    const tries = [
      registry.register(define("guarded")),
      registry.register(define("guarded"), { source: "team" }),
      registry.register(define("ＧＵＡＲＤＥＤ"), { source: "team" }),
      registry.register(define("other"), { source: "built-in" }),
      registry.override("guarded", define("guarded", { allowedTools: "*" })),
      registry.override("built-in/guarded", define("guarded", { allowedTools: "*" })),
    ];
    expect(tries.map(codes)).toEqual(tries.map(() => ["scope.reserved"]));
    expect(registry.list()).toHaveLength(3);
    expect(registry.get("guarded")?.forbidden).toHaveLength(4);
  });

  test("override puts another definition in the place of one, at once", () => {
    const registry = createCapabilities();
    registry.register(define("a"), { source: "team", entry: "team:skills/a", digest: "0".repeat(64) });
    expect(registry.override("a", define("a", { forbiddenTools: ["write"] }))).toEqual([]);
    expect(registry.get("team/a")).toMatchObject({ source: "team", entry: "team:skills/a", forbiddenTools: ["write"] });
    expect(registry.get("team/a")?.digest).not.toBe("0".repeat(64));
    expect(registry.list()).toHaveLength(4);
  });

  test("override keeps a contract unless it is taken away in words", () => {
    const registry = createCapabilities();
    const contract = { digest: "1".repeat(64), code: "export default {}" };
    registry.register(define("a"), { contract });
    registry.override("a", define("a", { forbiddenTools: ["write"] }));
    expect(registry.get("a")?.contract).toEqual(contract);
    registry.override("a", define("a"), { contract: null });
    expect(registry.get("a")?.contract).toBeNull();
  });

  test("SC-2: override of a name that several sources have lists them, and changes none", () => {
    const registry = createCapabilities();
    for (const source of ["north", "south"]) registry.register(define("a"), { source });
    expect(() => registry.override("a", define("a", { allowedTools: "*" }))).toThrow(
      '"a": several skills have this name; name one by its id: north/a, south/a',
    );
    expect(registry.get("north/a")?.allowedTools).toEqual(registry.get("south/a")?.allowedTools);
    expect(registry.get("north/a")?.allowedTools).not.toBe("*");
    expect(registry.override("north/a", define("a", { allowedTools: "*" }))).toEqual([]);
  });

  test("T26: a registry is full at some time; what is in it can still be overridden", () => {
    const registry = registered(["a"]);
    const size = vi.spyOn(Names.prototype, "size", "get").mockReturnValue(99_999);
    expect(registry.register(define("b"))).toEqual([]);
    size.mockReturnValue(100_000);
    expect(codes(registry.register(define("c")))).toEqual(["scope.full"]);
    expect(registry.get("c")).toBeUndefined();
    expect(codes(registry.register(define("a")))).toEqual(["scope.exists"]);
    expect(registry.override("a", define("a", { allowedTools: "*" }))).toEqual([]);
    size.mockRestore();
  });

  test("override refuses what is not there, another name, another source, and what cannot be read", () => {
    const registry = registered(["a"], ["b"]);
    expect(codeOf(() => registry.override("nobody", define("nobody")))).toBe("record.missing");
    expect(codes(registry.override("a", define("b")))).toEqual(["scope.invalid"]);
    expect(codes(registry.override("a", define("a"), { source: "team" }))).toEqual(["scope.invalid"]);
    expect(codes(registry.override("a", define("a", { executionProtocol: [""] })))).toEqual(["scope.invalid"]);
    expect(registry.get("a")?.description).toBe("Does a.");
    expect(registry.get("b")?.description).toBe("Does b.");
  });
});

describe("names (SC-2)", () => {
  test("as an id, of the session, built in, then whoever alone has it", () => {
    const team = { source: "team" };
    const registry = registered(["a"], ["a", team], ["b", team], ["b", { source: "north" }], ["c", team]);
    const ids = ["a", "team/a", "b", "north/b", "c", "C", "guarded", "built-in/guarded", "nobody/a", ""].map(
      (name) => registry.get(name)?.id,
    );
    const nobody = undefined;
    expect(ids).toEqual([
      "session/a",
      "team/a",
      nobody,
      "north/b",
      "team/c",
      "team/c",
      "guarded",
      "guarded",
      nobody,
      nobody,
    ]);
  });

  test("SC-4: a name that several have says whose they are", () => {
    const registry = registered(["b", { source: "team" }], ["b", { source: "north" }]);
    expect(registry.validate(["b"]).errors).toEqual([
      {
        code: "UNKNOWN_SKILL",
        skill: "b",
        reason: "several skills have this name; name one by its id: north/b, team/b",
      },
    ]);
  });

  test("a plain name in a rule is never another source's skill", () => {
    const registry = createCapabilities();
    const rule = (type: string, skill: string) => ({ compatibilityRules: [{ type, skill, reason: null }] });
    registry.register(define("victim"), { source: "team" });
    registry.register(define("a", rule("requires", "victim")), { source: "north" });
    registry.register(define("b", rule("incompatible", "victim")), { source: "north" });
    registry.register(define("c", rule("incompatible", "team/victim")), { source: "north" });
    const errors = registry.validate(["a", "b", "c", "victim"]).errors.map(({ code, skill }) => [code, skill]);
    expect(errors).toEqual([
      ["MISSING_REQUIRED", "north/a"],
      ["INCOMPATIBLE_SKILLS", "north/c"],
    ]);
  });

  test("composing what is not there is refused; nothing is left out in silence", () => {
    const registry = registered(["a"]);
    expect(codeOf(() => registry.compose(["a", "nobody"]))).toBe("record.missing");
  });

  test("what is no text is nobody's name", () => {
    const registry = registered(["a"]);
    const names = [null, 1, {}, ["a"]] as unknown as string[];
    expect(codes(registry.validate(names).errors)).toEqual(names.map(() => "UNKNOWN_SKILL"));
    expect(registry.get(null as unknown as string)).toBeUndefined();
  });
});

describe("T33: a sub-agent's view (SC-2)", () => {
  test("writing through it is scope.readonly, and changes nothing", () => {
    const registry = registered(["a"]);
    const view = registry.view();
    expect(codeOf(() => view.register(define("b")))).toBe("scope.readonly");
    expect(codeOf(() => view.override("a", define("a", { allowedTools: "*" })))).toBe("scope.readonly");
    expect(registry.list()).toHaveLength(4);
    expect(registry.get("a")?.allowed).not.toBe("*");
  });

  test("it does not even look at what is written through it", () => {
    const view = createCapabilities().view();
    let looked = 0;
    const trap = new Proxy(define("b"), {
      get: () => looked++,
      ownKeys: () => {
        looked++;
        return [];
      },
    });
    expect(codeOf(() => view.register(trap))).toBe("scope.readonly");
    expect(looked).toBe(0);
  });

  test("neither it nor its primary nor what they hand out can be changed", () => {
    const registry = registered(["a"]);
    const view = registry.view();
    const handedOut = [view.list(), view.get("a"), view.compose(["a"])];
    for (const target of [view, registry, ...handedOut, ...Object.values(view), ...Object.values(registry)])
      expect(Object.isFrozen(target)).toBe(true);
    expect(Reflect.set(view, "get", () => undefined)).toBe(false);
    expect(Reflect.set(view.list(), 0, null)).toBe(false);
  });

  test("nothing that can be reached from it writes", () => {
    const registry = registered(["a"]);
    const reached = everythingFrom(registry.view());
    const writing = Object.entries(registry).filter(([name]) => ["register", "override", "view"].includes(name));
    expect(writing).toHaveLength(3);
    for (const target of [registry, ...writing.map(([, work]) => work)]) expect(reached.has(target)).toBe(false);
    expect([...reached].filter((value) => value instanceof Map || value instanceof Set)).toEqual([]);
  });

  test("findings that are kept cannot be changed by who gets them", () => {
    const registry = createCapabilities();
    registry.register(define("a", { executionProtocol: ["`write` it"] }));
    const [finding] = registry.view().validate(["a"]).findings;
    expect(finding?.code).toBe("scope.protocol-tool");
    expect(Object.isFrozen(finding)).toBe(true);
  });
});

/** All objects and functions that lead on from a value: fields, prototypes, getters; not what the language itself has. */
function everythingFrom(start: CapabilityRegistry): ReadonlySet<unknown> {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [start, start.list(), start.get("a"), start.validate(["a"]), start.compose(["a"])];
  const language = new Set<unknown>([Object.prototype, Function.prototype, Array.prototype, Object, Function, Array]);
  for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
    const leads = (typeof value === "object" && value !== null) || typeof value === "function";
    if (!leads || seen.has(value) || language.has(value)) continue;
    seen.add(value);
    waiting.push(Object.getPrototypeOf(value));
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value)))
      waiting.push(...Object.values(descriptor));
  }
  return seen;
}
