/**
 * `npm start`: serves Skillward on its embedded store, with the example skills and a key to try it with. What the
 * environment names is used as it is; otherwise everything is in a folder of the checkout that git ignores.
 */
import { join } from "node:path";
import { argv, chdir, env } from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const room = join(root, ".skillward");

// A store that the environment names goes with the key file that every other command would use for it.
if (env.SKILLWARD_DATA === undefined) {
  env.SKILLWARD_DATA = join(room, "data");
  env.SKILLWARD_KEYS ??= join(room, "config", "keys.json");
}
chdir(root);

// In this process: of two, each would get the Ctrl-C of a terminal, and the second one a second time.
argv.splice(2, 0, "serve", "--demo");
await import("../dist/cli.js");
