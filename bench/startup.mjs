/**
 * What starting costs: user+system CPU of `skillward --version` and of `skillward validate <one skill>` against a bare
 * `node -e 0`.
 *
 *   node bench/startup.mjs [--rounds 20] [--dist dist] [--beside <folder with node_modules>]
 *
 * `--dist` measures a copy of the build; above it there must be a package.json with `"type": "module"`, or node guesses
 * the kind of each file and the figures are too high. With `--beside`, `--version` of the neighbours
 * `skills` and `openskills` is measured too, where they are installed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, version } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { childClock, childTime, interleave, median, ms, printTable, ratio, times } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    dist: { type: "string", default: join(root, "dist") },
    beside: { type: "string" },
  },
});

const cli = join(options.dist, "cli.js");
const skill = join(root, "examples", "skills", "catalogue-translation");
const neighbours = ["skills", "openskills"];
const runsPerRound = 5;

const scratch = mkdtempSync(join(tmpdir(), "skillward-bench-"));
try {
  const contenders = [
    { name: "node -e 0 (baseline)", args: ["-e", "0"] },
    { name: "a module that only prints", args: [printingModule()] },
    { name: "skillward --version", args: [cli, "--version"], goal: 1.5 },
    { name: "skillward validate <one skill>", args: [cli, "validate", skill], goal: 3 },
    ...neighbours.flatMap(neighbour),
  ];
  const rounds = Number(options.rounds);
  console.log(`node ${version}; ${childClock}; medians of ${rounds} interleaved rounds of ${runsPerRound} runs`);
  const { NODE_EXTRA_CA_CERTS: certificates, ...bare } = env;
  measure("NODE_EXTRA_CA_CERTS unset: the figures the goals are for", contenders, bare, rounds);
  if (certificates === undefined)
    console.log("\nThe environment has no NODE_EXTRA_CA_CERTS: there is no second table.");
  else measure("NODE_EXTRA_CA_CERTS as the environment has it: node reads it at every start", contenders, env, rounds);
} finally {
  rmSync(scratch, { recursive: true });
}

function measure(title, contenders, environment, rounds) {
  const acts = contenders.map(({ name, args }) => [name, () => childTime(args, { times: runsPerRound, environment })]);
  for (const [, act] of acts) act();
  const samples = interleave(Object.fromEntries(acts), rounds);
  const baseline = samples[contenders[0].name];
  const rows = contenders.map(({ name, goal }) => {
    const found = ratio(samples[name], baseline);
    return [name, ms(median(samples[name])), times(found), ...verdict(found, goal)];
  });
  console.log(`\n${title}\n`);
  printTable(["", "ms", "ratio", "goal", ""], rows);
}

function verdict(found, goal) {
  return goal === undefined ? ["", ""] : [`<= ${goal}x`, found <= goal ? "met" : "MISSED"];
}

/** The floor of any CLI that is an ES module: loading one file and writing one line. */
function printingModule() {
  const file = join(scratch, "print.mjs");
  writeFileSync(file, 'process.stdout.write("0.0.0\\n");\n');
  return file;
}

function neighbour(name) {
  if (options.beside === undefined) return [];
  const folder = join(options.beside, "node_modules", name);
  if (!existsSync(folder)) return [];
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[name];
  return [{ name: `${name} ${manifest.version} --version`, args: [join(folder, bin), "--version"] }];
}
