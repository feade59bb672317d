/**
 * What syncing a repository costs: requests, bytes and time of a first sync, of one in which nothing changed, and of one
 * in which one skill of all changed, beside `git clone --depth 1` of the same repository over loopback in the same run.
 *
 *   npm run build && node bench/sync.mjs [--sizes 10,500,5000] [--rounds 7]
 *
 * The clone is a process that writes files and checks nothing; a sync runs in this process, proves every byte up to the
 * commit, parses and summarises every skill and writes them durably into a fresh SQLite store. Both are asked of servers
 * in another process. A first run of each, not measured, lets the servers make what they keep.
 */
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadInternals } from "./internals.mjs";
import { median, ms, printTable, ratio, times } from "./measure.mjs";

const { values: options } = parseArgs({
  options: { sizes: { type: "string", default: "10,500,5000" }, rounds: { type: "string", default: "7" } },
});
const rounds = Number(options.rounds);
const goal = { firstApi: 4, unchanged: 2 };
const internals = await loadInternals({ isWorker: false });

console.log(`node ${version}; wall clock of one machine: compare the ratios, not the milliseconds`);
const rows = [];
for (const size of options.sizes.split(",").map(Number)) rows.push(...(await measure(size)));
printTable(["skills", "what", "api requests", "all requests", "KiB", "ms", "of the clone"], rows);
console.log(
  `Goals: a first sync of 500 skills at most ${goal.firstApi} api requests and as fast as the clone; unchanged`,
);
console.log(`at most ${goal.unchanged} requests.`);

async function measure(size) {
  const hub = fork(fileURLToPath(new URL("sync-hub.mjs", import.meta.url)), [String(size)]);
  try {
    const [place] = await once(hub, "message");
    clone(place.clone);
    await inHome(place, (app) => addAndSync(app));
    await counted(hub);
    const samples = { clone: [], first: [], unchanged: [], changed: [] };
    const spent = {};
    for (let round = 0; round < rounds; round++) {
      samples.clone.push(clone(place.clone));
      await inHome(place, async (app) => {
        spent.first = await timed(hub, samples.first, () => addAndSync(app));
        spent.unchanged = await timed(hub, samples.unchanged, () => sync(app));
        await pushed(hub, round % size);
        spent.changed = await timed(hub, samples.changed, () => sync(app));
      });
    }
    const row = (what) => {
      const { api, all, bytes } = spent[what];
      const share = times(ratio(samples[what], samples.clone));
      return [size, what, api, all, (bytes / 1024).toFixed(0), ms(median(samples[what])), share];
    };
    const clones = [size, "git clone --depth 1", "-", "-", "-", ms(median(samples.clone)), "1.00x"];
    return [clones, row("first"), row("unchanged"), row("changed")];
  } finally {
    hub.disconnect();
  }
}

async function timed(hub, samples, act) {
  const before = performance.now();
  const { bytes } = await act();
  samples.push(performance.now() - before);
  return { bytes, ...(await counted(hub)) };
}

async function counted(hub) {
  hub.send({ count: true });
  const [counts] = await once(hub, "message");
  return counts;
}

async function pushed(hub, number) {
  hub.send({ push: number });
  await once(hub, "message");
}

function clone(address) {
  const folder = mkdtempSync(join(tmpdir(), "skillward-bench-"));
  try {
    const before = performance.now();
    const { status, stderr } = spawnSync("git", ["clone", "--quiet", "--depth", "1", address, join(folder, "clone")]);
    if (status !== 0) throw new Error(`git clone failed: ${String(stderr)}`);
    return performance.now() - before;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function inHome({ configuration }, act) {
  const home = mkdtempSync(join(tmpdir(), "skillward-bench-"));
  mkdirSync(join(home, ".config/skillward"), { recursive: true });
  writeFileSync(join(home, ".config/skillward/config.yaml"), configuration);
  const environment = internals.parseEnvironment({ HOME: home, USER: "bench" });
  const app = await internals.openApp(internals.createWorld(), environment);
  try {
    return await act(app);
  } finally {
    await app.close();
    rmSync(home, { recursive: true });
  }
}

/** As `skillward source add` does: what was typed is resolved, then read. */
async function addAndSync(app) {
  const { results } = await internals.addSource(app, "bench/skills", { maxFiles: 100_000, maxBytes: 2 ** 30 });
  return demandWhole(results[0]);
}

async function sync(app) {
  const { results } = await internals.syncSources(app, ["skills"]);
  return demandWhole(results[0]);
}

/** A sync that did less must not pass for a fast one. */
function demandWhole(result) {
  if (result.status === "ok") return result;
  throw new Error(`not synced: ${JSON.stringify(result)}`);
}
