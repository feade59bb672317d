/**
 * `npm start`: serves Skillward on its embedded store, with the example skills and a key to try it with. What the
 * environment names is used as it is; otherwise everything is in a folder of the checkout that git ignores.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { argv, env, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const room = join(root, ".skillward");

// A store that the environment names goes with the key file that every other command would use for it.
const own = { SKILLWARD_DATA: join(room, "data"), SKILLWARD_KEYS: join(room, "config", "keys.json") };
const places = env.SKILLWARD_DATA === undefined ? own : {};
const serving = spawn(execPath, [join(root, "dist/cli.js"), "serve", "--demo", ...argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...places, ...env },
});

// Whoever stops this stops the server, which ends by itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => serving.kill(signal));
serving.on("exit", (code) => exit(code ?? 1));
