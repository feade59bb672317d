/**
 * Fits the coefficients of routing by words.
 *
 *   node --max-old-space-size=8000 scripts/fit-routing.mjs <pool.jsonl> <positive.jsonl> <negative.jsonl>
 *
 * Lines of the pool are `{ id, name, description, body, triggers? }`, of the positive set `{ query, expected: [id, …],
 * kind? }`, of the negative one `{ query, not: [id, …] }`. Three steps, each with what the one before wrote: the words
 * that all skills have, what ranks a candidate, how sure a candidate is. Prints what cross-validation says, each skill
 * with all its questions in one fold, and writes background.ts and coefficients.ts of src/routing/index.
 */
import { spawnSync } from "node:child_process";
import { execArgv, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { loadInternals } from "../bench/internals.mjs";
import { fitBackground } from "./routing/background.mjs";
import { fitConfidence } from "./routing/confidence.mjs";
import { groupsOf } from "./routing/folds.mjs";
import { readLines, readPool } from "./routing/pool.mjs";
import { showRanking } from "./routing/ranking.mjs";
import { writeCoefficients } from "./routing/written.mjs";

const steps = { background: stepBackground, ranking: stepRanking, confidence: stepConfidence };
const [poolFile, positiveFile, negativeFile, step] = process.argv.slice(2);
if (negativeFile === undefined) {
  console.error("usage: node scripts/fit-routing.mjs <pool.jsonl> <positive.jsonl> <negative.jsonl>");
  process.exit(2);
}
if (step === undefined) runAll();
else await steps[step]();

/** Each step in a process of its own: it loads what the one before has written. */
function runAll() {
  const self = fileURLToPath(import.meta.url);
  for (const name of Object.keys(steps)) {
    const args = [...execArgv, self, poolFile, positiveFile, negativeFile, name];
    const { status } = spawnSync(execPath, args, { stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
}

async function stepBackground() {
  const internals = await loadInternals({ isWorker: false });
  fitBackground(await readPool(poolFile), internals);
}

async function stepRanking() {
  const internals = await loadInternals({ isWorker: false });
  const pool = await readPool(poolFile);
  const ranking = showRanking(pool, questionsOf(pool).positive, internals);
  writeCoefficients({ ranking, confidence: internals.confidenceCoefficients });
}

async function stepConfidence() {
  const internals = await loadInternals({ isWorker: false });
  const pool = await readPool(poolFile);
  const { positive, negative } = questionsOf(pool);
  const confidence = fitConfidence(pool, positive, negative, internals);
  writeCoefficients({ ranking: internals.rankingCoefficients, confidence });
}

/** Both sets, each line with the group that it belongs to. */
function questionsOf(pool) {
  const names = new Map(pool.map(({ id, name }) => [id, name]));
  const [positive, negative] = [readLines(positiveFile), readLines(negativeFile)];
  for (const line of positive) line.expected = [line.expected].flat();
  for (const line of negative) line.not = [line.not].flat();
  const all = [...positive, ...negative];
  const groups = groupsOf(
    all.map(({ expected, not }) => expected ?? not),
    (id) => names.get(id),
  );
  for (const [at, line] of all.entries()) line.group = groups[at];
  return { positive, negative };
}
