import { readEnvironment } from "../app/config/config.ts";
import { createWorld } from "../app/world/world.ts";
import type { Timer } from "../core/world.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Output } from "../features/command/output.ts";

/** Somebody sees the screen and has the keys. One that can do nothing but print is no terminal to us. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && !readEnvironment().isDumb;
}

export interface OwnTerminal extends Terminal {
  readonly timer: Timer;
  /** The signal that asked to end, if one did. */
  interruptedBy(): NodeJS.Signals | null;
}

/** The terminal that this process runs at. */
export function ownTerminal({ style }: Output): OwnTerminal {
  const { stdin: input, stdout: output } = process;
  let interruptedBy: NodeJS.Signals | null = null;
  return {
    input,
    output,
    colours: style("bold", "x") !== "x",
    timer: createWorld().timer,
    onResize: (listener) => listen(output, "resize", listener),
    onInterrupt: (listener) => {
      const stops = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) =>
        listen(process, signal, () => {
          interruptedBy = signal;
          listener();
        }),
      );
      return () => stops.forEach((stop) => stop());
    },
    interruptedBy: () => interruptedBy,
    onContinue: (listener) => listen(process, "SIGCONT", listener),
    // All that the shell started with us, as the terminal itself would: nobody in between waits for one that is stopped.
    suspend: process.platform === "win32" ? undefined : () => void process.kill(0, "SIGTSTP"),
  };
}

/** Returns how to stop listening. */
function listen(to: NodeJS.EventEmitter, event: string, listener: () => void): () => void {
  to.on(event, listener);
  return () => void to.off(event, listener);
}
