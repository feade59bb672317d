/**
 * What composing costs: CO-1 to CO-7 from the bytes of the store to the text in a prompt, verification included.
 *
 *   node bench/compose.mjs [--rounds 2000]
 *
 * Three ways: `again` is the set of the request before, as most requests are; `anew` is a block that was not made before
 * of skills that were; `first` are skills that were never read. Baselines, on the same skills in the same round: plain
 * concatenation of their bodies, and one sha256 of each SKILL.md. What a busy machine adds to the wall clock shows beside
 * the CPU time of as many calls. The second table has the default budget, so that most of the larger sets are dropped.
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
let made = 0;
const goal = { skills: 10, p99: 1 };
const { compose, select, setDigest, sha256 } = await loadInternals({ isWorker: false });

console.log(`node ${version}; wall clock of one machine: compare the ratios, not the milliseconds`);
show("every skill fits", 2 ** 24);
show("the default budget of 24,000 bytes", 24_000);

function show(title, budget) {
  const rows = [1, 10, 100].flatMap((count) => measure(count, budget));
  console.log(`\n${title} (ms; ratios against the baseline of the same round)`);
  const baselines = ["vs concatenate", "vs hash"];
  printTable(["skills", "KB", "in", "way", "p50", "p99", "CPU p50", "CPU p99", ...baselines, "goal"], rows);
}

function measure(count, budget) {
  const skills = Array.from({ length: count }, (_, number) => createSkill(number));
  const ways = {
    again: () => composer(skills, budget),
    anew: () => composer(skills, budget, `bench-${made++}`),
    first: () => composer(skills.map(neverRead), budget, `bench-${made++}`),
  };
  const contenders = {
    ...Object.fromEntries(Object.entries(ways).map(([way, prepare]) => [way, () => clocked(prepare())])),
    concatenate: () => clocked(() => Buffer.byteLength(skills.map(({ body }) => body).join("\n"))),
    hash: () => clocked(() => skills.map(({ bytes }) => createHash("sha256").update(bytes).digest("hex"))),
  };
  interleave(contenders, 100);
  const samples = interleave(contenders, Math.ceil(Number(options.rounds) / Math.sqrt(count)));
  const size = (skills.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1000).toFixed(0);
  const { included } = ways.again()();
  const about = [count, size, included.length];
  return Object.keys(ways).map((way) => about.concat(way, figures(samples, way, ways[way], count)));
}

function figures(samples, way, prepare, count) {
  const p99 = percentile(samples[way], 0.99);
  const cpu = samples[way].map(() => ownTime(prepare()));
  return [
    fine(median(samples[way])),
    fine(p99),
    fine(median(cpu)),
    fine(percentile(cpu, 0.99)),
    times(ratio(samples[way], samples.concatenate)),
    times(ratio(samples[way], samples.hash)),
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
  return approved(number, generateSkill(turn).text);
}

/** The same with other bytes, so that nothing of it was seen before. */
function neverRead({ number, text }) {
  return approved(number, `${text}\nEdition ${made++}.\n`);
}

function approved(number, text) {
  const bytes = Buffer.from(text);
  const files = [
    { path: "SKILL.md", digest: sha256(bytes) },
    { path: "references/schemas.md", digest: sha256(Buffer.from(`a${number}`)) },
    { path: "scripts/audit.py", digest: sha256(Buffer.from(`b${number}`)) },
  ];
  const material = { files, skill: bytes, faults: [] };
  const id = `house:skills/${number}`;
  return { number, text, id, digest: setDigest(files), bytes, body: text.split("\n---\n")[1], material };
}

function isRealistic(size) {
  return size >= 2_000 && size <= 8_000;
}

/** Everything but the act itself. */
function composer(skills, budget, configuration = "bench") {
  const usable = new Map(skills.map(({ id, digest }) => [id, { id, digest, trust: "verified", grants: ["Read"] }]));
  const materials = new Map(skills.map(({ id, material }) => [id, material]));
  const wanted = { configuration: [...usable.keys()], task: [], invoked: [], routed: [] };
  const settings = { key, configuration, placement: "user", systemFloor: "verified", budget };
  return () =>
    compose(
      select(usable, wanted, "community", () => ""),
      materials,
      settings,
    );
}

function clocked(act) {
  const started = performance.now();
  act();
  return performance.now() - started;
}
