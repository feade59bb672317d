import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blocks } from "../core/finding.ts";
import { limits } from "../core/limits.ts";
import { parseScope } from "../skill/scope-file.ts";
import type { CapabilityDefinition } from "./capability.ts";
import { readDefinition } from "./definition.ts";

const plain: CapabilityDefinition = {
  name: "reading",
  description: "Reads files.",
  allowedTools: ["read"],
  executionProtocol: ["look-around"],
};

/** What no type checker would let through. */
function hostile(fields: object): CapabilityDefinition {
  return { ...plain, ...fields };
}

function isRefused(definition: unknown, origin: object = {}): boolean {
  const { skill, findings } = readDefinition(definition as CapabilityDefinition, origin);
  const said = findings.map(({ code }) => code);
  return skill === undefined && said.length === 1 && said[0] === "scope.invalid" && findings.every(blocks);
}

const throwing = () => {
  throw new Error("got you");
};

/** Even looking at what was thrown would throw. */
const throwingUnreadable = () => {
  throw new Proxy({}, { get: throwing, getPrototypeOf: throwing, ownKeys: throwing });
};

describe("definitions (SC-1, SC-2)", () => {
  test("SC-1: what is optional may be left out", () => {
    const { skill, findings } = readDefinition(plain);
    expect(findings).toEqual([]);
    expect(skill).toMatchObject({
      id: "session/reading",
      source: "session",
      entry: "session:reading",
      version: null,
      allowed: [{ text: "read", tools: ["read"], argument: null }],
      forbidden: [],
      preconditions: [],
      outputContract: null,
      compatibilityRules: [],
      contract: null,
    });
  });

  test("SC-2: copied in: a later change of what was given changes nothing", () => {
    const allowedTools = ["read"];
    const schema = { type: "object", required: ["a"] };
    const { skill } = readDefinition({ ...plain, allowedTools, outputContract: { type: "json", schema } });
    allowedTools.push("shell");
    schema.required.push("b");
    expect(skill?.allowedTools).toEqual(["read"]);
    expect(skill?.allowed).toHaveLength(1);
    expect(skill?.outputContract).toEqual({ type: "json", schema: { type: "object", required: ["a"] } });
  });

  test("SC-2: frozen out, through and through", () => {
    const { skill } = readDefinition({
      ...plain,
      allowedTools: ["Bash(git:*)", "Edit(src/**)"],
      forbiddenTools: ["Write(secret/**)"],
      outputContract: { type: "json", schema: { a: [{ b: 1 }] } },
      compatibilityRules: [{ type: "requires", skill: "b", reason: null }],
    });
    expect(thawedIn(skill, "skill")).toEqual([]);
  });

  test("the digest of what code declares is over all of it", () => {
    const digest = (more: Partial<CapabilityDefinition>) => readDefinition({ ...plain, ...more }).skill?.digest;
    const rule = (reason: string) => [{ type: "requires", skill: "b", reason }];
    const digests = [
      digest({}),
      digest({ allowedTools: ["read", "list"] }),
      digest({ forbiddenTools: ["write"] }),
      digest({ executionProtocol: [] }),
      digest({ compatibilityRules: rule("x") }),
      digest({ compatibilityRules: rule("y") }),
      digest({ composabilityRules: rule("y") }),
      digest({ outputContract: { type: "json", schema: 1 } }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(digest({})).toBe(digest({ allowedTools: ["read"] }));
  });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "reading"],
    ["a list", [plain]],
    ["a function", () => plain],
    ["fields that a prototype has", Object.create(plain)],
    ["a restriction that a prototype has", Object.assign(Object.create({ forbiddenTools: ["write"] }), plain)],
    ["an own __proto__", JSON.parse('{"__proto__": {"allowedTools": "*"}, "name": "a"}')],
    ["a restriction that is misspelt", hostile({ forbidden_tools: ["write"] })],
    ["a symbol among its fields", hostile({ [Symbol("x")]: 1 })],
    ["no name", hostile({ name: undefined })],
    ["a name in capitals", hostile({ name: "Reading" })],
    ["a name like a path", hostile({ name: "a/b" })],
    ["a name that is too long", hostile({ name: "a".repeat(65) })],
    ["a blank description", hostile({ description: " " })],
    ["no tools", hostile({ allowedTools: undefined })],
    ["tools as one text", hostile({ allowedTools: "read" })],
    ["a tool that is no text", hostile({ allowedTools: [{ toString: () => "read" }] })],
    ["tools with a gap", hostile({ allowedTools: Array.from({ length: 2 }) })],
    ["65 tools", hostile({ allowedTools: Array.from({ length: 65 }, (_, at) => `t${at}`) })],
    ["a tool of 257 bytes", hostile({ allowedTools: ["é".repeat(128) + "e"] })],
    ["forbidden tools that are null", hostile({ forbiddenTools: null })],
    ["no protocol", hostile({ executionProtocol: undefined })],
    ["257 steps", hostile({ executionProtocol: Array.from({ length: 257 }, () => "step") })],
    ["a step of 1,001 characters", hostile({ executionProtocol: ["x".repeat(1001)] })],
    ["a blank step", hostile({ executionProtocol: [" "] })],
    ["65 rules", hostile({ compatibilityRules: Array.from({ length: 65 }, () => ({ type: "requires", skill: "b" })) })],
    ["a rule of the other list", hostile({ composabilityRules: [{ type: "incompatible", skill: "b" }] })],
    ["a rule without a skill", hostile({ compatibilityRules: [{ type: "requires" }] })],
    ["a rule with more in it", hostile({ compatibilityRules: [{ type: "requires", skill: "b", unless: "c" }] })],
    [
      "a getter that throws",
      Object.defineProperty({ ...plain }, "forbiddenTools", { get: throwing, enumerable: true }),
    ],
    ["a proxy that throws", new Proxy({ ...plain }, { get: throwing })],
    ["a proxy that throws what cannot be looked at", new Proxy({ ...plain }, { ownKeys: throwingUnreadable })],
    ["a revoked proxy", revoked()],
    ["a list that is a throwing proxy", hostile({ allowedTools: new Proxy(["read"], { get: throwing }) })],
    ["a list without end", hostile({ allowedTools: new Proxy([], { get: () => Number.POSITIVE_INFINITY }) })],
    ["a list of no known length", hostile({ allowedTools: new Proxy([], { get: () => Number.NaN }) })],
    ["a schema that holds itself", hostile({ outputContract: { type: "json", schema: cyclic() } })],
    ["a schema that is too deep", hostile({ outputContract: { type: "json", schema: deep(12) } })],
    ["a schema with a function", hostile({ outputContract: { type: "json", schema: { a: () => 1 } } })],
    ["a schema with a number that is none", hostile({ outputContract: { type: "json", schema: Number.NaN } })],
    [
      "a schema of too many parts",
      hostile({ outputContract: { type: "json", schema: Array.from({ length: 5000 }, () => 0) } }),
    ],
  ])("T33: refused, not thrown: %s", (_, definition) => {
    expect(isRefused(definition)).toBe(true);
  });

  test.each([
    ["a source that is none", { source: "../x" }],
    ["a digest that is none", { digest: "abc" }],
    ["a contract of another shape", { contract: "code" }],
    ["something unknown", { trust: "high" }],
    ["a getter that throws", Object.defineProperty({}, "source", { get: throwing })],
  ])("an origin is read as carefully: %s", (_, origin) => {
    expect(isRefused(plain, origin)).toBe(true);
  });

  test("SC-10: the code of a contract is counted in bytes", () => {
    const most = limits.skill.workspace.fileBytes;
    const contract = (code: string) => ({ contract: { digest: "0".repeat(64), code } });
    expect(isRefused(plain, contract("é".repeat(most / 2)))).toBe(false);
    expect(isRefused(plain, contract(`${"é".repeat(most / 2)}e`))).toBe(true);
  });

  test("a field is called what it is called where it was written", () => {
    const message = (more: object, origin = {}) => readDefinition(hostile(more), origin).findings[0]?.message;
    const bundle = { source: "team", digest: "0".repeat(64) };
    const faults: [object, string, string][] = [
      [{ executionProtocol: [" "] }, "executionProtocol", "execution_protocol"],
      [{ allowedTools: "read" }, "allowedTools", "allowed_tools"],
      [{ compatibilityRules: [{ type: "x", skill: "b" }] }, "compatibilityRules", "compatibility_rules"],
      [{ outputContract: "json" }, "outputContract", "output_contract"],
    ];
    for (const [more, inCode, inFile] of faults) {
      expect(message(more)).toContain(`"${inCode}"`);
      expect(message(more, bundle)).toContain(`"${inFile}"`);
    }
  });

  test("each property is read once: a getter cannot answer twice", () => {
    let reads = 0;
    const answers = [["read"], ["shell"]];
    const definition = Object.defineProperty({ ...plain }, "allowedTools", {
      get: () => answers[reads++],
      enumerable: true,
    });
    expect(readDefinition(definition).skill?.allowedTools).toEqual(["read"]);
    expect(reads).toBe(1);
  });

  test("keys of a schema are data, whatever they are called", () => {
    const schema = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
    const { skill } = readDefinition({ ...plain, outputContract: { type: "json", schema } });
    expect(JSON.stringify(skill?.outputContract?.schema)).toBe('{"__proto__":{"a":1},"constructor":2}');
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test("a bundle's name may be any that can be shown; one that cannot is refused", () => {
    const named = (name: string) => readDefinition({ ...plain, name }, { source: "team" }).skill?.id;
    expect(named("Größe / 日本")).toBe("team/Größe / 日本");
    expect(named("a\u202eb")).toBeUndefined();
    expect(named("two\nlines")).toBeUndefined();
    expect(named("x".repeat(65))).toBeUndefined();
  });
});

describe("SC-1: a scope.yaml that can be read can be used", () => {
  /** Mostly plain, sometimes anything, sometimes around a bound. */
  const around = (most: number) => fc.integer({ min: most - 1, max: most + 1 });
  const text = (most: number) =>
    fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom("a", "b c", "é", "~") },
      { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
      { weight: 4, arbitrary: around(most).map((length) => "x".repeat(length)) },
    );
  const list = <Item>(item: fc.Arbitrary<Item>, most: number) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.array(item, { maxLength: 3 }) },
      {
        weight: 1,
        arbitrary: fc.tuple(item, around(most)).map(([one, length]) => Array.from({ length }, () => one)),
      },
    );
  const rules = (...types: string[]) =>
    list(
      fc.record(
        { type: fc.constantFrom(...types), skill: text(256), reason: text(1000) },
        { requiredKeys: ["type", "skill"] },
      ),
      64,
    );
  const tools = list(fc.oneof(text(256), fc.constantFrom("read", "Bash(git:*)", "é".repeat(128))), 64);
  const steps = list(text(1000), 256);
  const file = fc.record(
    {
      allowed_tools: fc.oneof(tools, fc.constant("*")),
      execution_protocol: steps,
      version: fc.oneof(text(256), fc.constant(null), fc.double()),
      forbidden_tools: tools,
      preconditions: steps,
      postconditions: steps,
      output_contract: fc.record({ type: text(256), schema: fc.jsonValue({ maxDepth: 10 }) }),
      compatibility_rules: rules("requires", "incompatible"),
      composability_rules: rules("requires", "forbids"),
    },
    { requiredKeys: ["allowed_tools", "execution_protocol"] },
  );

  test("whatever is in it", () => {
    const seen = { read: 0, refused: 0 };
    fc.assert(
      fc.property(file, (fields) => {
        const { declaration } = parseScope(Buffer.from(JSON.stringify(fields)), limits.skill.strict);
        seen[declaration === undefined ? "refused" : "read"]++;
        if (declaration === undefined) return;
        const { name, description } = plain;
        const bundle = { source: "team", digest: "0".repeat(64) };
        const { findings } = readDefinition({ ...declaration, name, description }, bundle);
        expect(findings.filter(blocks)).toEqual([]);
      }),
      { seed: 8, numRuns: 2_000 },
    );
    expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(100);
  });
});

function thawedIn(value: unknown, at: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, part]) => thawedIn(part, `${at}.${key}`));
  return Object.isFrozen(value) ? inside : [at, ...inside];
}

function cyclic(): object {
  const ring: Record<string, unknown> = {};
  ring["self"] = ring;
  return ring;
}

function deep(levels: number): object {
  return levels === 0 ? {} : { inside: deep(levels - 1) };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({ ...plain }, {});
  revoke();
  return proxy;
}
