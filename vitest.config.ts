import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/slowest-first.ts";

export default defineConfig({
  test: {
    pool: "threads",
    // Much of the time is spent waiting for programs that tests start: by itself vitest leaves one core idle.
    maxWorkers: "100%",
    sequence: { sequencer: SlowestFirst },
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/postgres.setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // How long a machine takes is nobody's fault.
    expect: { poll: { timeout: 30_000 } },
  },
});
