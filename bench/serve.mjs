/**
 * What one and two nodes answer at rising concurrency, against a bare `node:http` server that answers the same bytes in
 * the same run.
 *
 *   node bench/serve.mjs [--engine postgres] [--nodes 1,2] [--widths 1,4,16,64] [--skills 1000] [--seconds 4]
 *
 * Loads: reads of the API, the same when nothing is new, a chat through the gateway (on a provider that answers from
 * within), a skill loaded by MCP. Client, nodes and database are processes of their own and share the machine's cores.
 */
import { createServer } from "node:http";
import { cpus } from "node:os";
import { exit, version } from "node:process";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { usageOf, usageOfAll } from "./gateway-home.mjs";
import { ms, printTable } from "./measure.mjs";
import { ask, at, createLoads, openLoad, run } from "./serve-load.mjs";
import { startNodes } from "./serve-nodes.mjs";

const { values: options } = parseArgs({
  options: {
    engine: { type: "string", default: "postgres" },
    nodes: { type: "string", default: "1,2" },
    widths: { type: "string", default: "1,4,16,64" },
    skills: { type: "string", default: "1000" },
    seconds: { type: "string", default: "4" },
  },
});
const numbers = (text) => text.split(",").map(Number);
const milliseconds = Number(options.seconds) * 1000;
const warmUp = 1500;

console.log(`node ${version}, ${cpus().length} cores, ${options.engine}, ${options.skills} skills`);
const rows = [];
for (const nodes of numbers(options.nodes)) {
  const room = await startNodes({ nodes, skills: Number(options.skills), engine: options.engine });
  try {
    for (const [name, load] of Object.entries(createLoads(room))) await measure(name, load, room);
  } finally {
    await room.stop();
  }
}
const heads = ["requests/s", "of bare", "p50 ms", "p99 ms", "errors", "MiB a node", "CPU ms: nodes", "database"];
printTable(["load", "nodes", "at once", ...heads], rows);
exit(0);

async function measure(name, load, { nodes }) {
  const bare = await startBare(nodes[0], load);
  try {
    for (const width of numbers(options.widths)) {
      const opened = await openLoad(nodes, load, width);
      await run(opened, { width, milliseconds: warmUp });
      const cpuBefore = cpuOf(nodes);
      const { times, errors, perSecond } = await run(opened, { width, milliseconds });
      const cpu = cpuOf(nodes).map((each, index) => ((each - cpuBefore[index]) / times.length).toFixed(2));
      await opened.close();
      const baseline = await run(bare.opened(width), { width, milliseconds: milliseconds / 2 });
      const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
      for (const [fault, count] of errors) console.error(`  ${name}: ${count} x ${fault}`);
      const memory = Math.max(...nodes.map(({ pid }) => usageOf(pid)?.memory ?? Number.NaN));
      const share = (perSecond / baseline.perSecond).toFixed(2);
      rows.push([
        name,
        nodes.length,
        width,
        perSecond.toFixed(0),
        share,
        ms(at(times, 0.5)),
        ms(at(times, 0.99)),
        failed,
        memory.toFixed(0),
        ...cpu,
      ]);
    }
  } finally {
    await bare.stop();
  }
}

/** CPU milliseconds so far, of the nodes and of their database: what a request costs each says how far they go on more cores. */
function cpuOf(nodes) {
  const ofNodes = nodes.reduce((sum, { pid }) => sum + (usageOf(pid)?.cpu ?? Number.NaN), 0);
  return [ofNodes, usageOfAll("postgres") ?? Number.NaN];
}

/** A server that does nothing but answer with the bytes that the node answers with. */
async function startBare(node, load) {
  const once = await openLoad([node], load, 1);
  const [{ pool, headers }] = once.ends;
  const answer = await ask(pool, { ...load, headers });
  const [status, bytes] = [answer.statusCode, Buffer.from(await answer.body.arrayBuffer())];
  await once.close();
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(status).end(bytes));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pools = [];
  return {
    opened(width) {
      const own = new Pool(`http://127.0.0.1:${server.address().port}`, { connections: width });
      pools.push(own);
      return { ends: [{ pool: own, headers: load.headers }], load };
    },
    async stop() {
      for (const own of pools) await own.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
