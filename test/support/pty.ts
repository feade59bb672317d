import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";

/** How long a machine takes is nobody's fault. */
const patience = 30_000;

const keys = {
  Enter: "\r",
  Tab: "\t",
  "Shift-Tab": "\u001b[Z",
  Escape: "\u001b",
  "Alt-Enter": "\u001b\r",
  Up: "\u001b[A",
  Down: "\u001b[B",
  Right: "\u001b[C",
  Left: "\u001b[D",
  Home: "\u001b[H",
  End: "\u001b[F",
  Backspace: "\u007f",
  Delete: "\u001b[3~",
  "Ctrl-A": "\u0001",
  "Ctrl-C": "\u0003",
  "Ctrl-D": "\u0004",
  "Ctrl-K": "\u000b",
  "Ctrl-L": "\u000c",
  "Ctrl-U": "\u0015",
  "Ctrl-W": "\u0017",
  "Ctrl-Z": "\u001a",
} as const;

export interface PtyOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** All of it: nothing of this process goes along. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A program at a real pseudo-terminal, with a real screen on the other side of it. It does not outlive the test. */
export class Pty {
  readonly #pty: ReturnType<typeof spawn>;
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  readonly #watchers = new Set<() => void>();
  #raw = "";
  /** How it ended: its code, or for a signal what a shell makes of it. */
  readonly ended: Promise<number>;

  constructor(program: string, args: readonly string[], options: PtyOptions = {}) {
    const { columns = 80, rows = 24, env = {}, cwd = process.cwd() } = options;
    this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    const usual = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LANG: "C.UTF-8" };
    this.#pty = spawn(program, [...args], { cols: columns, rows, cwd, env: { ...usual, ...env } });
    this.#pty.onData((data) => {
      this.#raw += data;
      this.#screen.write(data, () => this.#watchers.forEach((look) => look()));
    });
    // What the screen is asked, it answers, such as where the cursor is.
    this.#screen.onData((answer) => this.#pty.write(answer));
    let isOver = false;
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal = 0 }) => {
        isOver = true;
        // When all that it printed is on the screen.
        this.#screen.write("", () => resolve(signal === 0 ? exitCode : 128 + signal));
      });
    });
    onTestFinished(async () => {
      if (!isOver) this.#pty.kill("SIGKILL");
      await this.ended;
      this.#screen.dispose();
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  press(...names: readonly (keyof typeof keys)[]): void {
    for (const name of names) this.#pty.write(keys[name]);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** The rows of the window. */
  screen(): string[] {
    const { baseY } = this.#screen.buffer.active;
    return this.#lines().slice(baseY, baseY + this.#screen.rows);
  }

  /** All that can be scrolled back to, and the window. */
  scrollback(): string[] {
    return this.#lines();
  }

  /** Every character that the program wrote. */
  raw(): string {
    return this.#raw;
  }

  cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#screen.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  /** Waits until the window shows a text, or is as it should be; what it shows instead is told. */
  async until(wanted: string | ((lines: readonly string[]) => boolean), message = String(wanted)): Promise<void> {
    const holds = () =>
      typeof wanted === "string" ? this.screen().join("\n").includes(wanted) : wanted(this.screen());
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        clearTimeout(deadline);
        this.#watchers.delete(look);
      };
      const look = () => {
        if (!holds()) return;
        stop();
        resolve();
      };
      const deadline = setTimeout(() => {
        stop();
        reject(new Error(`not seen: ${message}\n${this.screen().join("\n")}`));
      }, patience);
      this.#watchers.add(look);
    });
  }

  send(signal: NodeJS.Signals): void {
    this.#pty.kill(signal);
  }

  /** Ends the program. */
  async close(): Promise<void> {
    this.#pty.kill();
    await this.ended;
  }

  #lines(): string[] {
    const { active } = this.#screen.buffer;
    return Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? "",
    );
  }
}
