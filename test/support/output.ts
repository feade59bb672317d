import { PassThrough } from "node:stream";
import type { Output } from "../../src/features/command/output.ts";

/** The terminal of a command that a test runs in its own process: nobody types, nobody watches. */
export function testOutput(parts: Partial<Output> = {}): Output {
  return {
    print: () => {},
    note: () => {},
    isWatched: false,
    progress: () => {},
    style: (_, text) => text,
    debug: false,
    screen: { write: () => {} },
    keyboard: { input: new PassThrough(), output: { write: () => {} } },
    folder: process.cwd(),
    untilInterrupted: (act) => act(new AbortController().signal),
    ...parts,
  };
}
