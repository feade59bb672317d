import { describe, expect, test } from "vitest";
import { sha256 } from "../core/digest.ts";
import type { Profile } from "../core/limits.ts";
import { hasUnseen } from "../core/text.ts";
import { createBundle } from "./bundle.ts";
import { parse } from "./skill.ts";

const good = "---\nname: demo\ndescription: Checks that a demo parses, for people who write demos.\n---\n# Demo\n";

function parseText(text: string, profile: Profile = "workspace", files: Readonly<Record<string, string>> = {}) {
  const all = Object.entries({ "SKILL.md": text, ...files });
  return parse(
    createBundle(
      "demo",
      all.map(([path, content]) => [path, Buffer.from(content)]),
    ),
    profile,
  );
}

const header = (fields: string) =>
  `---\nname: demo\ndescription: Does a thing when it is asked to.\n${fields}\n---\nBody\n`;
const codes = (parsed: ReturnType<typeof parse>) => parsed.findings.map(({ code }) => code);
const manifestOf = (fields: string) => parseText(header(fields)).skill?.manifest;

describe("SK-5: profiles and the two verdicts", () => {
  test("a good skill is loadable and strict in every profile but registry, which wants its kind", () => {
    const passes = (["workspace", "ingest", "strict", "registry"] as const).map(
      (profile) => parseText(good, profile).passes,
    );
    expect(passes).toEqual([true, true, true, false]);
    expect(parseText(header("metadata:\n  kind: tool"), "registry").passes).toBe(true);
  });

  test("without a header a workspace takes the folder's name, ingest refuses", () => {
    expect(parseText("# Only text\n").skill?.manifest).toMatchObject({ name: "demo", description: null });
    expect(parseText("# Only text\n", "ingest").skill).toBeUndefined();
    expect(parseText("# Only text\n").strict).toBe(false);
  });

  test.each(["description:", 'description: ""', 'description: "  "', "description: [a, b]", "license: MIT"])(
    "%s: listed in a workspace, refused by ingest, not strict",
    (line) => {
      const text = `---\nname: demo\n${line}\n---\nBody\n`;
      expect(parseText(text).skill?.manifest.description).toBeNull();
      expect(parseText(text, "ingest").skill).toBeUndefined();
      expect(parseText(text).strict).toBe(false);
    },
  );

  test("unknown fields are kept, and only strict refuses them", () => {
    const text = header("argument-hint: <file>\nmodel: fast");
    expect(parseText(text).passes).toBe(true);
    expect(parseText(text).skill?.frontmatter).toMatchObject({ "argument-hint": "<file>", model: "fast" });
    expect(parseText(text, "strict")).toMatchObject({ strict: false, passes: false });
    expect(parseText(text, "strict").skill).toBeDefined();
  });

  test("registry wants a description that a router can select on", () => {
    const text = "---\nname: demo\ndescription: A demo skill.\nmetadata:\n  kind: tool\n---\nBody\n";
    expect(codes(parseText(text, "registry"))).toEqual(["description.vague"]);
    expect(codes(parseText(text, "strict"))).toEqual([]);
  });
});

describe("SK-4: source text is kept", () => {
  test("words that YAML takes for something else", () => {
    const text = "---\nname: no\ndescription: on\nlicense: 1.10\nmetadata: { version: 1.10, on: yes }\n---\n";
    expect(parseText(text).skill?.manifest).toMatchObject({
      name: "no",
      description: "on",
      license: "1.10",
      metadata: { version: "1.10", on: "yes" },
    });
  });

  test("the repair leaves a finding and every other field as it was", () => {
    const parsed = parseText("---\nname: demo\ndescription: Use this: when needed\nuser-invocable: false\n---\nBody\n");
    expect(codes(parsed)).toContain("yaml.repaired");
    expect(parsed.skill?.manifest).toMatchObject({ description: "Use this: when needed", userInvocable: false });
    expect(parsed).toMatchObject({ strict: false, passes: true });
  });
});

