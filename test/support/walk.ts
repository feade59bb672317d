import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Upstream } from "../../src/testing/upstream/script.ts";
import { startUpstream } from "../../src/testing/upstream/upstream.ts";
import { shownAs, type Step, stepsOf, Terminal } from "./page.ts";

const secrets = { OPENAI_API_KEY: "sk-openai-0123456789abcdef", ANTHROPIC_API_KEY: "sk-ant-0123456789abcdef" };

/** A walk through a page from an empty folder, with two model services that stand for the real ones. */
export async function startWalk(): Promise<Walk> {
  const openai = await startUpstream({ secret: secrets.OPENAI_API_KEY });
  const anthropic = await startUpstream({ secret: secrets.ANTHROPIC_API_KEY });
  for (const upstream of [openai, anthropic]) upstream.always({ text: "Five changes were merged." });
  return new Walk(openai, anthropic);
}

class Walk {
  readonly #room = realpathSync(mkdtempSync(join(tmpdir(), "skillward-walk-")));
  readonly #openai: Upstream;
  readonly #anthropic: Upstream;
  readonly #terminal: Terminal;
  #server: Terminal | undefined;
  #port = "8787";
  /** What was printed and is not shown yet. */
  #printed = "";
  /** What `skw_…` and `inj_…` in a command stand for: what was printed last. */
  readonly #last: Record<string, string> = {};

  constructor(openai: Upstream, anthropic: Upstream) {
    [this.#openai, this.#anthropic] = [openai, anthropic];
    const pairs = [openai, anthropic].map(({ url }) => `    "${new URL(url).host}": "127.0.0.1/32"\n`);
    this.#write(".config/skillward/config.yaml", `network:\n  private:\n${pairs.join("")}`);
    for (const name of ["openai", "@anthropic-ai/sdk"]) this.#install(name);
    this.#terminal = new Terminal(this.#room, secrets);
  }

  /** Does a step; what the page should show for it. For what is typed, that is what it printed before and did not show. */
  async take({ kind, text }: Step): Promise<string> {
    if (kind === "text") return shownAs(this.#asThere(this.#taken()), text);
    if (kind === "http") return shownAs(this.#asThere(rendered(this.#openai)), text);
    const unshown = this.#taken();
    if (kind === "js") this.#write(/^\/\/ (\S+)\n/.exec(text)?.[1] ?? "", this.#asHere(text));
    else if (kind === "sh" && text.startsWith("npx skillward serve")) await this.#serve(text);
    else if (kind === "sh") this.#note(await this.#terminal.type(this.#asHere(text)));
    else if (kind === "key") return unshown + (await this.#stop());
    return unshown;
  }

  /** How many requests each model service got. */
  asked(): { openai: number; anthropic: number } {
    return { openai: this.#openai.requests.length, anthropic: this.#anthropic.requests.length };
  }

  async end(): Promise<void> {
    this.#server?.close();
    this.#terminal.close();
    await Promise.all([this.#openai.close(), this.#anthropic.close()]);
    rmSync(this.#room, { recursive: true, force: true });
  }

  /** At any port that is free, so that nobody is in the way. */
  async #serve(command: string): Promise<void> {
    this.#server = new Terminal(this.#room);
    this.#server.begin(`${command.trimEnd()} --port 0`);
    const printed = await this.#server.until("/#/first/");
    this.#port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1] ?? "";
    this.#note(`${printed}${await this.#server.until("\n")}`);
  }

  /** Nothing when it stopped as it should. */
  async #stop(): Promise<string> {
    const printed = (await this.#server?.interrupt()) ?? "there is no server";
    return /^Stopping: what is under way is finished first\.\n/m.test(printed) ? "" : printed;
  }

  #note(printed: string): void {
    // A block of a page ends its last line, an answer need not.
    this.#printed = printed.replace(/[^\n]$/, "$&\n");
    for (const [id, kind = ""] of printed.matchAll(/\b(skw|inj)_[\w-]{20,}/g)) this.#last[kind] = id;
  }

  #taken(): string {
    const printed = this.#printed;
    this.#printed = "";
    return printed;
  }

  #asHere(text: string): string {
    return text
      .replaceAll("127.0.0.1:8787", `127.0.0.1:${this.#port}`)
      .replaceAll("https://api.openai.com", this.#openai.url)
      .replaceAll("https://api.anthropic.com", this.#anthropic.url)
      .replaceAll(/\b(skw|inj)_…/g, (as, kind: string) => this.#last[kind] ?? as);
  }

  #asThere(text: string): string {
    return text
      .replaceAll(`127.0.0.1:${this.#port}`, "127.0.0.1:8787")
      .replaceAll(this.#openai.url, "https://api.openai.com")
      .replaceAll(this.#anthropic.url, "https://api.anthropic.com")
      .replaceAll(new URL(this.#openai.url).host, "api.openai.com")
      .replaceAll(this.#room, "/home/ada")
      .replaceAll("\r", "");
  }

  #install(name: string): void {
    mkdirSync(dirname(join(this.#room, "node_modules", name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(this.#room, "node_modules", name));
  }

  #write(name: string, text: string): void {
    mkdirSync(dirname(join(this.#room, name)), { recursive: true });
    writeFileSync(join(this.#room, name), text);
  }
}

/** The last request that arrived at a model service, as it came. */
function rendered({ requests }: Upstream): string {
  const { method, path, headers, text } = requests.at(-1) ?? { method: "", path: "", headers: [], text: "" };
  return [`${method} ${path}`, ...headers.map(([name, value]) => `${name}: ${value}`), "", text, ""].join("\n");
}

interface Walking {
  /** Commands that set up the folder first. */
  readonly prepare: string;
  /** Which steps of the page are taken. */
  readonly isTaken: (step: Step) => boolean;
  /** What is printed, without what differs each time. */
  readonly steady?: (printed: string) => string;
}

/** A page with what its commands print now, in place of what it shows. */
export async function walkPage(
  text: string,
  { prepare, isTaken, steady = (printed) => printed }: Walking,
): Promise<string> {
  const walk = await startWalk();
  onTestFinished(() => walk.end());
  await walk.take({ kind: "sh", text: prepare });
  let [again, rest] = ["", text];
  for (const step of stepsOf(text).filter(isTaken)) {
    const shown = steady(await walk.take(step));
    if (step.kind !== "text") expect([step.text, shown]).toEqual([step.text, ""]);
    else {
      const block = `\`\`\`text\n${step.text}`;
      again += `${rest.slice(0, rest.indexOf(block))}\`\`\`text\n${shown}`;
      rest = rest.slice(rest.indexOf(block) + block.length);
    }
  }
  return again + rest;
}
