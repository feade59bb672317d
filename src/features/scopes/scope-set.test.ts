import { describe, expect, test } from "vitest";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { folderCandidates } from "./candidates.ts";
import { explainCall, viewOf } from "./scope-view.ts";
import { loadCapabilities } from "./load-capabilities.ts";
import { lookAtScope } from "./scope-set.ts";

interface Written {
  /** `scope.yaml`; none without it. */
  readonly scope?: string;
  /** More lines of the header. */
  readonly header?: string;
  /** The name, where it is not the folder's. */
  readonly name?: string;
  readonly contract?: string;
}

type Skills = Readonly<Record<string, Written>>;

function worldOf(skills: Skills) {
  const tree: Record<string, string> = {};
  for (const [at, { scope, header = "", name = at, contract }] of Object.entries(skills)) {
    tree[`/s/${at}/SKILL.md`] = `---\nname: ${name}\ndescription: About ${name}.\n${header}---\nDo it.\n`;
    if (scope !== undefined) tree[`/s/${at}/scope.yaml`] = scope;
    if (contract !== undefined) tree[`/s/${at}/contract.js`] = contract;
  }
  return { files: memoryFiles(tree), clock: fixedClock(0) };
}

async function setOf(skills: Skills, names: readonly string[], tools?: readonly string[]) {
  return lookAtScope(await folderCandidates(worldOf(skills), "/s", {}), { names, tools, strict: false });
}

async function composed(skills: Skills, names: readonly string[], tools?: readonly string[]) {
  return viewOf(await setOf(skills, names, tools));
}

const declared = (allowed: string, more = "") => `allowed_tools: ${allowed}\nexecution_protocol: [look]\n${more}`;
const requires = (skill: string) => `compatibility_rules: [{ type: requires, skill: ${skill}, reason: it must }]\n`;

