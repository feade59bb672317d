import { styleText } from "node:util";
import { type Environment, readEnvironment } from "../../app/config.ts";

type Style = Parameters<typeof styleText>[0];

/** Where a command prints: results to standard output, everything about them to standard error. */
export interface Output {
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** Whether somebody sees standard error while it is written. */
  readonly isWatched: boolean;
  /** One line that is overwritten by the next; nothing when nobody watches. */
  readonly progress: (text: string) => void;
  readonly style: (style: Style, text: string) => string;
  readonly debug: boolean;
}

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
  };
}
