// Where Chromium is: the npm package only carries it, compressed; its own code stays unused.
import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";

export interface Chromium {
  readonly program: string;
  /** Libraries that it needs and a small machine may lack. */
  readonly libraries: string;
  /** The machine's configuration of fonts and, where it has none, one font all the same. */
  readonly fonts: string;
}

/** Unpacks it once for each version and account. Null: there is none for this machine, an installed Chrome will do. */
export async function prepareChromium(): Promise<Chromium | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const carrier = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../..");
  const { version } = JSON.parse(readFileSync(join(carrier, "package.json"), "utf8")) as { version: string };
  const home = join(tmpdir(), `skillward-chromium-${version}-${process.getuid?.() ?? 0}`);
  while (!(await isOurs(home))) await unpack(join(carrier, "bin"), home);
  return { program: join(home, "chromium"), libraries: join(home, "libraries/lib"), fonts: join(home, "fonts.conf") };
}

/** The name is easy to guess and the folder above is everyone's: what somebody else put there is not run. */
async function isOurs(home: string): Promise<boolean> {
  const found = await lstat(home).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found === null) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true;
  throw new Error(
    `${home} is not a folder that only this account can write: remove it, or set TMPDIR to another place`,
  );
}

/** Whole or not at all: of two runs that start at once, the first to finish gives its copy the name. */
async function unpack(packed: string, home: string): Promise<void> {
  const staging = await mkdtemp(`${home}-`);
  try {
    const program = join(staging, "chromium");
    await pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress({ chunkSize: 2 ** 21 }),
      createWriteStream(program),
    );
    await chmod(program, 0o755);
    await unpackTar(join(packed, "al2023.tar.br"), join(staging, "libraries"));
    await unpackTar(join(packed, "fonts.tar.br"), join(staging, "fonts"));
    await writeFile(join(staging, "fonts.conf"), fontsAt(join(home, "fonts")));
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Text that has no font has no extent, and is then not there for whoever asks the browser. */
function fontsAt(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}</dir>
</fontconfig>
`;
}

async function unpackTar(file: string, folder: string): Promise<void> {
  await mkdir(folder);
  execFileSync("tar", ["-xf", "-", "-C", folder, "--no-same-owner"], {
    input: brotliDecompressSync(readFileSync(file)),
  });
}
