/**
 * How much of the code three flows cross: files of `src` in which a function ran, and functions, by V8's own counts.
 *
 *   node bench/flows.mjs [--tree <checkout>] [--names]
 *
 * The flows: a chat completion with two attached and one routed skill (the first request of a server), `source add` of two
 * skills (the whole command), and `/skills:<name>` (the first line of a chat). The scanner's rules are not counted. `--tree`
 * measures another checkout by the same means, `--names` lists the files.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { env, execPath } from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { startChild } from "./gateway-home.mjs";
import { printTable, runNode } from "./measure.mjs";

const { values: options } = parseArgs({
  options: {
    tree: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    names: { type: "boolean" },
  },
});
const tree = resolve(options.tree);
// Inside of the tree: what stays a package of its own is found from there.
const built = join(realpathSync(join(tree, "node_modules")), ".flows", `${process.pid}`);
const home = mkdtempSync(join(tmpdir(), "skillward-flows-"));
const counts = join(home, "counts.json");
const counter = pathToFileURL(fileURLToPath(new URL("flows-counter.mjs", import.meta.url))).href;
const environment = { PATH: env.PATH, HOME: home, USER: "bench", FLOWS_MODULES: built, FLOWS_COUNTS: counts };
const skills = {
  "egg-timer": "Boils eggs to the minute. Use when somebody asks how long an egg takes.",
  "rye-bread": "Bakes rye bread with sourdough. Use for questions about rye or sourdough.",
  "ship-log": "Writes the log of a ship. Use when a voyage, a watch or a ship's log is asked for.",
};

try {
  const cli = await buildModules();
  const flows = {
    "a chat completion: two attached, one routed": await countCompletion(cli),
    "source add of two skills": countCommand(cli, [
      "source",
      "add",
      writeSkills("added", "egg-timer", "rye-bread"),
      "--data",
      join(home, "added-data"),
    ]),
    "/skills:<name>": await countInvocation(cli),
  };
  const rows = Object.entries(flows).map(([name, ran]) => [
    name,
    `${Object.keys(ran).length}`,
    `${Object.values(ran).reduce((sum, count) => sum + count, 0)}`,
  ]);
  printTable(["flow", "files", "functions"], rows);
  if (options.names) for (const [name, ran] of Object.entries(flows)) console.log(`\n${name}`, ran);
} finally {
  rmSync(home, { recursive: true });
  rmSync(built, { recursive: true, force: true });
}

/** Each module in a file of its own, so that V8's counts are by file. */
async function buildModules() {
  const bin = ["src/cli/bin.ts", "src/serve/cli/bin.ts"].find((file) => existsSync(join(tree, file)));
  const build = await rolldown({
    input: join(tree, bin),
    cwd: tree,
    platform: "node",
    external: [/^node:/, "@photostructure/sqlite", "pg-native"],
    transform: { target: "node20" },
  });
  await build.write({ dir: built, format: "esm", preserveModules: true, preserveModulesRoot: tree });
  await build.close();
  // Serving wants pages beside the module that opens them.
  for (const folder of ["src/cli/serve", "src/serve/cli/commands"]) {
    mkdirSync(join(built, folder, "web", "assets"), { recursive: true });
    writeFileSync(join(built, folder, "web", "index.html"), "<!doctype html>");
  }
  return join(built, bin.replace(/\.ts$/, ".js"));
}

function writeSkills(folder, ...names) {
  for (const name of names) {
    mkdirSync(join(home, folder, name), { recursive: true });
    const text = `---\nname: ${name}\ndescription: ${skills[name]}\n---\n\n# ${name}\n\nDo it well.\n`;
    writeFileSync(join(home, folder, name, "SKILL.md"), text);
  }
  return join(home, folder);
}

function countCommand(cli, args) {
  runNode(["--import", counter, cli, ...args], { environment });
  return readCounts();
}

async function countCompletion(cli) {
  const skillward = (...args) => runNode([cli, ...args], { environment });
  skillward("source", "add", writeSkills("served", ...Object.keys(skills)), "--id", "bench");
  skillward("review", "--approve-clean");
  skillward("provider", "add", "echo", "--protocol", "echo", "--model", "*");
  skillward(
    "config",
    "add",
    "c",
    "--provider",
    "echo",
    "--model",
    "echo",
    "--route",
    "on",
    "--routable",
    "source:bench",
  );
  for (const name of ["egg-timer", "rye-bread"]) skillward("attach", "c", name);
  const { key } = JSON.parse(skillward("key", "add", "bench", "--role", "reader", "--json"));
  const serve = ["--import", counter, cli, "serve", "--port", "0"];
  const { child, found } = await startChild(serve, environment, /(http:\/\/127\.0\.0\.1:\d+)/);
  try {
    await takeCounts(child);
    const answer = await complete(found, key);
    const ran = await takeCounts(child);
    const missing = Object.keys(skills).filter((name) => !answer.includes(`Skill: ${name}`));
    if (missing.length > 0) throw new Error(`${missing.join(", ")} did not go into the prompt: ${answer}`);
    return ran;
  } finally {
    child.kill("SIGTERM");
  }
}

async function complete(origin, key) {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "c",
      messages: [{ role: "user", content: "Write the log of a ship for this voyage" }],
    }),
  });
  return response.text();
}

async function countInvocation(cli) {
  const args = ["chat", "--model", "echo", "--json", "--trust-workspace", "--dir", writeSkills("chat", "egg-timer")];
  const child = spawn(execPath, ["--import", counter, cli, ...args], {
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  // It says nothing before it is asked: the time is for it to start.
  await sleep(5000);
  await takeCounts(child);
  child.stdin.write("/skills:egg-timer 6 minutes\n");
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"turn.ended"')) break;
  const ran = await takeCounts(child);
  child.stdin.end();
  return ran;
}

async function takeCounts(child) {
  rmSync(counts, { force: true });
  child.kill("SIGUSR2");
  for (let tries = 0; !existsSync(counts); tries++) {
    if (tries > 300) throw new Error("The server did not write its counts");
    await sleep(100);
  }
  return readCounts();
}

function readCounts() {
  const all = Object.entries(JSON.parse(readFileSync(counts, "utf8")));
  return Object.fromEntries(all.filter(([file]) => file.startsWith("src/") && !file.includes("/scan/rules/")));
}
