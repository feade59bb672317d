import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const bin = resolve("dist/cli.js");

/** Runs the built command line as a user would. */
export function skillward(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Ended {
  if (!existsSync(bin)) throw new Error("dist/cli.js is missing: npm run build");
  const ended = spawnSync(process.execPath, [bin, ...args], {
    encoding: "utf8",
    cwd: options.cwd ?? process.cwd(),
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}
