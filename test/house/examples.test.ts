import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
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

test.each([
  ["CO-6", "compose-a-prompt.mjs"],
  ["CO-8", "inject-into-messages.mjs"],
  ["CO-17", "ai-sdk-middleware.mjs"],
  ["IN-20", "skills-from-github.mjs"],
  ["RV-6", "scan-a-skill.mjs"],
  ["RT-7", "route-a-request.mjs"],
  ["AG-8", "chat-with-an-agent.mjs"],
  ["AG-7", "agent-with-a-scope.mjs"],
  ["SC-5", "sub-agents-side-by-side.mjs"],
  ["SC-5", "scope-a-sub-agent.mjs"],
  ["SC-7", "gate-ai-sdk-tools.mjs"],
  ["SC-7", "gate-mcp-tools.mjs"],
  ["SV-5", "mcp-client.mjs"],
])("%s: examples/%s prints what examples/README.md says", (_, name) => {
  const { stdout, stderr, status } = run(`examples/${name}`);
  expect([status, stderr]).toEqual([0, ""]);
  expect(readFileSync("examples/README.md", "utf8")).toContain(`\n\`\`\`\n${stdout}\`\`\`\n`);
});