describe("SK-4: text that YAML cuts or cannot read", () => {
  test("a description that loses its end to a comment is said, a comment behind another field is not", () => {
    const parsed = parseText(
      "---\nname: demo\ndescription: Closes issue #12 and more\nlicense: MIT # see file\n---\nBody\n",
    );
    expect(parsed.skill?.manifest.description).toBe("Closes issue");
    expect(parsed.findings).toMatchObject([{ code: "yaml.comment", at: { line: 3 } }]);
  });

  test("prose that starts like YAML is read, an alias is not", () => {
    const parsed = parseText("---\nname: demo\ndescription: **Bold** words\n---\nBody\n");
    expect(parsed.skill?.manifest.description).toBe("**Bold** words");
    expect(parsed.findings).toMatchObject([{ code: "yaml.repaired", at: { line: 3 } }]);
    expect(parseText("---\nname: demo\ndescription: *bold\n---\nBody\n").skill).toBeUndefined();
  });
});

describe("SK-7: kinds", () => {
  test.each([
    ["kind: host-knowledge", "host-knowledge"],
    ["metadata: { kind: host-knowledge }", "host-knowledge"],
    ["kind: tool\nmetadata: { kind: host-knowledge }", "tool"],
    ["license: MIT", "tool"],
  ])("%j is %s", (fields, kind) => {
    expect(manifestOf(fields)?.kind).toBe(kind);
  });

  test("an unknown kind is a tool, with a finding; a missing one is said only in registry", () => {
    expect(codes(parseText(header("metadata: { kind: wizard }")))).toEqual(["kind.unknown"]);
    expect(codes(parseText(good))).toEqual([]);
    expect(codes(parseText(good, "registry"))).toContain("kind.missing");
  });

  test("host knowledge carries no grants, no scope and no contract", () => {
    const files = { "scope.yaml": "allowed_tools: [Read]\nexecution_protocol: [a]\n", "contract.js": "throw 1" };
    const parsed = parseText(header("metadata: { kind: host-knowledge }\nallowed-tools: Read"), "workspace", files);
    expect(parsed.skill).toMatchObject({ manifest: { allowedTools: null }, scope: { state: "none" }, contract: null });
    expect(codes(parsed)).toEqual(["kind.carries", "kind.carries", "kind.carries"]);
  });
});

describe("SK-8: lists and unknown fields", () => {
  test.each([
    ["inputs: a, b ,, c", ["a", "b", "c"]],
    ["inputs: [a, ' b ', '']", ["a", "b"]],
    ["inputs:", []],
    ["metadata: { inputs: 'a, b' }", ["a", "b"]],
    ["inputs: [x]\nmetadata: { inputs: 'a, b' }", ["x"]],
  ])("%j", (fields, inputs) => {
    expect(manifestOf(fields)?.inputs).toEqual(inputs);
  });

  test("a list of the wrong shape is empty, with a finding", () => {
    const parsed = parseText(header("triggers: { a: b }"));
    expect(parsed.skill?.manifest.triggers).toEqual([]);
    expect(codes(parsed)).toContain("field.type");
  });

  test.each([
    ["too large", `x: ${"a".repeat(9000)}`],
    ["too deep", "x: [[[[[1]]]]]"],
    ["too many", `x: { ${Array.from({ length: 101 }, (_, index) => `k${index}: 1`).join(", ")} }`],
  ])("an unknown field that is %s is dropped and named", (_, field) => {
    const parsed = parseText(header(field));
    expect(parsed.skill?.frontmatter).not.toHaveProperty("x");
    expect(parsed.findings.find(({ code }) => code === "field.bounds")?.message).toContain('"x"');
  });
});

describe("SK-9: allowed-tools", () => {
  test.each([
    ["license: MIT", null],
    ["allowed-tools:", []],
    ["allowed-tools: ''", []],
    ["allowed-tools: []", []],
    ["allowed-tools: Bash(git add *), Read", ["Bash(git add *)", "Read"]],
    ["allowed-tools: Read Grep", ["Read", "Grep"]],
    ["allowed-tools: [Read, 'Bash(git:*)']", ["Read", "Bash(git:*)"]],
    ["allowed_tools: Read", ["Read"]],
    ["allowed-tools: { Read: true }", []],
    ["allowed-tools: 42", []],
    ["allowed-tools: true", []],
    ["allowed-tools: [[Read]]", []],
  ])("%j", (fields, tools) => {
    expect(manifestOf(fields)?.allowedTools).toEqual(tools);
  });

  test.each(["allowed-tools: { Read: true }", "allowed-tools: 42", "disallowed-tools: { a: b }"])(
    "%s: the wrong type is a finding",
    (fields) => {
      expect(codes(parseText(header(fields)))).toContain("field.type");
    },
  );

  test("the raw value is kept", () => {
    expect(parseText(header("allowed-tools: Read, Grep")).skill?.frontmatter).toMatchObject({
      "allowed-tools": "Read, Grep",
    });
  });

  test("64 entries of 256 bytes; what is beyond is dropped and said", () => {
    const many = Array.from({ length: 70 }, (_, index) => `T${index}`).join(" ");
    expect(manifestOf(`allowed-tools: ${many}`)?.allowedTools).toHaveLength(64);
    expect(codes(parseText(header(`allowed-tools: ${many}`)))).toContain("tools.bounds");
    expect(manifestOf(`allowed-tools: Read ${"x".repeat(257)}`)?.allowedTools).toEqual(["Read"]);
  });

  test("two spellings of one field are said; the public one counts", () => {
    const parsed = parseText(header("allowed_tools: Write\nallowed-tools: Read"));
    expect(parsed.skill?.manifest.allowedTools).toEqual(["Read"]);
    expect(codes(parsed)).toContain("field.twice");
  });
});

