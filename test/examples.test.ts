import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

// The package's own name resolves to its built `dist` through the exports map.
const run = (file: string, ...args: string[]) => spawnSync(process.execPath, [file, ...args], { encoding: "utf8" });

test("examples/parse-a-skill.mjs", () => {
  const { stdout, status } = run("examples/parse-a-skill.mjs");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^weekly-report, strict: true, digest [0-9a-f]{12}\n/);
  expect(stdout).toContain("asks to have pre-approved: Read and Bash(git log:*)");
  expect(stdout).toContain("info tools.form at SKILL.md:4");
});

test("examples/validate-a-folder.mjs", () => {
  const { stdout, status } = run("examples/validate-a-folder.mjs", "examples/skills");
  expect(status).toBe(0);
  expect(stdout.trim().split("\n")).toHaveLength(8);
});
