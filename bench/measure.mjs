import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { env, execPath, platform } from "node:process";

/** Which clock `childTime` reads. Only Linux says what CPU time a process's ended children have used. */
export const childClock = platform === "linux" ? "user+system CPU" : "wall clock (no CPU time of children here)";

/**
 * Milliseconds that one run of a child takes, as a mean over `times` runs in a row. Linux counts CPU time in ticks
 * (10 ms as a rule), so a single short run cannot be told from the next; ten in a row are exact to about 1 ms.
 */
export function childTime(args, { times = 1, ...options } = {}) {
  const before = now();
  for (let run = 0; run < times; run++) runNode(args, options);
  return (now() - before) / times;
}

/** Runs node and returns what it printed. Throws when it failed: a failing run must not pass for a fast one. */
export function runNode(args, { environment = env, input } = {}) {
  const options = { env: environment, input, encoding: "utf8", maxBuffer: 2 ** 28 };
  const { status, stdout, stderr, error } = spawnSync(execPath, args, options);
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return stdout;
}

function now() {
  return platform === "linux" ? ticksOfChildren() * (1000 / ticksPerSecond) : performance.now();
}

const ticksPerSecond = platform === "linux" ? readTicksPerSecond() : 0;

function readTicksPerSecond() {
  const { stdout } = spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" });
  return Number(stdout) || 100;
}

/** `cutime` and `cstime` of proc(5). The command name before them may hold spaces, so the count starts after it. */
function ticksOfChildren() {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[13]) + Number(fields[14]);
}

/** CPU milliseconds (user and system, all threads) that `act` takes in this process. */
export function ownTime(act) {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Measures every contender once per round, each round starting with another one, so that a slow spell of the machine
 * hits all of them. Returns the samples of each by name.
 */
export function interleave(contenders, rounds) {
  const names = Object.keys(contenders);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      samples[name].push(contenders[name]());
    }
  return samples;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How many times the baseline: the median of the rounds' own ratios, in which a slow spell cancels out. */
export function ratio(values, baseline) {
  return median(values.map((value, round) => value / baseline[round]));
}

export const ms = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1));
export const times = (value) => `${value.toFixed(2)}x`;

/** Prints rows under their headings: the first column to the left, the others to the right. */
export function printTable(headings, rows) {
  const cells = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])))
      .join("  ")
      .trimEnd();
  const [first, ...rest] = cells.map(line);
  console.log([first, widths.map((width) => "-".repeat(width)).join("  "), ...rest].join("\n"));
}