describe("formats: fields that clients honour", () => {
  test("invocation flags, with the safest reading of rubbish", () => {
    expect(manifestOf("disable-model-invocation: true")).toMatchObject({ modelInvocable: false, userInvocable: true });
    expect(manifestOf("user-invocable: false")).toMatchObject({ modelInvocable: true, userInvocable: false });
    expect(manifestOf("disable-model-invocation: maybe\nuser-invocable: maybe")).toMatchObject({
      modelInvocable: false,
      userInvocable: false,
    });
  });

  test("hooks and embedded commands are shown, never run", () => {
    const parsed = parseText("---\nname: demo\ndescription: d\nhooks: { Stop: rm }\n---\nNow:\n!`git status`\n");
    expect(parsed.findings).toMatchObject([
      { code: "field.unknown" },
      { code: "hooks.ignored", at: { line: 4 } },
      { code: "command.ignored", at: { line: 7 } },
    ]);
  });
});

describe("SK-6, SK-16: body, sidecars, contract", () => {
  test("the checksum is over exactly the body's bytes", () => {
    const { skill } = parseText("---\nname: demo\ndescription: d\n---\n\n  é\n");
    expect(skill?.body).toBe("é\n");
    expect(skill?.bodyChecksum).toBe(sha256(Buffer.from("é\n")));
  });

  test("a byte order mark at the start of the body is body", () => {
    const { skill } = parseText("---\nname: demo\ndescription: d\n---\n\uFEFFx");
    expect(skill?.body).toBe("\uFEFFx");
    expect(skill?.bodyChecksum).toBe(sha256(Buffer.from("\uFEFFx")));
  });

  test("a contract is noticed and stays inert", () => {
    const files = { "contract.js": "globalThis.contractRan = true; process.exit(9);" };
    const parsed = parseText(good, "workspace", files);
    expect(parsed.skill?.contract).toMatchObject({ file: "contract.js" });
    expect(codes(parsed)).toEqual(["contract.inert"]);
    expect(globalThis).not.toHaveProperty("contractRan");
  });

  test("a scope that cannot be read leaves the skill loadable and its scope unusable", () => {
    const parsed = parseText(good, "workspace", { "scope.yaml": "allowed_tools: [a\n" });
    expect(parsed.skill?.scope).toEqual({ state: "unusable" });
    expect(parsed.passes).toBe(false);
  });

  test("every file counts in the digest", () => {
    const digests = [{ "a.txt": "1" }, { "a.txt": "2" }, { "b.txt": "1" }, {}].map(
      (files) => parseText(good, "workspace", files).skill?.digest,
    );
    expect(new Set(digests).size).toBe(4);
  });
});

test("SK-13: a message shows nothing unseen, whoever worded it", () => {
  const texts = ["!\u{f0000}", "a: 1\n\u202ea: 2\n\u202ea: 3", '"\\e[31m": 1'].map((yaml) => `---\n${yaml}\n---\n`);
  const messages = texts.flatMap((text) => parseText(text).findings.map(({ message }) => message));
  expect(messages.length).toBeGreaterThan(3);
  expect(messages.filter(hasUnseen)).toEqual([]);
});

test("a bundle without SKILL.md says so", () => {
  expect(codes(parse(createBundle("demo", []), "workspace"))).toEqual(["file.missing"]);
});
