/** A gateway as a user would set it up: the built command line, a SQLite store, approved skills, a key. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath, platform } from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { runNode } from "./measure.mjs";
import { generateSkill } from "./skills.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** Starts a child and waits for the first line that says where it listens. */
export async function startChild(args, environment, find) {
  const child = spawn(execPath, args, { env: environment, stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, found] = find.exec(line) ?? [];
    if (found !== undefined) return { child, found };
  }
  throw new Error(`node ${args.join(" ")} ended before it listened`);
}

/** One configuration for each number of skills, named `c<number>`. Without a store, on SQLite. */
export async function startGateway(upstream, counts, store) {
  const home = mkdtempSync(join(tmpdir(), "skillward-bench-gateway-"));
  const environment = { PATH: env.PATH, HOME: home, USER: "bench", ...(store ? { SKILLWARD_STORE: store } : {}) };
  const skillward = (...args) => runNode([cli, ...args], { environment });
  writeSkills(join(home, "skills"), Math.max(...counts));
  mkdirSync(join(home, ".config/skillward"), { recursive: true });
  writeFileSync(join(home, ".config/skillward/config.yaml"), configOf(upstream));
  skillward("source", "add", join(home, "skills"), "--id", "bench");
  skillward("review", "--approve-clean");
  skillward("provider", "add", "bench", "--protocol", "openai", "--origin", `http://${upstream}`, "--model", "*");
  const names = JSON.parse(skillward("skill", "list", "--json", "--limit", "100")).items.map(({ entry }) => entry);
  for (const count of counts) {
    skillward("config", "add", `c${count}`, "--provider", "bench", "--model", "m", "--budget", "1000000");
    for (const name of names.slice(0, count)) skillward("attach", `c${count}`, name);
  }
  const key = JSON.parse(skillward("key", "add", "bench", "--role", "reader", "--json")).key;
  const { child, found } = await startChild([cli, "serve", "--port", "0"], environment, /(http:\/\/127\.0\.0\.1:\d+)/);
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  return { url: found, key, pid: child.pid, stop };
}

export function writeSkills(folder, count) {
  for (let index = 0; index < count; index++) {
    const { folder: name, text } = generateSkill(index);
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "SKILL.md"), text);
  }
}

function configOf(upstream) {
  const limits = "gateway:\n  requests-per-minute: 1000000\n  concurrent: 10000\n";
  return `network:\n  private:\n    "${upstream}": "127.0.0.1/32"\n${limits}`;
}

/** CPU milliseconds that a process has used so far, and its memory in MiB; undefined where the system does not say. */
export function usageOf(pid) {
  if (platform !== "linux") return undefined;
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { cpu: statOf(pid).own, memory: Number(kib) / 1024 };
}

/** CPU milliseconds of every descendant of this process that runs `program`, those that have ended with them. */
export function usageOfAll(program) {
  if (platform !== "linux") return undefined;
  const processes = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? (statOf(pid) ?? []) : []));
  const family = new Set([process.pid]);
  // A parent's number may be above its child's: until nobody is found any more.
  for (let known = 0; known < family.size; ) {
    known = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const theirs = processes.filter(({ pid, name }) => name === program && family.has(pid));
  return theirs.reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** By proc(5), in ticks of 10 ms; undefined when it has ended meanwhile. */
function statOf(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = (first) => (Number(fields[first]) + Number(fields[first + 1])) * 10;
  const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
  return { pid: Number(pid), name, parent: Number(fields[1]), own: ticks(11), ended: ticks(13) };
}
