import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type CliHome, createHomes } from "../support/cli-home.ts";

const homes = createHomes();
afterAll(homes.remove);

interface Written {
  /** `scope.yaml`. */
  readonly scope: string;
}

function write(home: CliHome, skills: Readonly<Record<string, Written>>): string {
  const folder = join(home.folder, "skills");
  for (const [name, { scope }] of Object.entries(skills)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "SKILL.md"), `---\nname: ${name}\ndescription: About ${name}.\n---\nDo it.\n`);
    writeFileSync(join(folder, name, "scope.yaml"), scope);
  }
  return folder;
}

const declared = (allowed: string, more = "") => `allowed_tools: ${allowed}\nexecution_protocol: [look]\n${more}`;
const requires = (skill: string) => `compatibility_rules: [{ type: requires, skill: ${skill}, reason: it must }]\n`;

const seed = {
  a: { scope: declared("[read, write]") },
  b: { scope: declared("[read, execute]", "forbidden_tools: [write]\n") },
};

function composed(home: CliHome, folder: string, ...args: readonly string[]) {
  const { code, out } = home.run(["scope", "compose", ...args, "--skills", folder, "--json"]);
  return { code, ...JSON.parse(out) };
}

describe("scope compose", () => {
  const home = homes.home();

  test("SC-3: A allows read, write; B allows read, execute and forbids write: allowed [read], forbidden [write]", () => {
    const folder = write(home, seed);
    for (const mode of [[], ["--strict"]])
      expect(composed(home, folder, "a", "b", ...mode)).toEqual({
        code: 0,
        skills: ["a", "b"],
        allowed: ["read"],
        forbidden: ["write"],
        protocol: ["look"],
        groups: [
          { skills: ["a"], allowed: ["read", "write"] },
          { skills: ["b"], allowed: ["execute", "read"] },
        ],
        tools: [
          { name: "execute", decision: "deny", why: expect.stringContaining("a") },
          { name: "read", decision: "allow", why: expect.any(String) },
          { name: "write", decision: "deny", why: expect.stringContaining("forbidden by") },
        ],
        findings: [],
      });
  });

  test("SC-3: two that require each other are one group; strict turns that off, and nothing is left", () => {
    const at = homes.home();
    const folder = write(at, {
      plan: { scope: declared("[read]", requires("act")) },
      act: { scope: declared("[patch]", requires("plan")) },
    });
    expect(composed(at, folder, "plan", "act")).toMatchObject({
      allowed: ["patch", "read"],
      groups: [{ skills: ["act", "plan"], allowed: ["patch", "read"] }],
      findings: [],
    });
    expect(composed(at, folder, "act", "plan", "--strict")).toMatchObject({
      code: 0,
      allowed: [],
      findings: [{ code: "scope.empty" }],
    });
  });

  test("SC-4: the JSON is printed also when there are findings; the exit code is 1", () => {
    const at = homes.home();
    const folder = write(at, { lonely: { scope: declared("[read, fly]", requires("gone")) } });
    const { code, allowed, findings } = composed(at, folder, "lonely", "nobody", "--tools", "read");
    expect([code, allowed]).toEqual([1, []]);
    const said = findings.map((each: { code: string; skill: string }) => `${each.code} ${each.skill}`);
    expect(said).toEqual(["UNKNOWN_SKILL nobody", "MISSING_REQUIRED lonely", "UNKNOWN_TOOL lonely"]);
  });

  test("T34: what an author wrote moves no terminal, in JSON neither", () => {
    const at = homes.home();
    const folder = write(at, { sly: { scope: 'allowed_tools: [read]\nexecution_protocol: ["\\u202e\\u009b31m"]\n' } });
    const { out } = at.run(["scope", "compose", "sly", "--skills", folder, "--json"]);
    expect(out).toMatch(/^[\x20-\x7e\n]*$/);
    expect(JSON.parse(out).protocol).toEqual(["\u202e\u009b31m"]);
  });

  test("SC-4: a list of tools without a name in it is refused", () => {
    expect(home.refusal(["scope", "check", "guarded", "--tools", ","])).toMatchObject({
      exit: 2,
      code: "usage.invalid",
    });
  });

  test("SC-8: the built-in pair needs no folder, no store, and makes none", () => {
    const at = homes.home();
    const names = ["opencode-implementer", "specification-engine"];
    expect(at.json(["scope", "compose", ...names])).toMatchObject({
      skills: names,
      allowed: ["opencode-executor", "specKit"],
      forbidden: ["edit", "write"],
      groups: [{ skills: names }],
      findings: [],
    });
    expect(at.run(["scope", "check", "specification-engine"])).toMatchObject({
      code: 1,
      out: expect.stringContaining("MISSING_REQUIRED"),
    });
    expect(at.files()).toEqual([]);
  });

  test("invariant 10: the workspace's file forbids on top, and allows nothing", () => {
    const at = homes.home();
    const folder = write(at, seed);
    writeFileSync(join(at.folder, "skillward.yaml"), "scope:\n  forbidden_tools: [read]\n  allowed_tools: [write]\n");
    expect(composed(at, folder, "a")).toMatchObject({
      allowed: ["write"],
      forbidden: ["read"],
      findings: [{ code: "workspace.refused" }],
    });
    const builtIn = at.run(["scope", "explain", "guarded", "--call", "Read(x)"]);
    expect([builtIn.code, builtIn.out]).toEqual([1, expect.stringContaining("read by workspace")]);
  });
});

describe("scope explain", () => {
  const home = homes.home();
  const folder = write(home, { git: { scope: declared('["Bash(git:*)"]') } });
  test("a person reads the same", () => {
    const { code, out } = home.run(["scope", "explain", "git", "--call", "Bash(git push; id)", "--skills", folder]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/decision {2}deny TOOL_NOT_ALLOWED\n[\s\S]*nothing that fits/),
    ]);
    expect(home.refusal(["scope", "explain", "git", "--call", "(x", "--skills", folder]).code).toBe("usage.invalid");
  });
});

describe("of a store", () => {
  const home = homes.once(() => {
    const made = homes.home();
    made.run(["source", "add", write(made, seed), "--id", "house"]);
    return made;
  });

  test("SC-2: only what was approved takes part, as it was approved", () => {
    const at = home();
    const before = at.run(["scope", "compose", "a", "house:b", "--json"]);
    expect(before.code).toBe(1);
    expect(JSON.parse(before.out)).toMatchObject({
      skills: [],
      allowed: [],
      findings: [{ code: "UNKNOWN_SKILL" }, {}],
    });
    at.run(["review", "--approve-clean"]);
    write(at, { a: { scope: declared("'*'") }, b: { scope: declared("'*'") } });
    expect(at.json(["scope", "compose", "a", "house:b"])).toMatchObject({ allowed: ["read"], forbidden: ["write"] });
    expect(at.json(["scope", "explain", "a", "--call", "write"])).toMatchObject({ decision: "allow" });
  });

  test("options that mean nothing together are refused", () => {
    const at = home();
    expect(at.refusal(["scope", "check", "a", "--skills", "skills", "--data", "x"]).code).toBe("usage.invalid");
  });
});
