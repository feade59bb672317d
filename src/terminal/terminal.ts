import type { Timer } from "../core/world.ts";

/** A person's terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly output: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };
  readonly colours: boolean;
  /** Tells the Escape key from the beginning of another one. */
  readonly timer: Pick<Timer, "after">;
  /** All three return how to stop listening. */
  onResize(listener: () => void): () => void;
  /** A signal that asks the process to end. */
  onInterrupt(listener: () => void): () => void;
  /** The process goes on after it was stopped. Whoever had the terminal meanwhile has left it in another way. */
  onContinue(listener: () => void): () => void;
  /** Stops the process, as Ctrl-Z does with any program, and returns when it goes on. Without it Ctrl-Z does nothing. */
  readonly suspend?: (() => void) | undefined;
}

/** Who sits at it, as far as keys and the window go. */
export interface Sitting {
  onChunk(chunk: string): void;
  onResize(): void;
  /** The terminal is ours again: everything on it may be another's. */
  onContinue(): void;
  leave(): void;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export function sizeOf({ output: { columns = 0, rows = 0 } }: Terminal): Size {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}

/** Takes the keyboard; returns how to give it back. A terminal that goes away has left. */
export function takeKeyboard(terminal: Terminal, sitting: Sitting): () => void {
  const { input, output } = terminal;
  const onData = (chunk: string | Buffer) => sitting.onChunk(String(chunk));
  const leave = () => sitting.leave();
  const goOn = () => {
    // It still counts as raw for us, so that asking for it alone would do nothing.
    input.setRawMode?.(false);
    input.setRawMode?.(true);
    sitting.onContinue();
  };
  const stops = [terminal.onResize(() => sitting.onResize()), terminal.onInterrupt(leave), terminal.onContinue(goOn)];
  input.setRawMode?.(true);
  input.setEncoding("utf8");
  for (const event of ["end", "close", "error"]) input.on(event, leave);
  output.on("error", leave);
  input.on("data", onData).resume();
  return () => {
    for (const event of ["end", "close", "error"]) input.off(event, leave);
    output.off("error", leave);
    input.off("data", onData).pause();
    input.setRawMode?.(false);
    for (const stop of stops) stop();
  };
}
