import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, link, lstat, mkdir, mkdtemp, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { hostname, tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type {
  Clock,
  Files,
  FilesToWrite,
  FileToPlace,
  Folders,
  Processes,
  Randomness,
  Thread,
  ThreadProgram,
  Threads,
  Timer,
  TooLarge,
  Watching,
} from "../../core/world.ts";
import type { Holders } from "../../registry/sync/lock.ts";
import { kindOf, listFolder } from "./listing.ts";
import { readRegularFile, stampOf } from "./regular-file.ts";
import { createWatching } from "./watching.ts";

/** The outside world as the flows see it. */
export interface World {
  readonly clock: Clock;
  /** Counts fractions of a millisecond, from some moment on: for how long something takes. */
  readonly stopwatch: Clock;
  readonly timer: Timer;
  readonly random: Randomness;
  readonly files: Files & FilesToWrite;
  readonly folders: Folders;
  readonly holders: Holders;
  readonly threads: Threads;
  readonly processes: Processes;
  readonly watching: Watching;
  /** The version of Node that runs this. */
  readonly node: string;
  /** The system that it runs on, as Node names it: `linux`, `darwin`. */
  readonly system: string;
  /** Whose process this is, as the system knows it; null where it has no name. */
  account(): string | null;
}

export function createWorld(): World {
  const timer: Timer = { after: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }), every };
  return {
    clock: { now: () => Date.now() },
    stopwatch: { now: () => performance.now() },
    timer,
    random: { bytes: (count) => randomBytes(count) },
    files: diskFiles,
    folders: diskFolders,
    holders: { self, begin: beginWork, mayRun },
    threads: threadsBeside(import.meta.url),
    processes: {
      // Loaded at its first use: most commands start nothing.
      run: async (argv, options) => (await import("./processes.ts")).createProcesses(timer).run(argv, options),
    },
    watching: createWatching(),
    node: process.versions.node,
    system: process.platform,
    account: accountName,
  };
}

function accountName(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that nobody has given a name.
    return null;
  }
}

function every(milliseconds: number, act: () => void): { stop(): void } {
  const timer = setInterval(act, milliseconds).unref();
  return { stop: () => clearInterval(timer) };
}

const self = `${hostname()}:${process.pid}`;
/** What this process is at. */
const working = new Set<string>();

function beginWork(): { name: string; end(): void } {
  const name = `${self}:${randomBytes(4).toString("hex")}`;
  working.add(name);
  return { name, end: () => void working.delete(name) };
}

/** A process of this machine that has ended holds nothing any more; of another machine nothing is known. */
function mayRun(holder: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[0-9a-f]+$/.exec(holder) ?? [];
  if (host !== hostname()) return true;
  // Its number may have been another's before: in a container every process has the same one after a restart.
  if (Number(pid) === process.pid) return working.has(holder);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Programs of threads lie beside the bundled one. From sources there are none: Node would have to read TypeScript. */
export function threadsBeside(place: string): Threads {
  return {
    open(program) {
      const file = new URL(`./${program}.js`, place);
      return existsSync(fileURLToPath(file)) ? new WorkerThread(new Worker(file, threadOptions[program])) : undefined;
    },
  };
}

const threadOptions: Readonly<Record<ThreadProgram, WorkerOptions>> = {
  "index-worker": {},
  "contract-worker": {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    // Taken from it, and read by nobody.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
  },
};

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

class WorkerThread implements Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    // It is no reason for a process to stay.
    worker.unref();
    worker.on("message", (message: { number: number; answer?: unknown; fault?: string }) => this.#settle(message));
    worker.on("error", (error) => this.#end(error.message));
    worker.on("exit", () => this.#end("it ended"));
  }

  ask<Answer>(asked: unknown): Promise<Answer> {
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      // The program of the thread and whoever asks it agree on what is answered.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      this.#waiting.set(number, { resolve: (answer) => resolve(answer as Answer), reject });
      this.#worker.postMessage({ number, asked });
      // Whoever waits for an answer waits for the thread.
      this.#worker.ref();
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle({ number, answer, fault }: { number: number; answer?: unknown; fault?: string }): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (fault === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(fault));
  }

  #end(why: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(`the thread is gone: ${why}`));
    this.#waiting.clear();
  }
}

const diskFiles: Files & FilesToWrite = {
  resolve: (path) => onDisk(path, () => realpath(path)),
  kind: (path) => onDisk(path, async () => kindOf(await lstat(path))),
  stamp: (path) => onDisk(path, async () => stampOf(await lstat(path, { bigint: true }))),
  list: (folder, max) => onDisk(folder, () => listFolder(folder, max)),
  read: (path, max) => onDisk(path, () => readFile(path, max)),
  readStamped: (path, max) => onDisk(path, () => readRegularFile(path, max)),
  isPrivate: (path) => onDisk(path, async () => ((await lstat(path)).mode & 0o077) === 0),
  write: (path, bytes) => onDisk(path, () => replaceAlike(path, bytes)),
  createPrivate: (path, bytes) => onDisk(path, () => createFile(path, bytes)),
  writePrivate: (path, bytes) => onDisk(path, () => replacePrivate(path, bytes)),
  makePrivateFolder: (path) => onDisk(path, async () => void (await mkdir(path, { recursive: true, mode: 0o700 }))),
  remove: (path) => onDisk(path, () => rm(path)),
  tidy: (path) => removeLeftovers(path).catch(() => {}),
};

/** Whoever asks for no stamp is told of the size alone. */
async function readFile(path: string, max: number): Promise<Uint8Array | TooLarge> {
  const { stamp, bytes } = await readRegularFile(path, max);
  return bytes ?? { size: stamp.size };
}

type Content = Parameters<FilesToWrite["write"]>[1];

/** A script can still be run afterwards, and what only its owner could read stays so. */
async function replaceAlike(path: string, bytes: Content): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (there?.isFile() !== true) return replaceFile(path, bytes, 0o666);
  const mode = there.mode & 0o777;
  await staged(path, bytes, mode, async (ready) => {
    // What the process masks out of new files is not masked out of this one.
    await chmod(ready, mode);
    await rename(ready, path);
  });
}

