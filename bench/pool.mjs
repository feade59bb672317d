/**
 * Reads a whole pool of real skills: none may crash the parser, and the findings show what real headers are like.
 *
 *   node bench/pool.mjs <pool.jsonl or pool.jsonl.xz> [--dist dist] [--examples <code>]
 *
 * Each line of the file is `{ id, name, description, body, triggers? }`; of a repeated id the first counts. A skill is
 * rebuilt as a SKILL.md twice, with plain scalars as most authors write them and with double-quoted ones, and parsed
 * in the profiles `ingest` and `strict`, its folder being its name. `--examples` lists the ids that have a finding.
 */
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { printTable } from "./measure.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string", default: join(fileURLToPath(import.meta.url), "..", "..", "dist") },
    examples: { type: "string" },
  },
});
const { createBundle, parse } = await import(pathToFileURL(resolve(options.dist, "skill.js")).href);

const [pool] = positionals;
if (pool === undefined) {
  console.error("usage: node bench/pool.mjs <pool.jsonl or pool.jsonl.xz>");
  process.exit(2);
}

const styles = { plain: plainHeader, quoted: quotedHeader };
const profiles = ["ingest", "strict"];
const columns = Object.keys(styles).flatMap((style) => profiles.map((profile) => `${style}, ${profile}`));
const counts = new Map();
let skills = 0;

const started = performance.now();
const seen = new Set();
for await (const line of linesOf(pool)) {
  if (line.trim() === "") continue;
  const record = JSON.parse(line);
  if (seen.has(record.id)) continue;
  seen.add(record.id);
  take(record);
  if (++skills % 5000 === 0) console.error(`${skills.toLocaleString("en")} skills`);
}
show((performance.now() - started) / 1000);
process.exitCode = columns.some((column) => countOf("crashes", column) > 0) ? 1 : 0;

function linesOf(path) {
  if (!path.endsWith(".xz")) return createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  const unpacked = spawn("xz", ["-dc", path], { stdio: ["ignore", "pipe", "inherit"] });
  unpacked.on("error", (error) => {
    throw new Error(`xz cannot be run: ${error.message}`);
  });
  unpacked.on("close", (status) => {
    if (status !== 0) throw new Error(`xz ended with ${status}`);
  });
  return createInterface({ input: unpacked.stdout, crlfDelay: Infinity });
}

function plainHeader({ name, description, triggers }) {
  const folded = description.replace(/\s*[\r\n]+\s*/g, " ");
  const metadata = triggers === undefined ? "" : `metadata:\n  triggers: ${triggersOf(triggers)}\n`;
  return `name: ${name}\ndescription: ${folded}\n${metadata}`;
}

function quotedHeader({ name, description, triggers }) {
  const metadata = triggers === undefined ? "" : `metadata:\n  triggers: ${JSON.stringify(triggersOf(triggers))}\n`;
  return `name: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n${metadata}`;
}

function triggersOf(triggers) {
  return Array.isArray(triggers) ? triggers.join(", ") : triggers;
}

function take(record) {
  for (const [style, headerOf] of Object.entries(styles)) {
    const bytes = Buffer.from(`---\n${headerOf(record)}---\n${record.body}`);
    for (const profile of profiles) takeOne(record, bytes, profile, `${style}, ${profile}`);
  }
}

function takeOne(record, bytes, profile, column) {
  const parsed = parsedOrCrash(record, bytes, profile);
  if (parsed === undefined) return count("crashes", column);
  const { skill, strict, passes, findings } = parsed;
  if (skill !== undefined) count("loadable", column);
  if (strict) count("strict", column);
  if (passes) count("passes", column);
  if (skill !== undefined && readsAsWritten(skill, record)) count("reads as written", column);
  for (const code of new Set(findings.map((finding) => finding.code))) {
    count(`code ${code}`, column);
    if (code === options.examples) showExample(record, column, findings);
  }
}

function parsedOrCrash(record, bytes, profile) {
  try {
    return parse(createBundle(record.name, [["SKILL.md", bytes]]), profile);
  } catch (error) {
    console.error(`crash: ${record.id}: ${error.stack}`);
    return undefined;
  }
}

function flat(text) {
  return text.replace(/\s+/g, " ").trim();
}

/** The name, the description and the body come back as the pool has them, white space at line breaks aside. */
function readsAsWritten({ manifest, body }, record) {
  return (
    manifest.name === record.name.trim() &&
    flat(manifest.description ?? "") === flat(record.description) &&
    body === record.body.replace(/^[ \t\n\r\v\f]+/, "").toWellFormed()
  );
}

function showExample({ id }, column, findings) {
  const { message } = findings.find(({ code }) => code === options.examples);
  console.log(`${column}: ${id}: ${message}`);
}

function count(row, column) {
  if (!counts.has(row)) counts.set(row, new Map());
  const cells = counts.get(row);
  cells.set(column, (cells.get(column) ?? 0) + 1);
}

function countOf(row, column) {
  return counts.get(row)?.get(column) ?? 0;
}

function show(seconds) {
  const parses = skills * columns.length;
  console.log(
    `${skills.toLocaleString("en")} skills, ${parses.toLocaleString("en")} parses in ${seconds.toFixed(1)} s\n`,
  );
  const verdicts = ["crashes", "loadable", "strict", "passes", "reads as written"];
  printTable(["verdicts", ...columns], tableOf(verdicts, share));
  console.log();
  const codes = [...counts.keys()].filter((row) => row.startsWith("code ")).toSorted((a, b) => (a < b ? -1 : 1));
  printTable(["skills with a finding", ...columns], tableOf(codes, countOf));
}

function tableOf(rows, cellOf) {
  return rows.map((row) => [row.replace(/^code /, "")].concat(columns.map((column) => cellOf(row, column))));
}

function share(row, column) {
  const found = countOf(row, column);
  return `${found} (${((100 * found) / skills).toFixed(1)} %)`;
}
