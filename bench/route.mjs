/**
 * What routing by words costs and how well it finds.
 *
 *   node bench/route.mjs <pool.jsonl> [--most 100000] [--quality <positive.jsonl> [<negative.jsonl>]]
 *
 * Each line of the pool is `{ id, name, description, body, triggers? }`; of a repeated id the first counts.
 * 1. Cost at 100 to 100,000 skills, the pool repeated with altered words: building, loading, bytes, and searching with
 *    short (40 characters) and long queries (2,000). Beside it, in the same run, plain BM25 over name and description.
 * 2. With --quality, P@1 and MRR@10 on lines `{ query, expected: [id, …], kind? }` beside plain BM25 over name and
 *    description, over the full text, and the fusion of two views; and on lines `{ query, not: [id, …] }` how often a
 *    skill is chosen that must not be, against how many questions get an answer.
 */
import { createHash } from "node:crypto";
import { version } from "node:process";
import { parseArgs } from "node:util";
import { loadInternals } from "./internals.mjs";
import { ms, ownTime, printTable, times } from "./measure.mjs";
import { readLines, readPool } from "../scripts/routing/pool.mjs";
import { createPlain, fusedTop, scoresOf, topOf } from "./route-plain.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: "string", default: "100000" }, quality: { type: "boolean" } },
});
const [poolFile, positiveFile, negativeFile] = positionals;
if (poolFile === undefined || (options.quality && positiveFile === undefined)) {
  console.error("usage: node bench/route.mjs <pool.jsonl> [--quality <positive.jsonl> [<negative.jsonl>]]");
  process.exit(2);
}
const { buildSegment, createIndex, createRouter, decodeIndex, encodeIndex, mergeParts } = await loadInternals({
  isWorker: false,
});
const sizes = [100, 1_000, 10_000, 30_000, 100_000].filter((size) => size <= Number(options.most));
const goals = { shortP50: 3, longP99: 50, loadMs: 1_000, bytes: 400e6 };
const batchSize = 2_000;
const everything = { limit: 10, allows: () => true };

const pool = await readPool(poolFile);
console.log(`node ${version}; ${pool.length.toLocaleString("en")} skills; user+system CPU`);
if (options.quality) await showQuality();
else showCost();

/** Skill number `at`: those after the end of the pool are those of its beginning with every eighth word altered. */
function skillAt(at) {
  const skill = pool[at % pool.length];
  const round = Math.floor(at / pool.length);
  if (round === 0) return skill;
  const altered = (text) =>
    text.replace(/[a-z]{4,32}/g, (word) => (isAltered(word, round) ? `${word}q${round}` : word));
  return {
    ...skill,
    digest: createHash("sha256").update(`${round} ${skill.digest}`).digest("hex"),
    description: altered(skill.description),
    body: altered(skill.body),
  };
}

function isAltered(word, round) {
  let sum = round;
  for (let at = 0; at < word.length; at++) sum = (sum * 31 + word.charCodeAt(at)) | 0;
  return (sum & 7) === 0;
}

function showCost() {
  const rows = sizes.map(costOf);
  const headings = ["skills", "build s", "ms/skill", "load ms", "MB", "short p50", "p99", "long p50", "p99"];
  console.log();
  printTable([...headings, "plain short p50", "long p99", "short ratio", "long ratio"], rows);
  console.log(
    `\ngoals at 100,000: short p50 <= ${goals.shortP50} ms, long p99 <= ${goals.longP99} ms, ` +
      `load <= ${goals.loadMs} ms, <= ${goals.bytes / 1e6} MB`,
  );
}

function costOf(size) {
  console.error(`${size.toLocaleString("en")} skills`);
  const { index, building } = built(size);
  const bytes = Buffer.concat([...encodeIndex(index)]);
  let loaded;
  const loading = ownTime(() => {
    loaded = decodeIndex(bytes);
    loaded.search("first", everything);
  });
  const { short, long } = queriesOf(size);
  const search = (query) => loaded.search(query, everything);
  const own = { short: timesOf(search, short), long: timesOf(search, long) };
  const plainIndex = createPlain(skillsUpTo(size), { name: 1, description: 1 });
  const plain = (query) => topOf(scoresOf(plainIndex, query), 10);
  const base = { short: timesOf(plain, short), long: timesOf(plain, long) };
  return [
    size.toLocaleString("en"),
    (building / 1000).toFixed(1),
    (building / size).toFixed(3),
    loading.toFixed(0),
    (bytes.length / 1e6).toFixed(1),
    ms(quantile(own.short, 0.5)),
    ms(quantile(own.short, 0.99)),
    ms(quantile(own.long, 0.5)),
    ms(quantile(own.long, 0.99)),
    ms(quantile(base.short, 0.5)),
    ms(quantile(base.long, 0.99)),
    times(quantile(own.short, 0.5) / quantile(base.short, 0.5)),
    times(quantile(own.long, 0.99) / quantile(base.long, 0.99)),
  ];
}