async function replaceFile(path: string, bytes: Content, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await staged(path, bytes, mode, (ready) => rename(ready, path));
}

async function replacePrivate(path: string, bytes: Content): Promise<void> {
  await replaceFile(path, bytes, 0o600);
  await flushFolder(dirname(path));
}

async function createFile(path: string, bytes: Uint8Array): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    // A link, unlike a rename, never replaces what is there.
    await staged(path, bytes, 0o600, (ready) => link(ready, path));
    await flushFolder(dirname(path));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Invariant 9: a key that words will be signed with must not be gone after a power cut, its words still there. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  // Not every file system can; then there is no more to be done.
  await handle.sync().catch(() => {});
  await handle.close();
}

/** Written and flushed beside its place first: what is there afterwards is whole, also after a power cut. */
async function staged(
  path: string,
  bytes: Content,
  mode: number,
  place: (ready: string) => Promise<void>,
): Promise<void> {
  const ready = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  try {
    const handle = await open(ready, "wx", mode);
    try {
      for await (const part of bytes instanceof Uint8Array ? [bytes] : bytes) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(ready);
  } finally {
    await rm(ready, { force: true });
  }
}

/** Whoever is still at it is younger: writing takes moments. By age, since of a process elsewhere nothing else is known. */
const abandonedAfter = 3_600_000;

async function removeLeftovers(path: string): Promise<void> {
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}.`));
  for (const name of names.filter((each) => /\.\d+-[0-9a-f]{8}\.tmp$/.test(each))) {
    const left = join(dirname(path), name);
    if (Date.now() - (await lstat(left)).mtimeMs > abandonedAfter) await rm(left, { force: true });
  }
}

const diskFolders: Folders = {
  isExecutable: (path) => onDisk(path, async () => ((await lstat(path)).mode & 0o100) !== 0),
  make: (path, files) => onDisk(path, () => makeFolder(path, files)),
  makeTemporary: () => onDisk(tmpdir(), async () => realpath(await mkdtemp(join(tmpdir(), "skillward-")))),
  move: (from, to) => onDisk(from, () => moveFolder(from, to)),
  remove: (path) => onDisk(path, () => rm(path, { recursive: true, force: true })),
};

async function makeFolder(path: string, files: readonly FileToPlace[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // Not recursive: what is there already is not ours to write into, and a link is not followed.
  await mkdir(path);
  for (const { path: inside, bytes, executable } of files) {
    const place = join(path, inside);
    await mkdir(dirname(place), { recursive: true });
    const handle = await open(place, "wx", executable ? 0o777 : 0o666);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await flushFolder(path);
}

async function moveFolder(from: string, to: string): Promise<void> {
  // A rename alone would replace an empty folder.
  const there = await lstat(to).catch(() => undefined);
  if (there !== undefined) throw new AppError("disk.failed", `there is something already: ${safeLine(to, 240)}`);
  await rename(from, to);
  await flushFolder(dirname(to));
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "a symbolic link, or a loop of them",
  ENAMETOOLONG: "the path is too long",
  EMFILE: "too many open files",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};

async function onDisk<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const shown = safeLine(path, 240);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new AppError("path.missing", `no such path: ${shown}`, { cause: error });
    throw new AppError("disk.failed", `${reasons[code] ?? `the disk said ${code}`}: ${shown}`, { cause: error });
  }
}
