/**
 * What starting costs: user+system CPU of commands that do little, against a bare `node -e 0`. `skill list` and `source list`
 * answer from a store with one source of two skills; `route` and `scan` read the example skills.
 *
 *   node bench/startup.mjs [--rounds 20] [--dist dist] [--against <another dist>] [--beside <folder with node_modules>]
 *
 * `--dist` measures a copy of the build; above it there must be a package.json with `"type": "module"`, or node guesses
 * the kind of each file and the figures are too high. `--against` measures another build in the same rounds. With `--beside`,
 * `--version` of the neighbours `skills` and `openskills` is measured too, where they are installed.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, version } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { childClock, childTime, interleave, median, ms, printTable, ratio, runNode, times } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    dist: { type: "string", default: join(root, "dist") },
    against: { type: "string" },
    beside: { type: "string" },
  },
});

const skills = join(root, "examples", "skills");
const skill = join(skills, "catalogue-translation");
const neighbours = ["skills", "openskills"];
const runsPerRound = 5;

const scratch = mkdtempSync(join(tmpdir(), "skillward-bench-"));
try {
  const contenders = [
    { name: "node -e 0 (baseline)", args: ["-e", "0"] },
    { name: "a module that only prints", args: [printingModule()] },
    ...commandsOf(join(options.dist, "cli.js"), "skillward"),
    ...(options.against === undefined ? [] : commandsOf(join(options.against, "cli.js"), "against:")),
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

/** Each build lists from a store that it made itself: another edition may not read this one's. */
function commandsOf(cli, name) {
  const home = mkdtempSync(join(scratch, "home-"));
  runNode([cli, "source", "add", writeSource()], { environment: { PATH: env.PATH, HOME: home, USER: "bench" } });
  return [
    { name: `${name} --version`, args: [cli, "--version"], goal: 1.5 },
    { name: `${name} validate <one skill>`, args: [cli, "validate", skill], goal: 3 },
    { name: `${name} skill list`, args: [cli, "skill", "list"], home, goal: 4 },
    { name: `${name} source list`, args: [cli, "source", "list"], home, goal: 4 },
    { name: `${name} route --skills`, args: [cli, "route", "--skills", skills, "translate a catalogue"], goal: 6 },
    { name: `${name} scan <one skill>`, args: [cli, "scan", skill], goal: 7 },
  ];
}

/** A folder with two skills. */
function writeSource() {
  const folder = join(mkdtempSync(join(scratch, "source-")), "two");
  for (const name of ["catalogue-translation", "incident-postmortem"])
    cpSync(join(skills, name), join(folder, name), { recursive: true });
  return folder;
}

function measure(title, contenders, environment, rounds) {
  const acts = contenders.map(({ name, args, home = scratch }) => [
    name,
    () => childTime(args, { times: runsPerRound, environment: { ...environment, HOME: home } }),
  ]);
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
