/**
 * After `npm ci`, and before a package is made of this folder: builds what is not built. The first `npx skillward` of an account
 * asks for it as well, perhaps beside a server that runs from here, so a build that is newer than its sources is left alone.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { exit } from "node:process";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** One file of each step of the build. */
const built = ["dist/cli.js", "dist/types/index.d.ts", "dist/web/index.html"].map((path) => join(root, path));

/** What they are made from, and by; `.contract` is made by a check and none of it. */
const settings = readdirSync(root).filter((name) =>
  /^(?:package(?:-lock)?\.json|tsconfig.*\.json|.*\.config\.ts)$/.test(name),
);
const sources = ["src", "web", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
);

const changedAt = (path) => statSync(path).mtimeMs;

function isBuilt() {
  if (!built.every((path) => existsSync(path))) return false;
  const oldest = Math.min(...built.map(changedAt));
  const asked = [...settings, "src", "web", "scripts", ...sources].filter((path) => !path.startsWith("web/.contract"));
  return asked.every((path) => changedAt(join(root, path)) < oldest);
}

if (!isBuilt()) exit(spawnSync("npm", ["run", "build", "--silent"], { cwd: root, stdio: "inherit" }).status ?? 1);
