import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { forRun } from "../support/long-run.ts";

const child = fileURLToPath(new URL("linear.child.mjs", import.meta.url));
const built = fileURLToPath(new URL("../../dist/skill.js", import.meta.url));

/**
 * A megabyte takes a linear reader a moment and a quadratic one 10^12 steps: the two need no finer clock than this. Half of it
 * takes a quadratic one a quarter of the steps, and here it has half of the time.
 */
const { large, deadline } = forRun({
  short: { large: 512 << 10, deadline: 120_000 },
  long: { large: 1 << 20, deadline: 240_000 },
});

const units: readonly string[] = [
  "a",
  "<!--",
  "https://",
  "QUJDREVG",
  "!`",
  " !`",
  "((((",
  ",,,,",
  " ",
  "- ",
  "a: ",
  "./././",
  "---\n",
  "\u202e",
  "e\u0301\u0316",
  // Marks out of their order: putting one in its place can move all that came before.
  "\u0301\u0316",
];

interface Outcome {
  readonly done: number;
  readonly threw: readonly string[];
  /** Where the child was when its time was over. */
  readonly stoppedAt?: string;
}

function runChild(): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = { timeout: deadline, maxBuffer: 64 << 20, env: {} };
    const started = execFile(process.execPath, [child], options, (error, stdout, stderr) => {
      const stoppedAt = stderr.trimEnd().split("\n").at(-1) ?? "";
      if (error === null) return resolve(JSON.parse(stdout));
      if (error.killed === true) return resolve({ done: stderr.split("\n").length, threw: [], stoppedAt });
      reject(new Error(`the child ended at ${stoppedAt}: ${error.message}`));
    });
    started.stdin?.end(JSON.stringify({ units, small: 256 << 10, large }));
  });
}

it("reads a megabyte of anything, anywhere in a skill, in time that grows with its length (T26)", async () => {
  if (!existsSync(built)) throw new Error("dist is missing: npm run build first");
  const { stoppedAt, threw, done } = await runChild();
  expect(stoppedAt).toBeUndefined();
  expect(threw).toEqual([]);
  expect(done).toBeGreaterThan(units.length * 15);
}, 300_000);
