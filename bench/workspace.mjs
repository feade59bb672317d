/**
 * What it costs to know the skills of a workspace (AG-1, AG-4).
 *
 *   node bench/workspace.mjs [--rounds 5]
 *
 * Folders of which every fifth holds a skill, and twelve files in each of the others for the last: the first load, a
 * reload when nothing changed, a reload after one edit with how many files it read, and how the heap grew by what stays
 * known. Beside it in the same run: a bare walk that lists every folder with `readdir` as quickly as Node can, the same
 * in one go with `readdirSync`, and `git ls-files` with what is not tracked.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "node:process";
import { parseArgs } from "node:util";
import { loadInternals } from "./internals.mjs";
import { median, ms, printTable, ratio, times } from "./measure.mjs";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const rounds = Number(options.rounds);
const { createFolderRoot, createWorld } = await loadInternals({ isWorker: false });

const goals = { walk: 3 };
/** Longer than a disk may take two writes for one. */
const settledAfter = 2_100;

console.log(`node ${version}; wall clock, on ${tmpdir()}; medians of ${rounds} rounds`);
const sizes = [
  { folders: 100, files: 0 },
  { folders: 1_000, files: 0 },
  { folders: 10_000, files: 0 },
  { folders: 10_000, files: 12 },
];
// Once for nothing: the first one would pay for the compiling.
await measured({ folders: 1_000, files: 0 }, 1);
const rows = [];
for (const size of sizes) rows.push(await measured(size, rounds));
console.log();
printTable(
  [
    "folders",
    "skills",
    "files",
    "readdir ms",
    "sync",
    "git",
    "first load",
    "/readdir",
    "reload",
    "/readdir",
    "after an edit",
    "/readdir",
    "read",
    "heap MB",
  ],
  rows,
);
console.log(
  `\ngoal: first load and reload within ${times(goals.walk)} of a bare walk, and one file read after one edit`,
);

async function measured({ folders, files }, often) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "skillward-bench-")));
  try {
    const made = makeTree(path, folders, files);
    await new Promise((resolve) => setTimeout(resolve, settledAfter));
    return await measureTree(path, made, often);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

async function measureTree(path, made, often) {
  const samples = { bare: [], sync: [], git: [], first: [], reload: [], edited: [] };
  const heapBefore = heapUsed();
  const kept = openRoot(path);
  await kept.root.load();
  const heap = heapUsed() - heapBefore;
  let read = 0;
  for (let round = 0; round < often; round++) {
    samples.bare.push(await taken(() => bareWalk(path)));
    samples.sync.push(await taken(() => syncWalk(path)));
    samples.git.push(await taken(() => gitFiles(path)));
    samples.first.push(await taken(() => openRoot(path).root.load()));
    samples.reload.push(await taken(() => kept.root.load()));
    edit(made.skillFiles[round % made.skillFiles.length], round);
    kept.counts.read = 0;
    samples.edited.push(await taken(() => kept.root.load()));
    read = Math.max(read, kept.counts.read);
    // Back to rest: what was edited a moment ago is read once more.
    await new Promise((resolve) => setTimeout(resolve, settledAfter));
    await kept.root.load();
  }
  const { bare, sync, git, first, reload, edited } = samples;
  return [
    made.folders.toLocaleString("en"),
    made.skillFiles.length.toLocaleString("en"),
    made.files.toLocaleString("en"),
    ...[bare, sync, git, first].map((values) => ms(median(values))),
    times(ratio(first, bare)),
    ms(median(reload)),
    times(ratio(reload, bare)),
    ms(median(edited)),
    times(ratio(edited, bare)),
    read,
    (heap / 2 ** 20).toFixed(1),
  ];
}

/** Three levels, as repositories are: parts, groups in them and folders in those. */
function makeTree(path, wanted, filesInEach) {
  const skillFiles = [];
  let [folders, files] = [0, 0];
  for (let at = 0; at < wanted; at++) {
    const folder = join(path, `part-${at % 20}`, `group-${Math.floor(at / 20) % 25}`, `folder-${at}`);
    mkdirSync(folder, { recursive: true });
    folders++;
    if (at % 5 === 0) skillFiles.push(join(folder, "SKILL.md"));
    else for (let file = 0; file < filesInEach; file++, files++) writeFileSync(join(folder, `file-${file}.ts`), "");
  }
  for (const [at, file] of skillFiles.entries()) writeFileSync(file, skillText(at, ""));
  spawnSync("git", ["init", "--quiet", path]);
  return { folders, files: files + skillFiles.length, skillFiles };
}

function skillText(at, more) {
  const about = `Looks after part ${at} of the repository. Use it when something there is to be changed or explained.`;
  return `---\nname: folder-${at * 5}\ndescription: ${about}\n---\n\n${"Look at what changed, then say what to do.\n".repeat(40)}${more}`;
}

function edit(file, round) {
  writeFileSync(file, skillText(round, `Round ${round}.\n`));
}

/** A root on the real disk that counts the files it reads. */
function openRoot(path) {
  const { files, clock } = createWorld();
  const counts = { read: 0 };
  const counted = (read) => (file, max) => {
    counts.read++;
    return read(file, max);
  };
  const root = createFolderRoot(
    { files: { ...files, read: counted(files.read), readStamped: counted(files.readStamped) }, clock },
    { id: "project", origin: "project", path, ignore: [] },
  );
  return { root, counts };
}

/** Lists every folder and keeps nothing: as many at once as the walk under measure has under way. */
async function bareWalk(path) {
  let level = [path];
  while (level.length > 0) {
    const below = [];
    for (let at = 0; at < level.length; at += 32)
      await Promise.all(
        level.slice(at, at + 32).map(async (folder) => {
          for (const entry of await readdir(folder, { withFileTypes: true }))
            if (entry.isDirectory() && entry.name !== ".git") below.push(join(folder, entry.name));
        }),
      );
    level = below;
  }
}

function syncWalk(path) {
  const waiting = [path];
  for (const folder of waiting)
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && entry.name !== ".git") waiting.push(join(folder, entry.name));
}

function gitFiles(path) {
  const { status } = spawnSync("git", ["ls-files", "--others", "--cached"], { cwd: path, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error("git ls-files failed");
}

async function taken(act) {
  const before = performance.now();
  await act();
  return performance.now() - before;
}

function heapUsed() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
