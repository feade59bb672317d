import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { spawnFaults } from "../../src/agent/agent-faults.ts";
import { usualLimits } from "../../src/agent/spawn/spawn-host.ts";
import { contractFaults } from "../../src/scope/contract/contract.ts";
import { scopeFaults } from "../../src/scope/scope-faults.ts";
import { fenced, sectionOf, type Step } from "../support/page.ts";
import { walkPage } from "../support/walk.ts";

const scopes = readFileSync("docs/scope.md", "utf8");
const agents = readFileSync("docs/agents.md", "utf8");
const readme = readFileSync("README.md", "utf8");

describe("docs/scope.md", () => {
  // `-u` writes what is printed now. Read the text beside it again.
  test("SC-3, SC-4, SC-7: each command does what the page says, and prints what it shows", async () => {
    await expect(await walked(scopes)).toMatchFileSnapshot("../../docs/scope.md");
  });

  test("SC-4: has every error and every finding, with its level", () => {
    expect(levelsIn(sectionOf(scopes, "Findings"))).toEqual(levelsOf(scopeFaults));
  });

  test("SC-6: its rules are the ones that the example of agents prints", () => {
    const [rules = ""] = fenced(sectionOf(scopes, "The rules in a prompt"), "");
    expect(fenced(agents, "text").join("")).toContain(rules);
  });
});

describe("docs/agents.md", () => {
  test("SC-5, SC-10: its programs print what the page shows", async () => {
    await expect(await walked(agents)).toMatchFileSnapshot("../../docs/agents.md");
  });

  test("SC-5: has the true limits", () => {
    const rows = [...sectionOf(agents, "Limits").matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)];
    const shown = rows.map(([, name, value = ""]) => [name, Number(value.replaceAll(",", ""))]);
    expect(Object.fromEntries(shown)).toEqual(usualLimits);
  });

  test("SC-10: has every finding of sub-agents and contracts, with its level", () => {
    expect(levelsIn(sectionOf(agents, "Findings"))).toEqual({ ...levelsOf(spawnFaults), ...levelsOf(contractFaults) });
  });
});

describe("README", () => {
  test("SC-3: what it may do prints what it says it prints", async () => {
    const section = sectionOf(readme, "What it may do");
    const again = await walked(section);
    for (const said of ['runs as   ["git","log","-3"]\n', "deny TOOL_NOT_ALLOWED\n"]) expect(again).toContain(said);
    await expect(readme.replace(section, () => again)).toMatchFileSnapshot("../../README.md");
  });
});

/** A page with what its commands print now. */
function walked(text: string): Promise<string> {
  const prepare = `cp -r "${resolve("examples")}" .\nln -s "${resolve(".")}" node_modules/skillward\n`;
  return walkPage(text, { prepare, isTaken });
}

/** Programs say what file they are in; pieces of one do not. */
function isTaken({ kind, text }: Step): boolean {
  return kind === "sh" || kind === "text" || (kind === "js" && /^\/\/ \S+\.mjs\n/.test(text));
}

function levelsIn(section: string): Record<string, string> {
  return Object.fromEntries(
    [...section.matchAll(/^\| `([\w.-]+)` \| (\w+) \|/gm)].map(([, code = "", level = ""]) => [code, level]),
  );
}

function levelsOf(faults: Readonly<Record<string, { readonly level: string }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(faults).map(([code, { level }]) => [code, level]));
}
