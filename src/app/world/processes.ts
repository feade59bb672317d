import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { longestWait, type ProcessEnd, type Processes, type ProcessOptions, type Timer } from "../../core/world.ts";
import { childEnvironment } from "../config/config.ts";

/** How long whoever is asked to end may take, before they are made to. */
const grace = 2000;
/** How long outputs may stay open once the program is gone: somebody it started may hold them for ever. */
const lastWords = 500;

/**
 * Programs in process groups of their own, so that they end together. A program that leaves its group (a daemon that
 * starts a session) is not held: that takes a container.
 */
export function createProcesses(timer: Timer): Processes {
  return { run: (argv, options) => run(timer, argv, options) };
}

async function run(timer: Timer, argv: readonly string[], options: ProcessOptions): Promise<ProcessEnd> {
  demandVector(argv);
  demandBounds(options);
  if (options.signal?.aborted === true) return neverStarted;
  const child = start(argv, options.folder);
  const [output, errors] = [keep(child.stdout, options.outputBytes), keep(child.stderr, options.outputBytes)];
  const watch = watchOver(child, timer, options);
  try {
    const code = await exitOf(child, argv, watch.lost).finally(watch.stop);
    await lastWordsOf(child, timer);
    return endOf(watch.ended() === "by itself" ? code : null, watch.ended(), output(), errors());
  } finally {
    letGo(child);
  }
}

const neverStarted: ProcessEnd = { code: null, output: "", errors: "", isCut: false, ended: "cancelled" };

function demandVector([program, ...rest]: readonly string[]): void {
  if (program === undefined || program === "")
    throw new AppError("usage.invalid", "there is no program to run; name one as the first argument");
  if ([program, ...rest].some((word) => word.includes("\0")))
    throw new AppError("usage.invalid", `an argument of ${safeLine(program)} has a NUL character; leave it out`);
}

function demandBounds({ folder, milliseconds, outputBytes }: ProcessOptions): void {
  if (!folder.startsWith("/") || folder.includes("\0"))
    throw new AppError("usage.invalid", `a program runs in an absolute folder, not in ${safeLine(folder, 240)}`);
  if (!(milliseconds > 0) || !(outputBytes >= 0))
    throw new AppError("usage.invalid", "a program needs a time limit above 0 and a bound on its output");
}

type Child = ChildProcessWithoutNullStreams;

function start([program = "", ...rest]: readonly string[], cwd: string): Child {
  try {
    const child = spawn(program, rest, { cwd, env: childEnvironment(), shell: false, detached: true, stdio: "pipe" });
    // What goes wrong at the start is waited for elsewhere; later there is nothing to be done about it.
    child.on("error", () => {});
    if (child.pid !== undefined) note(child.pid);
    return child;
  } catch (error) {
    throw startFault(program, error);
  }
}

async function exitOf(child: Child, [program = ""]: readonly string[], lost: AbortSignal): Promise<number | null> {
  try {
    const [code]: unknown[] = await once(child, "exit", { signal: lost });
    return typeof code === "number" ? code : null;
  } catch (error) {
    if (lost.aborted) return null;
    throw startFault(program, error);
  }
}

function startFault(program: string, cause: unknown): AppError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const what = `cannot start ${safeLine(program)}`;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new AppError("path.missing", `${what}: there is no such program, or no such folder to run it in`, { cause });
  if (code === "E2BIG") return new AppError("usage.invalid", `${what}: its arguments are too long`, { cause });
  const why = code === "EACCES" || code === "EPERM" ? "permission denied" : `the system said ${safeLine(code, 40)}`;
  return new AppError("disk.failed", `${what}: ${why}`, { cause });
}

interface Kept {
  readonly text: string;
  readonly isCut: boolean;
}

/** Reads all there is, so that nobody waits for a reader, and keeps the head of it. */
function keep(stream: Readable, most: number): () => Kept {
  const parts: Uint8Array[] = [];
  let [length, isCut] = [0, false];
  stream.on("error", () => {});
  stream.on("data", (part: Uint8Array) => {
    const kept = part.subarray(0, most - length);
    isCut ||= kept.length < part.length;
    if (kept.length > 0) parts.push(kept);
    length += kept.length;
  });
  // As the middle of a stream, a character that was cut in two is left out.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return () => ({ text: decoder.decode(Buffer.concat(parts), { stream: isCut }), isCut });
}

