import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Options {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** What standard input holds; nothing without it. */
  readonly input?: string | Uint8Array;
}

const bin = resolve("dist/cli.js");

/** Runs the built command line as a user would. */
export function skillward(args: readonly string[], options: Options = {}): Ended {
  const ended = spawnSync(process.execPath, [demandBuilt(), ...args], {
    ...surroundings(options),
    encoding: "utf8",
    input: options.input ?? "",
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

/** The same beside others. */
export async function skillwardBeside(args: readonly string[], options: Options = {}): Promise<Ended> {
  const child = spawn(process.execPath, [demandBuilt(), ...args], surroundings(options));
  // A command that reads nothing may have ended before it is given something.
  child.stdin.on("error", () => undefined).end(options.input ?? "");
  const ended = new Promise<number | null>((done, failed) => child.on("close", done).on("error", failed));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

export function surroundings({ cwd = process.cwd(), env = {} }: Options) {
  return { cwd, env: { PATH: process.env["PATH"] ?? "", ...env } };
}

export function demandBuilt(): string {
  if (!existsSync(bin)) throw new Error("dist/cli.js is missing: npm run build");
  return bin;
}
