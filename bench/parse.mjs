/**
 * What parsing costs.
 *
 *   node bench/parse.mjs [--dist dist] [--most 100000] [--only speed|memory|hostile]
 *
 * 1. `parse` of N typical skills in one process against `load` of js-yaml on the same headers.
 * 2. Heap in use over many parses: it must not grow.
 * 3. Hostile headers: milliseconds each, the first time in a process and the second.
 */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { execArgv, version } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { load } from "js-yaml";
import { hostileFiles } from "./hostile.mjs";
import { median, ms, ownTime, printTable, ratio, runNode, times } from "./measure.mjs";
import { generateSkill } from "./skills.mjs";

const script = fileURLToPath(import.meta.url);
const { values: options } = parseArgs({
  options: {
    dist: { type: "string", default: join(script, "..", "..", "dist") },
    most: { type: "string", default: "100000" },
    only: { type: "string" },
    worker: { type: "string" },
    count: { type: "string" },
  },
});
const { createBundle, parse } = await import(pathToFileURL(resolve(options.dist, "skill.js")).href);

const yamlOptions = { maxDepth: 10, maxAliases: 0 };
const profile = "ingest";
const goal = { count: 10_000, ratio: 3 };
const roundsOf = new Map([
  [100, 21],
  [1_000, 15],
  [10_000, 9],
  [100_000, 3],
]);
/** Findings of a file that was refused before any of its YAML was read. */
const unread = new Set(["header.size", "body.size", "file.size"]);

const parts = { speed: showSpeed, memory: showMemory, hostile: showHostile };
const workers = { speed: measureSpeed, memory: measureMemory, hostile: measureHostile };

if (options.worker !== undefined) console.log(JSON.stringify(workers[options.worker](Number(options.count))));
else {
  console.log(`node ${version}; user+system CPU`);
  for (const [name, show] of Object.entries(parts)) if ((options.only ?? name) === name) show();
}

function inWorker(name, count, flags = []) {
  const args = [...execArgv, ...flags, script, "--worker", name, "--count", String(count), "--dist", options.dist];
  return JSON.parse(runNode(args));
}

function showSpeed() {
  const counts = [...roundsOf.keys()].filter((count) => count <= Number(options.most));
  const measured = counts.map((count) => [count, speedOf(count)]);

  console.log(
    "\nN typical skills in one process, a fresh process per round, medians. Judged is `parse` of a ready bundle",
  );
  console.log(
    "(the YAML and everything else a skill is read for) against js-yaml's `load` of the same headers alone.\n",
  );
  const rows = measured.map(([count, { load: baseline, parse: subject, rounds }]) => [
    count.toLocaleString("en"),
    rounds,
    ms(median(baseline)),
    ms(median(subject)),
    times(ratio(subject, baseline)),
    ...verdict(count, ratio(subject, baseline)),
  ]);
  printTable(["N", "rounds", "load, ms (baseline)", "parse, ms", "ratio", "goal", ""], rows);

  console.log(
    "\nMicroseconds for each skill. Beside the judged `parse`: `createBundle`, which checks paths and hashes the",
  );
  console.log("file and the set, the two together against the same baseline, and one bare sha256 of the same bytes.\n");
  const costs = measured.map(([count, { load: baseline, parse: subject, bundle, hash }]) => [
    count.toLocaleString("en"),
    each(baseline, count),
    each(subject, count),
    each(bundle, count),
    times(ratio(sums(subject, bundle), baseline)),
    each(hash, count),
  ]);
  printTable(["N", "load (baseline)", "parse", "createBundle", "both, ratio", "sha256"], costs);
}

function each(values, count) {
  return ((median(values) * 1000) / count).toFixed(1);
}

function verdict(count, found) {
  if (count !== goal.count) return ["", ""];
  return [`<= ${goal.ratio}x`, found <= goal.ratio ? "met" : "MISSED"];
}

function sums(some, others) {
  return some.map((value, at) => value + others[at]);
}

function speedOf(count) {
  const rounds = roundsOf.get(count);
  const results = Array.from({ length: rounds }, () => inWorker("speed", count));
  const columnOf = (name) => results.map((result) => result[name]);
  const columns = ["load", "bundle", "parse", "hash"].map((name) => [name, columnOf(name)]);
  return { rounds, ...Object.fromEntries(columns) };
}

