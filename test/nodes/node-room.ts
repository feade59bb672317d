import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { addApiKey } from "../../src/features/people/flow.ts";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { attach } from "../../src/models/attachments.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { call, type Reply } from "../support/http-serving.ts";
import { connectMcp } from "../support/mcp-home.ts";
import { ada, currentOf, realWorld, say, skillText } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

/** What is asked of every node: its echo shows what the prompt became. */
const question = { model: "house", messages: [{ role: "user", content: "Which one?" }] };

/**
 * One database and what its nodes share: configuration, key file, an admin's key. The skills `writing` and `drawing` are
 * approved and in every prompt of the configuration `house`, which echoes.
 */
export class NodeRoom {
  readonly root = mkdtempSync(join(tmpdir(), "skillward-nodes-"));
  readonly #store: string;
  readonly #program: string;
  key = "";
  /** The store in the hands of this process, as one more node. */
  app!: App;

  /** It goes with the test; the database is its maker's. */
  static async create(store: string, program: string): Promise<NodeRoom> {
    const room = new NodeRoom(store, program);
    onTestFinished(async () => {
      await room.app.close();
      rmSync(room.root, { recursive: true, force: true });
    });
    await room.#prepare();
    return room;
  }

  private constructor(store: string, program: string) {
    [this.#store, this.#program] = [store, program];
  }

  /** Each node has a data folder of its own. */
  variables(name: string): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: join(this.root, name),
      SKILLWARD_KEYS: join(this.root, "keys.json"),
      SKILLWARD_CONFIG: join(this.root, "config.yaml"),
      SKILLWARD_STORE: this.#store,
      USER: name,
    };
  }

  configure(yaml: string): void {
    writeFileSync(join(this.root, "config.yaml"), yaml);
  }

  async open(name: string): Promise<App> {
    return openApp(realWorld, parseEnvironment(this.variables(name)));
  }

  /** Adds a skill to the source, approves and attaches it. */
  async addSkill(name: string, body: string): Promise<void> {
    const folder = join(this.root, "skills", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), skillText(name, body));
    await runSync(this.app.sync, allow(ada), "skills");
    await say(this.app, ada, "approve", `skills:${name}`);
    await attach(permitLlm(this.app, "operate"), "config:house", `skills:${name}`);
  }

  async start(name: string): Promise<RunningNode> {
    const args = [this.#program, "serve", "--port", "0", "--no-demo", "--json"];
    const child = spawn(process.execPath, args, { env: this.variables(name), stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return RunningNode.listening(child, this);
  }

  /** As anybody at the machine would. */
  async run(name: string, args: readonly string[]): Promise<{ code: number | null; out: string }> {
    const child = spawn(process.execPath, [this.#program, ...args], {
      env: this.variables(name),
      stdio: ["ignore", "pipe", "ignore"],
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    const [code] = await once(child, "close");
    return { code, out };
  }

  async #prepare(): Promise<void> {
    this.configure("");
    mkdirSync(join(this.root, "skills"));
    this.app = await this.open("admin");
    await addFolder(this.app.sync, allow(ada), join(this.root, "skills"), { id: "skills", trust: "community" });
    await addProvider(permitLlm(this.app, "administer"), "echo", { protocol: "echo", models: ["*"] });
    await addConfiguration(permitLlm(this.app, "operate"), "house", { provider: "echo", model: "m" });
    await this.addSkill("writing", "Write plainly.\n");
    await this.addSkill("drawing", "Draw boldly.\n");
    this.key = (await addApiKey(this.app, { name: "test", role: "admin" })).text;
  }
}

/** `skillward serve` as people start it, in a process of its own. */
export class RunningNode {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #room: NodeRoom;
  readonly ended: Promise<number | string>;
  #url = "";
  #log = "";

  private constructor(child: ChildProcessByStdio<null, Readable, Readable>, room: NodeRoom) {
    [this.#child, this.#room] = [child, room];
    this.ended = once(child, "exit").then(([code, signal]) => code ?? signal);
    child.stderr.on("data", (chunk: Buffer) => (this.#log += chunk.toString()));
  }

  static async listening(child: ChildProcessByStdio<null, Readable, Readable>, room: NodeRoom): Promise<RunningNode> {
    const node = new RunningNode(child, room);
    let printed = "";
    while (node.#url === "") {
      const [chunk] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      if (child.exitCode !== null)
        throw new Error(`it has ended with ${child.exitCode}\n${printed}${String(chunk)}${node.#log}`);
      printed += String(chunk);
      node.#url = /"url": "([^"]+)"/.exec(printed)?.[1] ?? "";
    }
    return node;
  }

  /** Its log so far. */
  get log(): string {
    return this.#log;
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  call(path: string, asked: Parameters<typeof call>[2] = {}): Promise<Reply> {
    return call({ port: this.port }, path, { key: this.#room.key, ...asked });
  }

  /** Through the gateway. */
  ask(): Promise<Reply> {
    return this.call("/v1/chat/completions", { json: question });
  }

  /** What the prompt became. */
  async prompt(): Promise<string> {
    const { status, text, json } = await this.ask();
    if (status !== 200) throw new Error(`it was answered with ${status}: ${text}`);
    return json().choices[0].message.content;
  }

  /** The same through the API. */
  async apiPrompt(): Promise<string> {
    const { status, text, json } = await this.call("/api/complete", {
      json: { configuration: "house", prompt: "Which one?" },
    });
    if (status !== 200) throw new Error(`it was answered with ${status}: ${text}`);
    return json().text;
  }

  /** A session of an official client, and what its `load_skill` answers. */
  async mcpLoader(): Promise<(skill: string) => Promise<string>> {
    const client = await connectMcp(this.#url, this.#room.key);
    onTestFinished(() => client.close());
    return async (skill) => {
      const { content } = await client.callTool({ name: "load_skill", arguments: { skill } });
      return JSON.stringify(content);
    };
  }

  /** By the API of this node, on what is current. */
  async say(word: "approve" | "disable", entry: string): Promise<Reply> {
    const digest = await currentOf(this.#room.app, entry);
    return this.call(`/api/review/${encodeURIComponent(entry)}`, { json: { act: word, digest, note: "looked at it" } });
  }

  ready(): Promise<Reply> {
    return this.call("/readyz");
  }

  async figures(): Promise<Record<string, number>> {
    const { text } = await this.call("/metrics");
    const found = [...text.matchAll(/^skillward_(\w+) ([\d.e+-]+)$/gm)];
    return Object.fromEntries(found.map(([, name = "", value]) => [name, Number(value)]));
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its code, or the signal that ended it. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    this.kill(signal);
    return this.ended;
  }
}