/** Built in batches, as the registry does, and merged into one. */
function built(size) {
  const parts = [];
  let building = 0;
  for (let start = 0; start < size; start += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, size - start) }, (_, offset) => skillAt(start + offset));
    building += ownTime(() => parts.push(...createIndex([buildSegment(batch)]).parts));
  }
  let index;
  building += ownTime(() => {
    index = createIndex([mergeParts(parts)]);
  });
  return { index, building };
}

function* skillsUpTo(size) {
  for (let number = 0; number < size; number++) yield skillAt(number);
}

/** Pieces of the skills' own texts: they have the words that skills have. */
function queriesOf(size) {
  const some = (count) => Array.from({ length: count }, (_, at) => skillAt(Math.floor((at * size) / count)));
  return {
    short: some(300).map(({ description }) => description.slice(0, 40)),
    long: some(200).map(({ description, body }) => `${description}\n${body}`.slice(0, 2_000)),
  };
}

function timesOf(search, queries) {
  for (const query of queries.slice(0, 50)) search(query);
  return queries.map((query) => ownTime(() => search(query)));
}

function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

async function showQuality() {
  const positive = readLines(positiveFile);
  const router = createRouter(pool.map(({ declared, ...skill }) => ({ ...skill, triggers: declared.triggers })));
  const nameAndDescription = createPlain(pool, { name: 1, description: 1 });
  const fullText = createPlain(pool, { name: 1, description: 1, body: 1 });
  const all = createPlain(pool, { name: 5, description: 4, body: 1 });
  const own = createPlain(pool, { name: 5, description: 4 });
  const idsOf = (rows) => rows.map((row) => pool[row].id);
  const routed = await Promise.all(positive.map(({ query }) => router.route(query)));
  const chain = new Map(positive.map(({ query }, at) => [query, routed[at].trace.ranked.slice(0, 10)]));
  const contenders = {
    "BM25 name+description": (query) => idsOf(topOf(scoresOf(nameAndDescription, query), 10)),
    "BM25 full text": (query) => idsOf(topOf(scoresOf(fullText, query), 10)),
    "fusion of two views": (query) => idsOf(fusedTop(all, own, query, 10)),
    "the default chain": (query) => chain.get(query).map(({ entry }) => entry),
  };
  const kinds = ["all", ...new Set(positive.flatMap(({ kind }) => kind ?? []))];
  const rows = Object.entries(contenders).map(([name, search]) => {
    const ranks = positive.map(({ query, expected, kind }) => ({ kind, rank: rankOf(search(query), expected) }));
    const ofKind = (kind) => ranks.filter((each) => kind === "all" || each.kind === kind);
    return [name].concat(kinds.flatMap((kind) => measuresOf(ofKind(kind))));
  });
  console.log();
  printTable(["P@1 and MRR@10, %", ...kinds.flatMap((kind) => [`${kind} P@1`, "MRR"])], rows);
  if (negativeFile !== undefined) await showCurve(router, routed, readLines(negativeFile));
}

function rankOf(found, expected) {
  const wanted = new Set([expected].flat());
  return found.findIndex((id) => wanted.has(id)) + 1;
}

function measuresOf(ranks) {
  const share = (sum) => ((100 * sum) / ranks.length).toFixed(1);
  const first = ranks.filter(({ rank }) => rank === 1).length;
  return [share(first), share(ranks.reduce((sum, { rank }) => sum + (rank === 0 ? 0 : 1 / rank), 0))];
}

/** What floors would do, the default one marked; a skill that must not be chosen is wrong only where it comes first. */
async function showCurve(router, routed, negative) {
  const answers = routed.map(({ trace }) => trace.likelihood);
  const fires = [];
  for (const { query, not } of negative) {
    const { trace } = await router.route(query);
    fires.push({ likelihood: trace.likelihood, isWrong: [not].flat().includes(trace.ranked[0]?.entry) });
  }
  const used = routed[0].trace.thresholds.floor;
  const floors = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5].map((coverage) => quantile(answers, 1 - coverage));
  const rows = [...floors, used]
    .toSorted((a, b) => a - b)
    .map((floor) => {
      const over = fires.filter(({ likelihood }) => likelihood >= floor);
      const coverage = percentOf(answers.filter((likelihood) => likelihood >= floor).length, answers.length);
      const wrong = over.filter(({ isWrong }) => isWrong).length;
      const mark = floor === used ? "in use" : "";
      return [coverage, floor.toFixed(3), percentOf(wrong, fires.length), percentOf(over.length, fires.length), mark];
    });
  console.log();
  printTable(["coverage", "floor", "false fires", "negatives with any answer", ""], rows);
}

function percentOf(count, all) {
  return `${((100 * count) / all).toFixed(1)} %`;
}
