import type { Commands } from "../../src/agent/commands/registry.ts";

/** Runs lines that nobody cancels, unless a signal is given. */
export function lineRunner({ run }: Commands) {
  return (
    context: Parameters<Commands["run"]>[0],
    line: string,
    signal: AbortSignal = new AbortController().signal,
  ): ReturnType<Commands["run"]> => run(context, line, signal);
}
