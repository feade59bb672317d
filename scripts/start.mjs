/**
 * `npm start`: Skillward on its embedded store, with the example skills, in a folder of the checkout that git ignores.
 * Runs the built command line as a user would, and shows each command with what it says.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { env, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const room = join(root, ".skillward");
const isFirst = !existsSync(room);
/** Nothing of the user's own configuration, store or keys is touched. */
const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("SKILLWARD_")));
const place = { XDG_CONFIG_HOME: join(room, "config"), XDG_DATA_HOME: join(room, "data") };

const read = isFirst ? ["source", "add", "examples/skills", "--id", "examples"] : ["source", "sync"];
for (const command of [read, ["review"], ["skill", "list"]]) {
  console.log(`$ skillward ${command.join(" ")}`);
  const args = [join(root, "dist/cli.js"), ...command];
  const { status } = spawnSync(execPath, args, { cwd: root, stdio: "inherit", env: { ...own, ...place } });
  if (status !== 0) exit(status ?? 1);
  console.log();
}
console.log("This ran on a store of its own, in .skillward; delete the folder to start over.");
console.log("With your own skills:  npx skillward source add <folder>");
