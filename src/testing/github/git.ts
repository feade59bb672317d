import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { createSemaphore } from "../../core/async.ts";

/** The real `git`, without anybody's configuration, hooks or clock. */
export interface Git {
  /** What it printed; rejects with what it said when it fails. */
  run(args: readonly string[], input?: Uint8Array): Promise<Buffer>;
  /** Resolves when nothing runs any more; after that nothing will. */
  close(): Promise<void>;
}

const atOnce = 4;

/** PATH is all that is taken over: git may be anywhere on it. */
const shell = `exec env -i PATH="$PATH" HOME="$1" LC_ALL=C TZ=UTC GIT_TERMINAL_PROMPT=0 \
GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 sh -s`;

/**
 * Starts git from one small shell: a large process, as a test run is, takes long to start another one. Input and
 * output go through files in `home`, which is also where git would look for a user's own.
 */
export async function openGit(home: string): Promise<Git> {
  const inTurn = createSemaphore(atOnce);
  const running = new Set<Promise<unknown>>();
  const ask = createShell(spawn("sh", ["-c", shell, "sh", home], { cwd: home, stdio: ["pipe", "pipe", "ignore"] }));
  let [last, isClosed] = [0, false];
  const run = async (args: readonly string[], input?: Uint8Array): Promise<Buffer> => {
    if (isClosed) throw new Error(`git ${args.join(" ")} was not run: the fake is closed`);
    const file = join(home, `run-${(last += 1)}`);
    const from = input === undefined ? "/dev/null" : `${file}.in`;
    if (input !== undefined) await writeFile(from, input);
    const words = ["git", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", ...args].map(quoted).join(" ");
    const code = await ask(`${words} <${quoted(from)} >${quoted(`${file}.out`)} 2>${quoted(`${file}.err`)}`);
    const [out, err] = [await readFile(`${file}.out`), await readFile(`${file}.err`, "utf8")];
    await Promise.all(["in", "out", "err"].map((end) => rm(`${file}.${end}`, { force: true })));
    if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${err.trim()}`);
    return out;
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    while (running.size > 0) await Promise.allSettled(running);
    await ask.close();
  };
  const git: Git = {
    run(args, input) {
      const output = inTurn(() => run(args, input));
      const forget = (): void => void running.delete(output);
      running.add(output);
      output.then(forget, forget);
      return output;
    },
    close,
  };
  await git.run(["--version"]).catch(async (error: unknown) => {
    await close();
    throw new Error("a fake GitHub needs the program git: install it, or put it on the PATH", { cause: error });
  });
  return git;
}

function quoted(word: string): string {
  if (word.includes("\0")) throw new Error("no word of a command holds a zero");
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

interface Shell {
  /** The exit code of a command; many can run at once. */
  (command: string): Promise<number>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (code: number) => void;
  readonly reject: (error: Error) => void;
}

function createShell(child: ChildProcessByStdio<Writable, Readable, null>): Shell {
  const waiting = new Map<string, Waiting>();
  let [last, text, isEnded] = [0, "", false];
  child.stdout.on("data", (part: Buffer) => {
    const lines = (text + part.toString()).split("\n");
    text = lines.pop() ?? "";
    for (const [number = "", code] of lines.map((line) => line.split(" "))) {
      waiting.get(number)?.resolve(Number(code));
      waiting.delete(number);
    }
  });
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      isEnded = true;
      for (const { reject } of waiting.values()) reject(new Error("git cannot be run: there is no shell any more"));
      resolve();
    };
    child.once("error", end).once("close", end);
  });
  child.stdin.on("error", () => {});
  const ask = (command: string): Promise<number> =>
    new Promise((resolve, reject) => {
      if (isEnded) return reject(new Error("git cannot be run: there is no shell"));
      const number = String((last += 1));
      waiting.set(number, { resolve, reject });
      child.stdin.write(`{ ${command}; echo "${number} $?"; } &\n`);
    });
  const close = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  return Object.assign(ask, { close });
}

/** Makes each thing once, also when many ask for it at the same time. What failed is tried again. */
export function remembering<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (key) => {
    const known = made.get(key);
    if (known) return known;
    const making = make(key);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}
