import type { Readable } from "node:stream";
import type { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** A stream of text; `isTTY` when a person's terminal reads it. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Where secrets and answers come from: a terminal, or what is piped in. Questions go to standard error. */
export interface Keyboard {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly output: { write(text: string): unknown };
}

/** The terminal a command runs at: results go to standard output, everything about them to standard error. */
export interface Output {
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** Whether somebody sees standard error while it is written. */
  readonly isWatched: boolean;
  /** One line that is overwritten by the next; nothing when nobody watches. */
  readonly progress: (text: string) => void;
  readonly style: (style: Style, text: string) => string;
  readonly debug: boolean;
  /** Standard output itself, for texts that are printed to the letter. */
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  /** The folder in which the command was typed. */
  readonly folder: string;
  /**
   * Does something that Ctrl-C ends: what is under way is stopped and tidied up first, then the process ends by the
   * signal as if nobody had caught it, so that a shell knows. A second Ctrl-C does not wait.
   */
  readonly untilInterrupted: <Result>(act: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
}
