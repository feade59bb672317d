/**
 * What composing costs: CO-1 to CO-7 from the bytes of the store to the text in a prompt, verification included.
 *
 *   node bench/compose.mjs [--rounds 2000]
 *
 * Baselines, on the same skills in the same round: plain concatenation of their bodies, and one sha256 of each
 * SKILL.md. What a busy machine adds to the wall clock shows beside the CPU time of as many calls. The second table has
 * the default budget, so that most of the larger sets must be dropped.
 */
import { createHash } from "node:crypto";
import { version } from "node:process";
import { parseArgs } from "node:util";
import { loadInternals } from "./internals.mjs";
import { interleave, median, ownTime, printTable, ratio, times } from "./measure.mjs";
import { generateSkill } from "./skills.mjs";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "2000" } } });
const key = Buffer.alloc(32, 7);
const fine = (value) => value.toFixed(3);
const goal = { skills: 10, p99: 1 };
const { compose, select, setDigest, sha256 } = await loadInternals({ isWorker: false });

console.log(`node ${version}; wall clock of one machine: compare the ratios, not the milliseconds`);
show("every skill fits", 2 ** 24);
show("the default budget of 24,000 bytes", 24_000);

function show(title, budget) {
  const rows = [1, 10, 100].map((count) => measure(count, budget));
  console.log(`\n${title} (ms; ratios against the baseline of the same round)`);
  const heading = [
    "skills",
    "KB",
    "in",
    "p50",
    "p99",
    "CPU p50",
    "CPU p99",
    "concatenate",
    "vs that",
    "hash",
    "vs that",
    "goal",
  ];
  printTable(heading, rows);
}

function measure(count, budget) {
  const skills = Array.from({ length: count }, (_, number) => createSkill(number));
  const act = () => composeAll(skills, budget);
  const { included } = act();
  const contenders = {
    compose: () => clocked(act),
    concatenate: () => clocked(() => Buffer.byteLength(skills.map(({ body }) => body).join("\n"))),
    hash: () => clocked(() => skills.map(({ bytes }) => createHash("sha256").update(bytes).digest("hex"))),
  };
  interleave(contenders, 200);
  const samples = interleave(contenders, Math.ceil(Number(options.rounds) / Math.sqrt(count)));
  const p99 = percentile(samples.compose, 0.99);
  const cpu = samples.compose.map(() => ownTime(act));
  return [
    count,
    (skills.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1000).toFixed(0),
    included.length,
    fine(median(samples.compose)),
    fine(p99),
    fine(median(cpu)),
    fine(percentile(cpu, 0.99)),
    fine(median(samples.concatenate)),
    times(ratio(samples.compose, samples.concatenate)),
    fine(median(samples.hash)),
    times(ratio(samples.compose, samples.hash)),
    count === goal.skills ? `p99 <= ${goal.p99}: ${p99 <= goal.p99 ? "reached" : "NOT reached"}` : "",
  ];
}

function percentile(values, part) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];
}

/** Realistic bodies of 2 to 8 KB: of those the generator makes, the ones that are. */
function createSkill(number) {
  let turn = number * 10;
  while (!isRealistic(generateSkill(turn).text.length)) turn++;
  const { text } = generateSkill(turn);
  const bytes = Buffer.from(text);
  const files = [
    { path: "SKILL.md", digest: sha256(bytes) },
    { path: "references/schemas.md", digest: sha256(Buffer.from(`a${number}`)) },
    { path: "scripts/audit.py", digest: sha256(Buffer.from(`b${number}`)) },
  ];
  const material = { files, skill: bytes, faults: [] };
  return { id: `house:skills/${number}`, digest: setDigest(files), bytes, body: text.split("\n---\n")[1], material };
}

function isRealistic(size) {
  return size >= 2_000 && size <= 8_000;
}

function composeAll(skills, budget) {
  const usable = new Map(skills.map(({ id, digest }) => [id, { id, digest, trust: "verified", grants: ["Read"] }]));
  const materials = new Map(skills.map(({ id, material }) => [id, material]));
  const wanted = { configuration: [...usable.keys()], task: [], invoked: [], routed: [] };
  const selection = select(usable, wanted, "community", () => "");
  const settings = { key, configuration: "bench", placement: "user", systemFloor: "verified", budget };
  return compose(selection, materials, settings);
}

function clocked(act) {
  const started = performance.now();
  act();
  return performance.now() - started;
}
