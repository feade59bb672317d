import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { Rule } from "../../src/models/scripted-rules.ts";
import { type Ended, skillwardBeside } from "../support/cli.ts";
import { Pty } from "../support/pty.ts";
import { skillwardWarmBeside } from "../support/warm.ts";

interface Chatting {
  readonly args?: readonly string[];
  /** `echo` without it: it answers with everything that it was sent. */
  readonly model?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface Piped extends Pick<Chatting, "model" | "env"> {
  readonly input?: string;
}

/** A workspace and a home on a real disk, and the built program in them. They do not outlive the test. */
export class ChatPlace {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  #scripts = 0;

  private constructor(folder: string) {
    [this.folder, this.workspace, this.home] = [folder, join(folder, "work"), join(folder, "home")];
  }

  /** `files` of the workspace by their paths in it. */
  static async make(files: Readonly<Record<string, string>> = {}): Promise<ChatPlace> {
    const place = new ChatPlace(await realpath(await mkdtemp(join(tmpdir(), "skillward-chat-"))));
    onTestFinished(() => rm(place.folder, { recursive: true, force: true }));
    await mkdir(place.workspace);
    await mkdir(place.home);
    for (const [path, text] of Object.entries(files)) await place.write(path, text);
    return place;
  }

  /** Into the workspace, unless the path is absolute. Where it is. */
  async write(path: string, text: string): Promise<string> {
    const full = resolve(this.workspace, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
    return full;
  }

  remove(path: string): Promise<void> {
    return rm(resolve(this.workspace, path), { recursive: true });
  }

  /** The name of a model that answers by these rules. It lies outside the workspace. */
  async script(...rules: readonly Rule[]): Promise<string> {
    this.#scripts += 1;
    return `scripted:${await this.write(join(this.folder, `script-${this.#scripts}.json`), JSON.stringify(rules))}`;
  }

  /** At a terminal, once the prompt is there. */
  async chat({ args = [], model = "echo", columns = 160, rows = 50, env = {} }: Chatting = {}): Promise<Chat> {
    const words = [resolve("dist/cli.js"), "chat", "--model", model, ...args];
    const chat = new Chat(process.execPath, words, {
      columns,
      rows,
      cwd: this.workspace,
      env: { HOME: this.home, ...env },
    });
    await chat.ready();
    return chat;
  }

  /** Without a terminal. */
  plain(args: readonly string[], piped: Piped = {}): Promise<Ended> {
    return skillwardWarmBeside(...this.#typed(args, piped));
  }

  /** The same in a process of its own, with its environment and at real pipes. */
  piped(args: readonly string[], piped: Piped = {}): Promise<Ended> {
    return skillwardBeside(...this.#typed(args, piped));
  }

  #typed(args: readonly string[], { model = "echo", input = "", env = {} }: Piped) {
    const options = { cwd: this.workspace, env: { HOME: this.home, ...env }, input };
    return [["chat", "--model", model, ...args], options] as const;
  }
}

/** What `--json` printed, event by event. */
export function eventsIn({ out }: Ended): readonly Record<string, unknown>[] {
  const lines = out.split("\n").filter((line) => line !== "");
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

/** The program at a pseudo-terminal, as a person uses it. */
class Chat extends Pty {
  /** The prompt is there, and nothing is typed. */
  ready(): Promise<void> {
    return this.until((rows) => rows.includes("›"), "an empty prompt");
  }

  /** A line, and whatever comes of it. */
  async say(text: string): Promise<string> {
    await this.enter(text);
    await this.ready();
    return this.answer();
  }

  /** A line; what comes of it is not waited for. */
  async enter(text: string): Promise<void> {
    this.type(text);
    const isTyped = (rows: readonly string[]) => promptOf(rows).startsWith(`› ${text.trimEnd().slice(0, 16)}`);
    await this.until(isTyped, text);
    this.press("Enter");
    await this.until((rows) => !isTyped(rows), `${text}, entered`);
  }

  /** Leaves the chat. A busy machine may show the end at once, below the line that was typed. */
  async exit(): Promise<number> {
    this.type("/exit");
    await this.until((rows) => promptOf(rows) === "› /exit", "/exit");
    this.press("Enter");
    return this.ended;
  }

  /** All that stands between the line that was entered last and the prompt. */
  answer(): string {
    const lines = this.scrollback();
    const end = lines.lastIndexOf("›");
    const start = lines.findLastIndex((line, at) => line.startsWith("› ") && at < end);
    return lines
      .slice(start + 1, end)
      .join("\n")
      .trim();
  }

  /** What Tab makes of a text: the line, and what is offered below it. The line is empty again afterwards. */
  async tab(text: string): Promise<{ readonly line: string; readonly items: readonly string[] }> {
    this.type(text);
    await this.until((rows) => rows.includes(`› ${text}`), text);
    this.press("Tab");
    const before = this.screen().join("\n");
    await this.until((rows) => rows.join("\n") !== before, `what completes ${text}`);
    const rows = this.screen();
    const at = rows.findLastIndex((row) => row.startsWith("› "));
    this.press("Ctrl-C");
    await this.ready();
    const items = rows.slice(at + 1).filter((row) => row !== "");
    return { line: (rows[at] ?? "").slice(2), items: items.map((row) => row.trim()) };
  }

  /** The last row that is not empty. */
  status(): string {
    return this.screen().findLast((row) => row !== "") ?? "";
  }
}

/** Above its status there is the line that is typed, or else what goes on. */
function promptOf(rows: readonly string[]): string {
  return rows.filter((row) => row !== "").at(-2) ?? "";
}

/** The last of the messages that the `echo` model answered with: what the person said, as a model gets it. */
export function lastMessage(answer: string): string {
  return answer.slice(answer.lastIndexOf("[user]\n") + "[user]\n".length);
}

export function skillMd(name: string, description: string, body: string, more = ""): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`;
}
