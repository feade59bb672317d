import { type ChildProcessByStdio, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";

/** What a page of the documentation says to do, in its order: fenced blocks, and keys that are pressed. */
export interface Step {
  /** `sh`, `text`, `js` …; `key` for what is pressed. */
  readonly kind: string;
  readonly text: string;
}

const fenceOrKey = /^```(\w*)\n([\s\S]*?)^```$|\b(Ctrl-C)\b/gm;

export function stepsOf(page: string): Step[] {
  return [...page.matchAll(fenceOrKey)].map(([, language = "", text = "", key]) =>
    key === undefined ? { kind: language, text } : { kind: "key", text: key },
  );
}

/** All blocks of one language. */
export function fenced(page: string, language: string): string[] {
  return stepsOf(page).flatMap(({ kind, text }) => (kind === language ? [text] : []));
}

/** What stands below a heading of the second level. */
export function sectionOf(page: string, heading: string): string {
  const [, section = ""] = page.split(`## ${heading}\n`);
  return section.split(/^## /m)[0] ?? "";
}

/**
 * `printed` as a page shows it, when it does: there `…` stands for something that differs each time or was left out, at
 * most the rest of a line; on a line of its own, for any lines. What is not as shown stays, so that a comparison names it.
 */
export function shownAs(printed: string, shown: string): string {
  const real = printed.split("\n");
  const lines = shown.split("\n").flatMap((line, at, all) => {
    if (line.trim() !== "…") return fits(line, real[0] ?? "") ? [takeAs(line, real)] : real.splice(0, 1);
    const next = all[at + 1] ?? "";
    const more = real.findIndex((each) => fits(next, each));
    real.splice(0, more === -1 ? real.length : more);
    return [line];
  });
  return [...lines, ...real].join("\n");
}

function takeAs(line: string, real: string[]): string {
  real.shift();
  return line;
}

function fits(line: string, real: string): boolean {
  const parts = line.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`).test(real);
}

const bin = resolve("dist/cli.js");

/** `npx skillward` without npm, and `curl` where there is none. */
const commands = `
npx() { shift; "${process.execPath}" "${bin}" "$@"; }
command -v curl > /dev/null || curl() { "${process.execPath}" "${resolve("test/support/curl.child.mjs")}" "$@"; }
`;

/** A shell in a folder that is also the home of whoever types. Variables stay from one block to the next. */
export class Terminal {
  readonly #shell: ChildProcessByStdio<Writable, Readable, null>;
  readonly #folder: string;
  #said = "";

  constructor(folder: string, env: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, USER: "ada", ...env };
    this.#shell = spawn("bash", [], { cwd: folder, env: environment, stdio: ["pipe", "pipe", "ignore"] });
    this.#shell.stdout.setEncoding("utf8").on("data", (chunk: string) => (this.#said += chunk));
    this.#shell.stdin.write(`exec 2>&1\n${commands}`);
  }

  /** What a block prints, both streams as they come. */
  async type(block: string): Promise<string> {
    const script = join(this.#folder, ".typed");
    writeFileSync(script, block);
    this.#shell.stdin.write(`. "${script}" < /dev/null; printf '\\036'\n`);
    const printed = await this.until("\u{1e}");
    return printed.slice(0, -1);
  }

  /** Lets something run in it, as long as it likes. */
  begin(command: string): void {
    this.#shell.stdin.write(`npx() { shift; exec "${process.execPath}" "${bin}" "$@"; }\n${command}\n`);
  }

  /** Everything up to the end of a text; the rest is for the next who asks. */
  async until(text: string): Promise<string> {
    while (!this.#said.includes(text)) await this.#more();
    const end = this.#said.indexOf(text) + text.length;
    const printed = this.#said.slice(0, end);
    this.#said = this.#said.slice(end);
    return printed;
  }

  /** Presses Ctrl-C; what is printed until it has ended. */
  async interrupt(): Promise<string> {
    const ended = new Promise((done) => this.#shell.once("close", done));
    this.#shell.kill("SIGINT");
    await ended;
    return this.#said;
  }

  /** What runs in it is asked to end. */
  close(): void {
    this.#shell.kill("SIGTERM");
  }

  #more(): Promise<void> {
    return new Promise((done, failed) => {
      const ended = () => failed(new Error(`the shell ended; it had printed:\n${this.#said}`));
      this.#shell.once("close", ended);
      this.#shell.stdout.once("data", () => {
        this.#shell.off("close", ended);
        done();
      });
    });
  }
}
