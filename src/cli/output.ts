import { styleText } from "node:util";
import { type Environment, readEnvironment } from "../app/config/config.ts";
import type { Output } from "../features/command/output.ts";

export function createOutput(environment: Environment = readEnvironment()): Output {
  const { stdout, stderr } = process;
  // A reader that has seen enough (`| head`) is not an error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  const colours = environment.colour === "auto" ? stdout.isTTY : environment.colour === "always";
  return {
    print: (text) => stdout.write(`${text}\n`),
    note: (text) => stderr.write(`${text}\n`),
    isWatched: stderr.isTTY,
    progress: (text) => (stderr.isTTY ? stderr.write(`\r\u001b[K${text}`) : false),
    style: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
    debug: environment.debug,
    screen: stdout,
    // Standard input is opened by the command that reads it.
    get keyboard() {
      return { input: process.stdin, output: stderr };
    },
    get folder() {
      return process.cwd();
    },
    untilInterrupted,
  };
}

async function untilInterrupted<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop);
  try {
    return await act(stopping.signal);
  } finally {
    process.off("SIGINT", stop);
    if (stopping.signal.aborted) process.kill(process.pid, "SIGINT");
  }
}
