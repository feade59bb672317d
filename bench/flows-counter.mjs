/**
 * Loaded with `--import`: writes, for each module of `FLOWS_MODULES`, how many of its functions have run, to `FLOWS_COUNTS`.
 * At exit, or at each SIGUSR2 since the one before.
 */
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { env } from "node:process";
import { fileURLToPath } from "node:url";

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
process.on("SIGUSR2", write);
process.on("exit", write);

function write() {
  session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
    const counts = {};
    for (const { url, functions } of result) {
      if (!url.startsWith("file:") || !fileURLToPath(url).startsWith(env.FLOWS_MODULES)) continue;
      // The first one is the module itself: it runs when it is imported.
      const ran = functions.slice(1).filter(({ ranges }) => ranges[0].count > 0).length;
      if (ran > 0) counts[fileURLToPath(url).slice(env.FLOWS_MODULES.length + 1)] = ran;
    }
    writeFileSync(`${env.FLOWS_COUNTS}.part`, JSON.stringify(counts));
    renameSync(`${env.FLOWS_COUNTS}.part`, env.FLOWS_COUNTS);
  });
}
