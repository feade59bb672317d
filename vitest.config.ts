import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    pool: "threads",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/postgres.setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
