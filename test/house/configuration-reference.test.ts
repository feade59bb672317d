import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { variables } from "../../src/app/config/config.ts";
import { parseConfig } from "../../src/app/config/config-file.ts";
import { configKeys } from "../../src/app/config/config-keys.ts";
import { narrowingKeys, parseWorkspaceFile } from "../../src/app/config/workspace-file.ts";

const page = readFileSync("docs/configuration.md", "utf8");
const [serverExample = "", workspaceExample = ""] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, yaml]) => yaml ?? "",
);
const defaults = parseConfig("", "");
const keys = configKeys;

const nested = (path: string, value: string) =>
  `${path
    .split(".")
    .map((word, at) => `${"  ".repeat(at)}${word}:`)
    .join("\n")} ${value}`;

describe("docs/configuration.md", () => {
  test.each(Object.entries(variables))("says what %s means", (name, about) => {
    expect(page).toContain(`| \`${name}\` | ${about} |\n`);
  });

  test("names no variable that does not exist", () => {
    const named = [...page.matchAll(/SKILLWARD_[A-Z_]*[A-Z]/g)].map(([name]) => name);
    expect(named.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
  });

  test.each(keys)("says what $path is, what it takes and its true default", ({ path, kind, about }) => {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${path}\` |`)) ?? "";
    const [, preset = ""] = /^\| `[^`]+` \| `([^`]+)` \|/.exec(row) ?? [];
    expect(row).toBe(`| \`${path}\` | \`${preset}\` | ${kind.expects} | ${about} |`);
    expect(parseConfig(nested(path, preset), "")).toEqual(defaults);
  });

  test("its complete file has every key, each with its default", () => {
    expect(parseConfig(serverExample, "")).toEqual(defaults);
    const words = new Set(keys.flatMap(({ path }) => path.split(".")));
    expect([...words].filter((word) => !new RegExp(`^ *${word}:`, "m").test(serverExample))).toEqual([]);
  });

  test("its workspace file has every key, and narrows without a finding", () => {
    const { narrowing, findings } = parseWorkspaceFile(workspaceExample, "");
    expect(findings).toEqual([]);
    expect(narrowing).toEqual({
      ignore: ["vendor", "**/fixtures"],
      budget: 12_000,
      forbiddenTools: ["shell", "Edit(src/**)"],
    });
    const words = narrowingKeys.map((path) => path.split(".").at(-1));
    expect(words.filter((word) => !new RegExp(`^ *${word}:`, "m").test(workspaceExample))).toEqual([]);
  });

  test.each([
    "config.unknown-key",
    "config.wrong-value",
    "config.unreadable",
    "workspace.refused",
    "workspace.unreadable",
    "workspace.wrong-value",
    "workspace.unknown-key",
  ])("says what %s means", (code) => {
    expect(page).toContain(`| \`${code}\` |`);
  });
});
