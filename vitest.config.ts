import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { memoryFolder } from "./test/support/memory-folder.ts";
import { SlowestFirst } from "./test/support/slowest-first.ts";

const inMemory = memoryFolder();
if (inMemory !== undefined) process.env["TMPDIR"] ??= inMemory;

const each: TestProjectInlineConfiguration["test"] = {
  pool: "threads",
  // More than cores, since a test waits for a quarter of its time. As a share, vitest takes no more than cores.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // How long a machine takes is nobody's fault.
  expect: { poll: { timeout: 30_000 } },
};

/** They replace a module, or watch what others have loaded already. */
const alone = [
  "src/net/origin-guard.test.ts",
  "src/scope/tools/calls.test.ts",
  "src/models/sdk/failure.test.ts",
  "src/scope/registry.test.ts",
];

/**
 * These serve in the process of the test. Like the tests beside the code they leave nothing behind: to load the same modules
 * for each file anew takes longer than most of them.
 */
const together = ["api", "gateway", "http", "mcp", "oidc", "source"].map((door) => `test/*/${door}-*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres.setup.ts"],
    sequence: { sequencer: SlowestFirst },
    projects: [
      { test: { ...each, name: "whole", include: ["test/**/*.test.ts", ...alone], exclude: together } },
      { test: { ...each, name: "parts", include: ["src/**/*.test.ts", ...together], exclude: alone, isolate: false } },
    ],
  },
});
