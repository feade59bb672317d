import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { blocks } from "../../core/finding.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { type Config, parseConfig } from "./config-file.ts";
import { configKeys } from "./config-keys.ts";
import { loadWorkspaceFile, type Narrowing, narrowingKeys, parseWorkspaceFile } from "./workspace-file.ts";
import { createWorld } from "../world/world.ts";

const none: Narrowing = { ignore: [], budget: null, forbiddenTools: [] };
const closed: Narrowing = { ...none, forbiddenTools: ["*"] };
const parse = (text: string) => parseWorkspaceFile(text, "skillward.yaml");
const said = (text: string) => parse(text).findings.map(({ code, at }) => `${code}:${at.line}`);

describe("what a workspace may say", () => {
  test("paths to ignore, a budget, tools to forbid", () => {
    const text = `ignore: [vendor, "**/fixtures", a..b/*.md]
budget: 12000
scope:
  forbidden_tools: [shell, "Bash(git:*)", mcp__a__b]
`;
    expect(parse(text)).toEqual({
      narrowing: {
        ignore: ["vendor", "**/fixtures", "a..b/*.md"],
        budget: 12000,
        forbiddenTools: ["shell", "Bash(git:*)", "mcp__a__b"],
      },
      findings: [],
    });
  });

  test.each(["", "# nothing\n", "ignore:\nscope:\n", "scope: { forbidden_tools: }", "ignore: []"])(
    "%j says nothing",
    (text) => {
      expect(parse(text)).toEqual({ narrowing: none, findings: [] });
    },
  );
});

const dangerous = `store hosts github network providers endpoints commands hooks secrets tokens
keys trust contracts review sync usage data config placement system_floor
sources users models env mcp_servers allowed_tools grants api_keys on_change proxy
serve gateway telemetry private log_prompts`.split(/\s/);

