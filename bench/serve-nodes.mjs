/** Nodes as an operator would run them: the built command line, one store, one key file, skills, a configuration, a key. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../test/support/postgres.mjs";
import { startChild, writeSkills } from "./gateway-home.mjs";
import { runNode } from "./measure.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const listening = /(http:\/\/127\.0\.0\.1:\d+)/;

/** @param {{ nodes: number, skills: number, engine: "sqlite" | "postgres" }} wanted */
export async function startNodes({ nodes, skills, engine }) {
  const home = mkdtempSync(join(tmpdir(), "skillward-bench-serve-"));
  const postgres = engine === "postgres" ? await startPostgres() : undefined;
  const store = postgres?.url ?? join(home, "store.db");
  const environment = (data) => ({
    PATH: env.PATH,
    HOME: home,
    USER: "bench",
    SKILLWARD_STORE: store,
    SKILLWARD_KEYS: join(home, "keys.json"),
    SKILLWARD_DATA: join(home, data),
  });
  const skillward = (...args) => runNode([cli, ...args], { environment: environment("admin") });
  mkdirSync(join(home, ".config/skillward"), { recursive: true });
  writeFileSync(
    join(home, ".config/skillward/config.yaml"),
    `gateway:\n  requests-per-minute: 1000000\n  concurrent: 10000\nsync:\n  files: 1000000\n  bytes: 1GiB\n  seconds: 3600\n`,
  );
  writeSkills(join(home, "skills"), skills);
  skillward("source", "add", join(home, "skills"), "--id", "bench");
  skillward("review", "--approve-clean");
  skillward("provider", "add", "echo", "--protocol", "echo", "--model", "*");
  skillward("config", "add", "bench", "--provider", "echo", "--model", "m", "--budget", "1000000");
  const entries = JSON.parse(skillward("skill", "list", "--json", "--limit", "100")).items.map(({ entry }) => entry);
  for (const entry of entries.slice(0, 3)) skillward("attach", "bench", entry);
  const key = JSON.parse(skillward("key", "add", "bench", "--role", "reader", "--json")).key;
  const started = [];
  for (let at = 0; at < nodes; at++) {
    const { child, found } = await startChild([cli, "serve", "--port", "0"], environment(`node-${at}`), listening);
    started.push({ url: found, pid: child.pid, child });
  }
  const stop = async () => {
    for (const { child } of started) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    }
    await postgres?.stop();
    rmSync(home, { recursive: true, force: true });
  };
  return { nodes: started, key, entry: entries[0], stop };
}
