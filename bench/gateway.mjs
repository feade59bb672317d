/**
 * What the gateway adds, against the same load sent directly to the model service in the same run.
 *
 *   node bench/gateway.mjs [--rounds 5] [--requests 400] [--minutes 0] [--postgres]
 *
 * Loads: a short chat, a chat of 64 kB, a stream of 500 events. Ways: direct (the baseline), through the gateway with
 * 0, 3 and 20 skills. Rounds are interleaved. Latency is of one request at a time, throughput of 8 at a time. Model
 * service, gateway and this client are processes of their own. The store is SQLite, or a PostgreSQL on this machine.
 * With `--minutes`, the memory of the gateway under a mixed load follows.
 */
import { cpus } from "node:os";
import { exit, version } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { startChild, startGateway, usageOf } from "./gateway-home.mjs";
import { startPostgres } from "../test/support/postgres.mjs";
import { median, printTable } from "./measure.mjs";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    requests: { type: "string", default: "400" },
    minutes: { type: "string", default: "0" },
    postgres: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
const requests = Number(options.requests);
const events = 500;
const atOnce = 8;
const counts = [0, 3, 20];
const goal = { addedP50: 2, streaming: 0.8 };

const loads = {
  "short chat": { body: chatOf("How long do I boil an egg?"), count: requests },
  "64 kB chat": { body: chatOf("An egg takes six minutes. ".repeat(2500)), count: requests },
  [`stream of ${events}`]: { body: chatOf("Tell me about eggs.", true), count: Math.ceil(requests / 20) },
};

const upstreamScript = fileURLToPath(new URL("gateway-upstream.mjs", import.meta.url));
const upstream = await startChild([upstreamScript, String(events)], process.env, /^(\d+)$/);
const address = `127.0.0.1:${upstream.found}`;
const database = options.postgres ? await startPostgres() : null;
const gateway = await startGateway(address, counts, database?.url);
try {
  await main();
} finally {
  await gateway.stop();
  await database?.stop();
  upstream.child.kill();
}
exit(0);

function chatOf(content, stream = false) {
  return JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...(stream ? { stream } : {}) });
}

async function main() {
  console.log(`node ${version}, ${cpus().length} cores, shared by client, gateway and model service`);
  const ways = {
    direct: createWay(`http://${address}`, "/v1/chat/completions", {}),
    ...Object.fromEntries(counts.map((count) => [`${count} skills`, gatewayWay(count)])),
  };
  for (const way of Object.values(ways)) for (const load of Object.values(loads)) await run(way, load, atOnce, 16);
  const rows = [];
  for (const [name, load] of Object.entries(loads)) rows.push(...(await compare(name, load, ways)));
  const titles = [
    "load",
    "way",
    "p50 ms",
    "added",
    "p99 ms",
    "added",
    "requests/s",
    "of direct",
    "CPU ms each",
    "CPU µs/event",
  ];
  printTable(titles, rows);
  console.log(
    `goals: added p50 at most ${goal.addedP50} ms with 3 skills; streams at least ${goal.streaming} of direct`,
  );
  if (Number(options.minutes) > 0) await watchMemory(ways, Number(options.minutes));
}

function gatewayWay(count) {
  return createWay(gateway.url, `/c/c${count}/v1/chat/completions`, { authorization: `Bearer ${gateway.key}` });
}

function createWay(origin, path, headers) {
  return {
    pool: new Pool(origin, { connections: atOnce }),
    path,
    headers: { "content-type": "application/json", ...headers },
  };
}

/** The medians of the rounds, so that one slow spell of the machine does not decide. */
async function compare(name, load, ways) {
  const samples = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round < rounds; round++)
    for (const [way, target] of Object.entries(ways)) {
      const alone = await run(target, load, 1, Math.ceil(load.count / 4));
      const before = usageOf(gateway.pid);
      const together = await run(target, load, atOnce, load.count);
      const cpu = before === undefined ? Number.NaN : usageOf(gateway.pid).cpu - before.cpu;
      samples[way].push({
        p50: at(alone.times, 0.5),
        p99: at(alone.times, 0.99),
        perSecond: together.perSecond,
        cpu: cpu / load.count,
      });
    }
  const of = (way, figure) => median(samples[way].map((sample) => sample[figure]));
  return Object.keys(ways).map((way) =>
    rowOf(
      name,
      way,
      (figure) => of(way, figure),
      (figure) => of("direct", figure),
    ),
  );
}

function rowOf(name, way, own, direct) {
  const isDirect = way === "direct";
  const added = (figure) => (isDirect ? "" : (own(figure) - direct(figure)).toFixed(2));
  return [
    name,
    way,
    own("p50").toFixed(2),
    added("p50"),
    own("p99").toFixed(2),
    added("p99"),
    own("perSecond").toFixed(0),
    isDirect ? "1.00" : (own("perSecond") / direct("perSecond")).toFixed(2),
    isDirect ? "" : own("cpu").toFixed(2),
    isDirect || !name.startsWith("stream") ? "" : ((own("cpu") * 1000) / events).toFixed(1),
  ];
}

function at(times, part) {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))];
}

/** `count` requests, `width` at a time. An answer that is not 200 or not whole ends the run: it must not pass for a fast one. */
async function run({ pool, path, headers }, { body }, width, count) {
  const times = [];
  let left = count;
  const start = performance.now();
  const work = async () => {
    while (left-- > 0) {
      const began = performance.now();
      const answer = await pool.request({ method: "POST", path, headers, body });
      let last = "";
      for await (const chunk of answer.body) last = chunk.toString("latin1").slice(-40);
      if (answer.statusCode !== 200 || !/\}$|\[DONE\]\n\n$/.test(last))
        throw new Error(`${path}: ${answer.statusCode} ${last}`);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return { times, perSecond: (count * 1000) / (performance.now() - start) };
}

/** Memory that grows shows in the last third being above the first; a collection can come at any time. */
async function watchMemory(ways, minutes) {
  const until = performance.now() + minutes * 60_000;
  const samples = [];
  let served = 0;
  const busy = (async () => {
    while (performance.now() < until)
      for (const load of Object.values(loads)) {
        const count = Math.ceil(load.count / 4);
        await run(ways["3 skills"], load, atOnce, count);
        served += count;
      }
  })();
  while (performance.now() < until) {
    samples.push(usageOf(gateway.pid)?.memory ?? Number.NaN);
    await sleep(5000);
  }
  await busy;
  const third = Math.ceil(samples.length / 3);
  const [first, last] = [median(samples.slice(0, third)), median(samples.slice(-third))];
  console.log(
    `memory over ${minutes} min and ${served} requests: ${first.toFixed(0)} MiB in the first third, ${last.toFixed(0)} MiB in the last (${(last / first).toFixed(2)}x), most ${Math.max(...samples).toFixed(0)} MiB`,
  );
}