/** Batches are made outside the clock and dropped after it; load and parse take turns in going first. */
function measureSpeed(count) {
  const batchSize = 500;
  const sum = { load: 0, bundle: 0, parse: 0, hash: 0 };
  for (let start = 0, turn = 0; start < count; start += batchSize, turn++) {
    const length = Math.min(batchSize, count - start);
    const skills = Array.from({ length }, (_, at) => generateSkill(start + at));
    const files = skills.map(({ folder, text }) => [folder, Buffer.from(text)]);
    let bundles = [];
    const measureLoad = () => {
      sum.load += ownTime(() => skills.forEach(({ header }) => load(header, yamlOptions)));
    };
    if (turn % 2 === 0) measureLoad();
    sum.bundle += ownTime(() => {
      bundles = files.map(([folder, bytes]) => createBundle(folder, [["SKILL.md", bytes]]));
    });
    sum.parse += ownTime(() => bundles.forEach(parseLoadable));
    if (turn % 2 === 1) measureLoad();
    sum.hash += ownTime(() => files.forEach(([, bytes]) => createHash("sha256").update(bytes).digest("hex")));
  }
  return sum;
}

function bundleOf(folder, text) {
  return createBundle(folder, [["SKILL.md", Buffer.from(text)]]);
}

function parseLoadable(bundle) {
  const { skill, findings } = parse(bundle, profile);
  if (skill === undefined) throw new Error(`${bundle.folder} is not loadable: ${findings[0]?.message}`);
  return skill;
}

function showMemory() {
  const samples = inWorker("memory", Number(options.most), ["--expose-gc"]);
  const [first] = samples;
  console.log("\nHeap in use after a full collection, one process, nothing kept. Baseline: after the first tenth.\n");
  const rows = samples.map(({ parsed, heap, outside }) => [
    parsed.toLocaleString("en"),
    mebibytes(heap),
    times(heap / first.heap),
    mebibytes(outside),
  ]);
  printTable(["parsed", "heap, MiB", "ratio", "buffers, MiB"], rows);
  const growth = (samples.at(-1).heap - first.heap) / (samples.at(-1).parsed - first.parsed);
  console.log(`\nGrowth: ${growth.toFixed(2)} bytes for each skill parsed.`);
}

function mebibytes(bytes) {
  return (bytes / 2 ** 20).toFixed(2);
}

function measureMemory(count) {
  const step = Math.ceil(count / 10);
  const samples = [];
  for (let parsed = 1; parsed <= count; parsed++) {
    const { folder, text } = generateSkill(parsed);
    parseLoadable(bundleOf(folder, text));
    if (parsed % step === 0) samples.push({ parsed, ...memoryAfterCollection() });
  }
  return samples;
}

function memoryAfterCollection() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed: heap, arrayBuffers: outside } = process.memoryUsage();
  return { heap, outside };
}

function showHostile() {
  const { typical, files } = inWorker("hostile", 0);
  const rows = files.map(({ name, size, first, second, code }) => [
    name,
    (size / 1024).toFixed(1),
    ms(first),
    ms(second),
    times(second / typical),
    code,
  ]);
  console.log(
    "\nHostile files, milliseconds by the wall clock in one warm process: parsed the first time, and the median of",
  );
  console.log(
    "the next five. Baseline of the ratio: a typical skill in the same process. `wide` marks a header or a body that",
  );
  console.log("the default limits refuse unread, parsed under limits of 1 MiB.\n");
  printTable(["", "KiB", "first", "again", "ratio", "first finding"], rows);
}

function measureHostile() {
  const wide = { headerBytes: 2 ** 20, bodyBytes: 2 ** 20, fileBytes: 2 ** 21 };
  const warmUp = Array.from({ length: 2000 }, (_, at) => bundleOf("skill", generateSkill(at).text));
  for (const bundle of warmUp) parse(bundle, "workspace");
  const typical = median(warmUp.map((bundle) => wallTime(() => parse(bundle, "workspace"))));

  const files = hostileFiles().flatMap(({ name, text }) => {
    const bundle = bundleOf("skill", text);
    const runs = [measureFile(name, bundle, text, {})];
    if (unread.has(runs[0].code)) runs.push(measureFile(`${name}, wide`, bundle, text, wide));
    return runs;
  });
  return { typical, files };
}

function measureFile(name, bundle, text, limits) {
  const act = () => parse(bundle, "workspace", limits);
  const first = wallTime(act);
  const second = median(Array.from({ length: 5 }, () => wallTime(act)));
  return { name, size: Buffer.byteLength(text), first, second, code: act().findings[0]?.code ?? "none" };
}

function wallTime(act) {
  const before = performance.now();
  act();
  return performance.now() - before;
}
