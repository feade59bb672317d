/**
 * Nodes under a steady mixed load for a long time: nothing may grow, nothing may fail.
 *
 *   node bench/soak.mjs [--minutes 30] [--share 0.5] [--nodes 2] [--engine postgres] [--skills 1000]
 *
 * First the peak of the mix is found in a few seconds, then `share` of it is asked for all the time. Memory, answers and
 * faults are written down each minute; it ends with 1 when there was a fault, or when the last third of the samples is
 * more than a tenth above the first.
 */
import { exit } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { usageOf } from "./gateway-home.mjs";
import { median, ms } from "./measure.mjs";
import { at, createLoads, openLoad, run } from "./serve-load.mjs";
import { startNodes } from "./serve-nodes.mjs";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    share: { type: "string", default: "0.5" },
    nodes: { type: "string", default: "2" },
    engine: { type: "string", default: "postgres" },
    skills: { type: "string", default: "1000" },
  },
});
const width = 8;
const room = await startNodes({
  nodes: Number(options.nodes),
  skills: Number(options.skills),
  engine: options.engine,
});
let isFine = false;
try {
  isFine = await soak();
} finally {
  await room.stop();
}
exit(isFine ? 0 : 1);

async function soak() {
  const loads = Object.entries(createLoads(room));
  const opened = await Promise.all(
    loads.map(async ([name, load]) => ({ name, on: await openLoad(room.nodes, load, width) })),
  );
  const together = async (milliseconds, rates) =>
    Promise.all(opened.map(({ on }, index) => run(on, { width, milliseconds, perSecond: rates?.[index] })));
  await together(3000);
  const peaks = (await together(8000)).map(({ perSecond }) => perSecond);
  const rates = peaks.map((peak) => peak * Number(options.share));
  opened.forEach(({ name }, index) =>
    console.log(
      `${name}: peak ${peaks[index].toFixed(0)}/s beside the others, ${rates[index].toFixed(0)}/s from now on`,
    ),
  );
  const samples = [];
  const faults = [];
  for (let minute = 1; minute <= Number(options.minutes); minute++) {
    const results = await together(60_000, rates);
    // What is collected now and then is no growth: the least of a few looks counts.
    const looks = [];
    for (let look = 0; look < 5; look++) {
      looks.push(room.nodes.map(({ pid }) => usageOf(pid)?.memory ?? Number.NaN));
      await sleep(200);
    }
    const memory = room.nodes.map((_, node) => Math.min(...looks.map((each) => each[node])));
    samples.push(Math.max(...memory));
    for (const { errors } of results) faults.push(...errors);
    const done = results.reduce((sum, { times }) => sum + times.length, 0);
    const slowest = Math.max(...results.map(({ times }) => at(times, 0.99)));
    console.log(
      `minute ${minute}: ${done} answers, p99 ${ms(slowest)} ms, ${memory.map((each) => each.toFixed(0)).join(" and ")} MiB, faults so far ${faults.length}`,
    );
  }
  for (const [fault, count] of faults) console.error(`  ${count} x ${fault}`);
  const third = Math.max(1, Math.floor(samples.length / 3));
  const [first, last] = [median(samples.slice(0, third)), median(samples.slice(-third))];
  console.log(
    `memory: ${first.toFixed(0)} MiB in the first third, ${last.toFixed(0)} in the last, ${(last / first).toFixed(2)}x`,
  );
  return faults.length === 0 && last / first <= 1.1;
}