function endOf(code: number | null, ended: ProcessEnd["ended"], output: Kept, errors: Kept): ProcessEnd {
  return { code, output: output.text, errors: errors.text, isCut: output.isCut || errors.isCut, ended };
}

interface Watch {
  readonly ended: () => ProcessEnd["ended"];
  /** When not even killing helps, as with a program that runs as somebody else: nobody waits for it any more. */
  readonly lost: AbortSignal;
  readonly stop: () => void;
}

/** Hands over the input, and sees to it that the program ends in time or when it is told to. */
function watchOver(child: Child, timer: Timer, { milliseconds, input, signal }: ProcessOptions): Watch {
  let ended: ProcessEnd["ended"] = "by itself";
  const lost = new AbortController();
  const timers = [after(timer, milliseconds, () => end("timeout"))];
  const cancel = () => end("cancelled");
  function end(why: ProcessEnd["ended"]): void {
    if (ended !== "by itself") return;
    ended = why;
    signalGroup(child.pid, "SIGTERM");
    timers.push(after(timer, grace, () => signalGroup(child.pid, "SIGKILL")));
    timers.push(after(timer, 2 * grace, () => lost.abort()));
  }
  signal?.addEventListener("abort", cancel);
  // It need not read what it is given.
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  return {
    ended: () => ended,
    lost: lost.signal,
    stop: () => {
      signal?.removeEventListener("abort", cancel);
      for (const each of timers) each.stop();
    },
  };
}

/** What it wrote before it went may still be on its way. */
async function lastWordsOf(child: Child, timer: Timer): Promise<void> {
  if (await isClosedWithin(lastWords, child, timer)) return;
  signalGroup(child.pid, "SIGKILL");
  await isClosedWithin(lastWords, child, timer);
}

function isClosedWithin(milliseconds: number, child: Child, timer: Timer): Promise<boolean> {
  const outputs = [child.stdout, child.stderr];
  return new Promise((resolve) => {
    const waiting = after(timer, milliseconds, () => resolve(false));
    const look = () => {
      if (!outputs.every(({ closed }) => closed)) return;
      waiting.stop();
      resolve(true);
    };
    for (const output of outputs) output.once("close", look);
    look();
  });
}

function after(timer: Timer, milliseconds: number, act: () => void): { stop(): void } {
  const waiting = timer.every(Math.min(milliseconds, longestWait), () => {
    waiting.stop();
    act();
  });
  return waiting;
}

/** Whatever became of it: nothing of it runs on, and nothing of it keeps this process. */
function letGo(child: Child): void {
  signalGroup(child.pid, "SIGKILL");
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  child.unref();
  if (child.pid !== undefined) forget(child.pid);
}

function signalGroup(group: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  // Without a number it never started; and 0 would be our own group.
  if (group === undefined || group === 0) return;
  try {
    process.kill(-group, signal);
  } catch {
    // All of them are gone, or belong to somebody else: either way there is no more to be done.
  }
}

/** What runs now: should this process end meanwhile, they do not outlive it. */
const running = new Set<number>();

/** What ends a process without an `exit`. Programs are in groups of their own: a terminal's Ctrl+C does not reach them. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let isListening = false;

function note(group: number): void {
  running.add(group);
  listen();
}

function forget(group: number): void {
  running.delete(group);
  if (running.size === 0) stopListening();
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.on("exit", endAll);
  // First of all: a listener that hears only once would be gone when we look whether anybody else listens.
  for (const signal of endings) process.prependListener(signal, endBy);
}

function stopListening(): void {
  isListening = false;
  process.off("exit", endAll);
  for (const signal of endings) process.off(signal, endBy);
}

function endAll(): void {
  for (const group of running) signalGroup(group, "SIGKILL");
}

/** A signal that we listen to no longer ends this process by itself: unless somebody else sees to it, it is sent again. */
function endBy(signal: NodeJS.Signals): void {
  endAll();
  stopListening();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