describe("T44, invariant 10: a workspace file can only narrow", () => {
  test("what it can say and what the server's configuration says have no key in common", () => {
    expectTypeOf<keyof Narrowing & keyof Config>().toEqualTypeOf<never>();
    const { config } = parseConfig("", "c.yaml");
    expect(Object.keys(none).filter((key) => key in config)).toEqual([]);
    const serverKeys = new Set<string>(configKeys.map(({ path }) => path));
    expect(narrowingKeys.filter((key) => serverKeys.has(key))).toEqual([]);
  });

  test("a hostile file with every dangerous key: each refused by name and line, nothing used", () => {
    const text = dangerous.map((key) => `${key}: { ignore: [x], budget: 1, url: https://evil.example }\n`).join("");
    const { narrowing, findings } = parse(text);
    expect(narrowing).toEqual(none);
    expect(findings.map(({ code, message, at }) => `${code} ${at.line} ${message.split(":")[0]}`)).toEqual(
      dangerous.map((key, at) => `workspace.refused ${at + 1} ${key}`),
    );
    expect(findings.every(blocks)).toBe(true);
  });

  test.each(dangerous)("%s is refused inside `scope` as well", (key) => {
    const { narrowing, findings } = parse(`scope:\n  ${key}: ['*']\n  forbidden_tools: [shell]`);
    expect(narrowing).toEqual({ ...none, forbiddenTools: ["shell"] });
    expect(findings).toMatchObject([{ code: "workspace.refused", level: "high", at: { line: 2 } }]);
    expect(findings[0]?.message).toMatch(new RegExp(`^scope\\.${key}: refused and without effect; .{20}`));
  });

  test.each(configKeys.map(({ path }) => path))("the server's key %s is refused", (path) => {
    const words = path.split(".");
    const nested = words.map((word, at) => `${"  ".repeat(at)}${word}:`).join("\n");
    expect(said(`${nested} x`)).toEqual(["workspace.refused:1"]);
    expect(said(`${path}: x`)).toEqual(["workspace.refused:1"]);
  });

  test.each([
    "Store",
    "STORES",
    "host",
    "api-key",
    "API_KEYS",
    "systemFloor",
    "MCP-Servers",
    "secret",
    "allowed-tools",
  ])("another spelling is the same word: %s", (key) => {
    expect(said(`${key}: x`)).toEqual(["workspace.refused:1"]);
  });

  test("it is said where a refused key belongs instead", () => {
    const [store, keys, trust] = parse("store: x\nkeys: x\ntrust: x").findings;
    expect(store?.message).toBe("store: refused and without effect; it belongs to your own configuration file");
    expect(keys?.message).toContain("SKILLWARD_KEYS");
    expect(trust?.message).toContain("`skillward source`");
  });

  test("whatever keys it has beside its own, nothing is narrowed and each is named", () => {
    const key = fc.oneof(
      fc.constantFrom(...dangerous, "__proto__", "constructor"),
      fc.stringMatching(/^[a-z_]{1,12}$/),
    );
    const foreign = key.filter((word) => !["ignore", "budget", "scope", "null", "true"].includes(word));
    fc.assert(
      fc.property(fc.uniqueArray(foreign, { maxLength: 8 }), (keys) => {
        const { narrowing, findings } = parse(keys.map((word) => `${word}: { budget: 1, scope: x }\n`).join(""));
        expect(narrowing).toEqual(none);
        expect(findings).toHaveLength(keys.length);
      }),
    );
  });

  test("reading never throws, and shows nothing unseen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const { findings } = parseWorkspaceFile(`${a}: [${b}]`, a);
        for (const { message, at } of findings) expect(message + at.file).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

describe("what cannot be used is said", () => {
  test("an unknown key, with the nearest one", () => {
    expect(parse("ignored: [a]\nforbiden_tools: [b]\nelephant: 1")).toMatchObject({
      narrowing: none,
      findings: [
        { code: "workspace.unknown-key", level: "low", message: expect.stringContaining("did you mean `ignore`?") },
        { level: "low", message: expect.stringContaining("did you mean `scope.forbidden_tools`?"), at: { line: 2 } },
        { level: "low", message: "elephant: not a known key and without effect", at: { line: 3 } },
      ],
    });
  });

  test.each([
    "/etc",
    "../other",
    "a/../../b",
    "..",
    "~/x",
    "!vendor",
    "C:/x",
    "a\\b",
    "''",
    "' a'",
    '"\\u202ea"',
    "[a]",
    "x".repeat(257),
  ])("the path pattern %s is refused, its neighbours hold", (pattern) => {
    const item = /^['"[]/.test(pattern) ? pattern : `'${pattern}'`;
    const { narrowing, findings } = parse(`ignore:\n  - before\n  - ${item}\n  - after`);
    expect(narrowing).toEqual({ ...none, ignore: ["before", "after"] });
    expect(findings).toMatchObject([{ code: "workspace.wrong-value", level: "medium", at: { line: 3 } }]);
  });

  test.each(["''", "{ a: b }", `"\\u200b"`, "é".repeat(129)])(
    "the tool %s cannot be read: all are forbidden",
    (tool) => {
      expect(parse(`scope:\n  forbidden_tools: [shell, ${tool}]`)).toMatchObject({
        narrowing: { forbiddenTools: ["shell", "*"] },
        findings: [{ code: "workspace.wrong-value", at: { line: 2 } }],
      });
    },
  );

  test.each(["budget: 0", "budget: -1", "budget: all", "budget:", "budget: [1]", "budget: 99999999999"])(
    "%s is no budget: what holds without it stays",
    (text) => {
      expect(parse(text).narrowing).toEqual(none);
      expect(said(text)).toEqual(["workspace.wrong-value:1"]);
    },
  );

  test("ignore: vendor has the wrong shape", () => {
    expect(parse("ignore: vendor").narrowing).toEqual(none);
    expect(said("ignore: vendor")).toEqual(["workspace.wrong-value:1"]);
  });

  test.each(["scope: shell", "scope: [shell]", "scope: { forbidden_tools: shell }"])(
    "%s has the wrong shape: no restriction is lost, all tools are forbidden",
    (text) => {
      expect(parse(text).narrowing).toEqual(closed);
      expect(said(text)).toEqual(["workspace.wrong-value:1"]);
    },
  );

  test("a misspelt restriction does not turn into none", () => {
    expect(parse("scope:\n  forbiden_tools: [shell]").narrowing.forbiddenTools).toEqual(["*"]);
  });

  test("lists end somewhere, and it is said where", () => {
    const many = Array.from({ length: 300 }, (_, at) => `a${at}`).join(", ");
    const { narrowing, findings } = parse(`ignore: [${many}]\nscope: { forbidden_tools: [${many}] }`);
    expect([narrowing.ignore.length, narrowing.forbiddenTools.length]).toEqual([256, 65]);
    expect(narrowing.forbiddenTools.at(-1)).toBe("*");
    expect(findings.map(({ message }) => message)).toEqual([
      "ignore: expected at most 256 items; the rest is not read",
      "scope.forbidden_tools: expected at most 64 items; the rest is not read",
    ]);
  });

  test.each(["ignore: [", "- ignore", "budget: 1\nbudget: 2", "a: &x 1\nb: *x", "budget: !!int 1"])(
    "%j cannot be read: a finding, and all tools are forbidden",
    (text) => {
      const { narrowing, findings } = parse(text);
      expect(narrowing).toEqual(closed);
      expect(findings).toMatchObject([{ code: "workspace.unreadable", level: "high" }]);
    },
  );
});

test("what the file holds is shown without the unseen, and never so long that the advice is lost", async () => {
  const hostile = "/w\u202e";
  const linked = memoryFiles({ [`${hostile}/skillward.yaml`]: { kind: "link" } });
  const { findings } = await loadWorkspaceFile(linked, hostile);
  expect(JSON.stringify(findings)).not.toContain("\u202e");
  expect(parse(`"\u202e": 1`).findings[0]?.message).toContain("\\u{202e}: not a known key");
  expect(parse(`store.${"x".repeat(900)}: 1`).findings[0]?.message).toMatch(/your own configuration file$/);
});

describe("T44: loading", () => {
  const load = (tree: Parameters<typeof memoryFiles>[0]) => loadWorkspaceFile(memoryFiles(tree), "/home/space");

  test("looks only at skillward.yaml of the folder itself", async () => {
    const elsewhere = { "/skillward.yaml": "budget: 1", "/home/skillward.yaml": "budget: 2", "/home/space/a": "" };
    expect(await load(elsewhere)).toEqual({ narrowing: none, findings: [] });
    expect(await load({ "/home/space/sub/skillward.yaml": "budget: 3" })).toEqual({ narrowing: none, findings: [] });
    expect(await load({ ...elsewhere, "/home/space/skillward.yaml": "budget: 4" })).toMatchObject({
      narrowing: { budget: 4 },
      findings: [],
    });
  });

  test.each<[string, Parameters<typeof memoryFiles>[0][string]]>([
    ["a link", { kind: "link" }],
    ["a pipe", { kind: "special" }],
    ["a folder", { kind: "folder" }],
    ["bytes that are not UTF-8", Uint8Array.of(0xff)],
    ["more than 64 KiB", `budget: 1\n#${"x".repeat(64 * 1024)}`],
  ])("%s is not read: a finding, and all tools are forbidden", async (_, entry) => {
    expect(await load({ "/home/space/skillward.yaml": entry })).toMatchObject({
      narrowing: closed,
      findings: [{ code: "workspace.unreadable", level: "high", at: { file: "/home/space/skillward.yaml", line: 1 } }],
    });
  });

  test("on a real disk no link is followed, also not one that leads nowhere", async () => {
    const room = mkdtempSync(join(tmpdir(), "skillward-workspace-"));
    try {
      writeFileSync(join(room, "real.yaml"), "budget: 1");
      for (const [name, target] of Object.entries({ real: "real.yaml", nowhere: "none.yaml" })) {
        mkdirSync(join(room, name));
        symlinkSync(join(room, target), join(room, name, "skillward.yaml"));
        const { narrowing, findings } = await loadWorkspaceFile(createWorld().files, join(room, name));
        expect(narrowing).toEqual(closed);
        expect(findings).toMatchObject([{ code: "workspace.unreadable", message: expect.stringContaining("link") }]);
      }
    } finally {
      rmSync(room, { recursive: true });
    }
  });
});