describe("what skills of a folder come to", () => {
  test("SC-4: all that is wrong is said, each with the skill and the reason", async () => {
    const skills = {
      lonely: { scope: declared("[read]", requires("gone")) },
      proud: { scope: declared("[read]", "composability_rules: [{ type: forbids, skill: lonely }]\n") },
      sour: { scope: declared("[read, fly]", "compatibility_rules: [{ type: incompatible, skill: proud }]\n") },
      torn: { scope: "allowed_tools: [read]\nforbiden_tools: [write]\nexecution_protocol: []\n" },
    };
    const view = await composed(skills, ["lonely", "proud", "sour", "torn", "nobody"], ["read"]);
    expect([view.skills, view.allowed]).toEqual([["lonely", "proud", "sour"], []]);
    const errors = view.findings.filter(({ skill }) => skill !== undefined);
    expect(errors.map(({ code, skill }) => `${code} ${skill}`).toSorted()).toEqual([
      "FORBIDDEN_COMBINATION proud",
      "INCOMPATIBLE_SKILLS sour",
      "MISSING_REQUIRED lonely",
      "UNKNOWN_SKILL nobody",
      "UNKNOWN_SKILL torn",
      "UNKNOWN_TOOL sour",
    ]);
    expect(errors.find(({ skill }) => skill === "lonely")?.reason).toContain("it must");
    expect(errors.find(({ skill }) => skill === "torn")?.reason).toContain("scope.");
  });

  test("SC-4: without a catalogue no tool is unknown, and every tool that the folder names is judged", async () => {
    const view = await composed({ odd: { scope: declared("[fly]") }, other: { scope: declared("[dive]") } }, ["odd"]);
    expect(view.findings).toEqual([]);
    expect(view.tools.map(({ name, decision }) => [name, decision])).toEqual([
      ["dive", "deny"],
      ["fly", "allow"],
    ]);
  });

  test("SC-1: disallowed-tools alone forbids; a skill with neither adds nothing; what cannot be read is not used", async () => {
    const skills = {
      careful: { header: "disallowed-tools: Bash(rm:*), Write\n" },
      plain: {},
      half: { header: "disallowed-tools: { Bash: true }\n" },
    };
    const view = await composed(skills, ["careful", "plain"], ["read", "write", "Bash"]);
    expect(view).toMatchObject({ allowed: ["read"], forbidden: ["shell", "write"] });
    expect(await composed(skills, ["plain"], ["read", "Bash"])).toMatchObject({ allowed: ["read", "shell"] });
    expect((await composed(skills, ["half"])).findings).toMatchObject([{ code: "UNKNOWN_SKILL" }]);
  });

  test("SC-2: a skill cannot take the name of a built-in one", async () => {
    const skills = { guarded: { scope: declared("'*'") } };
    expect(await composed(skills, ["guarded"], ["shell", "read"])).toMatchObject({
      allowed: ["read"],
      findings: expect.arrayContaining([expect.objectContaining({ code: "scope.reserved" })]),
    });
    expect((await composed(skills, ["folder:guarded"])).findings).toMatchObject([{ code: "UNKNOWN_SKILL" }]);
  });

  test("SK-15: of two of one name neither is taken for the other; identical ones are one", async () => {
    const skills = {
      one: { name: "twin", scope: declared("[read]") },
      two: { name: "twin", scope: declared("[shell]") },
      same: { name: "copy", scope: declared("[read]") },
      "elsewhere/same": { name: "copy", scope: declared("[read]") },
    };
    expect(await composed(skills, ["twin"])).toMatchObject({ skills: [], findings: [{ code: "UNKNOWN_SKILL" }] });
    expect(await composed(skills, ["folder:two"])).toMatchObject({ allowed: ["shell"] });
    expect(await composed(skills, ["copy"])).toMatchObject({ allowed: ["read"], findings: [] });
    for (const both of [
      ["folder:one", "folder:two"],
      ["folder/two", "folder/one"],
    ])
      expect(await composed(skills, both)).toMatchObject({ skills: ["one", "two"], allowed: [], tools: [{}, {}] });
    expect(await composed(skills, ["folder:elsewhere/same", "folder/copy"])).toMatchObject({ allowed: ["read"] });
  });

  test("SC-2: a registry of a folder names what it could not take in", async () => {
    const skills = { good: { scope: declared("[read]") }, bad: { scope: "allowed_tools: 1\n" } };
    const { registry, unusable } = await loadCapabilities(worldOf(skills), "/s", { source: "mine" });
    expect(registry.get("mine/good")).toMatchObject({ entry: "mine:good", source: "mine" });
    expect(unusable).toMatchObject([{ entry: "mine:bad", name: "bad" }]);
    for (const source of ["session", "built-in", "A/b"])
      await expect(loadCapabilities(worldOf(skills), "/s", { source })).rejects.toMatchObject({
        code: "usage.invalid",
      });
  });

  test("SC-10: a contract is noticed; its text is taken along only when the host opts in for this load", async () => {
    const skills = { bound: { scope: declared("[read]"), contract: "export default {};" } };
    expect((await composed(skills, ["bound"])).findings).toMatchObject([{ code: "contract.inert" }]);
    const plain = await loadCapabilities(worldOf(skills), "/s", {});
    expect(plain.registry.get("bound")?.contract).toBeNull();
    const opted = await loadCapabilities(worldOf(skills), "/s", { allowContract: true });
    expect(opted.registry.get("bound")?.contract).toMatchObject({ code: "export default {};" });
    expect(opted.findings).toEqual([]);
  });
});

describe("what the gate says to one call", () => {
  const skills = { git: { scope: declared('["Bash(git:*)", "Edit(src/**)"]') }, all: {} };
  const explained = async (call: string) => explainCall(await setOf(skills, ["git", "all"]), call);

  test.each([
    "Bash(git status; rm -rf /)",
    "Bash(git$(id))",
    "Bash(git status\nid)",
    "Bash(git `id`)",
    "Bash(git add *)",
    "Bash(env git status)",
    "Bash(git -c alias.x='!sh' x)",
    "Bash",
    "BASH(git status)",
    "Edit(../outside)",
    "Edit(lib/a.ts)",
    "Write(src/a.ts)",
  ])("T33: %s does not pass", async (call) => {
    expect(await explained(call)).toMatchObject({ decision: "deny", code: "TOOL_NOT_ALLOWED", argv: null });
  });

  test.each(["Edit(src/a/b.ts)", "edit(src/a.ts)", "replace(./src/a.ts)"])("SC-7: %s passes", async (call) => {
    expect(await explained(call)).toMatchObject({ decision: "allow", code: null });
  });

  test("SC-7: an argument that no scope looks at is not answered for", async () => {
    const { why } = explainCall(await setOf(skills, ["all"]), "WebFetch(https://example.com)");
    expect(why).toBe("the host and the scope allow it; a scope looks at no argument of this tool");
  });

  test("SC-7: what passes by a pattern runs as its words; each group says by what", async () => {
    expect(await explained("Bash(git log 'a b')")).toMatchObject({
      decision: "allow",
      argv: ["git", "log", "a b"],
      groups: [
        { skills: ["all"], fits: "*" },
        { skills: ["git"], fits: "Bash(git:*)" },
      ],
    });
  });
});
