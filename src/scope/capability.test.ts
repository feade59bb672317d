import { describe, expect, test } from "vitest";
import { createBundle } from "../skill/bundle.ts";
import { parse } from "../skill/skill.ts";
import { capabilityOf } from "./capability.ts";
import { readDefinition } from "./definition.ts";

const place = { source: "team", entry: "team:skills/demo" };

function capability(header: string, files: Readonly<Record<string, string>> = {}, name = "demo") {
  const text = `---\nname: ${name}\ndescription: Shows what a bundle brings.\n${header}\n---\nBody\n`;
  const all = Object.entries({ "SKILL.md": text, ...files });
  const bundle = createBundle(
    "demo",
    all.map(([path, content]) => [path, Buffer.from(content)] as const),
  );
  const { skill } = parse(bundle, "workspace");
  if (skill === undefined) throw new Error("not loadable");
  return { skill, brought: capabilityOf(skill, place, null) };
}

function read(header: string, files?: Readonly<Record<string, string>>) {
  const { definition, origin } = capability(header, files).brought;
  return definition === undefined ? undefined : readDefinition(definition, origin).skill;
}

const scopeYaml = "allowed_tools: [read]\nexecution_protocol: [look]\nforbidden_tools: [shell]\n";

describe("what a bundle brings to a scope (SC-1)", () => {
  test("scope.yaml, with SKILL.md's name and description", () => {
    const { skill } = capability("", { "scope.yaml": scopeYaml });
    expect(read("", { "scope.yaml": scopeYaml })).toMatchObject({
      id: "team/demo",
      name: "demo",
      description: "Shows what a bundle brings.",
      entry: "team:skills/demo",
      digest: skill.digest,
      allowedTools: ["read"],
      forbiddenTools: ["shell"],
      executionProtocol: ["look"],
      contract: null,
    });
  });

  test("only disallowed-tools: everything is allowed but those", () => {
    expect(read("disallowed-tools: Write Bash(rm:*)")).toMatchObject({
      allowed: "*",
      forbiddenTools: ["Write", "Bash(rm:*)"],
    });
  });

  test("both: what either forbids is forbidden", () => {
    const skill = read("disallowed-tools: Write", { "scope.yaml": scopeYaml });
    expect(skill).toMatchObject({ allowedTools: ["read"], forbiddenTools: ["shell", "Write"] });
  });

  test("neither: it takes nothing away, and allowed-tools restrict nothing", () => {
    expect(read("allowed-tools: Read")).toMatchObject({ allowed: "*", forbidden: [], executionProtocol: [] });
    expect(read("disallowed-tools: ''")).toMatchObject({ allowed: "*", forbidden: [] });
    expect(read("kind: host-knowledge\ndisallowed-tools: Write")).toMatchObject({ allowed: "*", forbidden: [] });
  });

  test("SK-4: a scope.yaml that cannot be read keeps the skill out of scopes", () => {
    expect(capability("", { "scope.yaml": "allowed_tools: [" }).brought.unusable).toContain("scope.yaml");
  });

  test.each([
    ["more entries than are kept", `disallowed-tools: ${Array.from({ length: 65 }, (_, at) => `t${at}`).join(" ")}`],
    ["an entry longer than is kept", `disallowed-tools: ${"t".repeat(300)}`],
    ["a value of another shape", "disallowed-tools: { a: b }"],
    ["a list of lists", "disallowed-tools: [[Write]]"],
    ["a second spelling, which does not count", "disallowed-tools: Write\ndisallowed_tools: Bash"],
  ])("SK-4: nor is one used whose disallowed-tools were cut: %s", (_, header) => {
    expect(capability(header).brought.unusable).toContain("disallowed-tools");
  });

  test.each(["disallowed-tools: Write, Bash", "disallowed-tools: [Write, Bash]", "disallowed_tools: Write Bash"])(
    "every form that is read in full is used: %s",
    (header) => {
      expect(read(header)?.forbiddenTools).toEqual(["Write", "Bash"]);
    },
  );

  test("64 in scope.yaml and 64 in the header are all forbidden", () => {
    const many = (letter: string) => Array.from({ length: 64 }, (_, at) => `${letter}${at}`);
    const yaml = `allowed_tools: '*'\nexecution_protocol: []\nforbidden_tools: [${many("a").join(", ")}]\n`;
    expect(read(`disallowed-tools: ${many("b").join(" ")}`, { "scope.yaml": yaml })?.forbidden).toHaveLength(128);
  });

  test("a name that cannot be shown as it is, is shown as it can", () => {
    const { definition, origin } = capability("", {}, JSON.stringify(`Big   Words ${"x".repeat(80)}`)).brought;
    expect(definition?.name).toHaveLength(64);
    expect(definition && readDefinition(definition, origin).skill?.name).toBe(definition?.name);
  });

  test("SC-10: the contract is the host's to hand over", () => {
    const { skill } = capability("", { "contract.js": "export default {}" });
    const contract = { digest: "1".repeat(64), code: "export default {}" };
    expect(capabilityOf(skill, place, null).origin?.contract).toBeNull();
    expect(capabilityOf(skill, place, contract).origin?.contract).toEqual(contract);
  });
});
