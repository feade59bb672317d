import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { withHome } from "../../src/features/agent/agent-places.ts";
import { type AgentOptions, openAgent } from "../../src/features/agent/open-agent.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { createWorld, type World } from "../../src/app/world/world.ts";
import type { Message, ToolSpec } from "../../src/core/model.ts";
import type { AgentEvent } from "../../src/agent/agent-event.ts";
import type { AgentCore } from "../../src/agent/core.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Rule } from "../../src/models/scripted-rules.ts";

/** What the model was given in one call, byte by byte. */
export interface Asked {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

/** A workspace and a home on a real disk, and a scripted model that writes down what it is asked. */
export class AgentRoom {
  readonly workspace: string;
  readonly home: string;
  readonly asked: Asked[] = [];
  readonly #agents: AgentCore[] = [];

  private constructor(workspace: string, home: string) {
    this.workspace = workspace;
    this.home = home;
  }

  static async make(files: Readonly<Record<string, string>> = {}): Promise<AgentRoom> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "skillward-agent-")));
    const room = new AgentRoom(join(folder, "work"), join(folder, "home"));
    await mkdir(room.workspace, { recursive: true });
    await mkdir(room.home, { recursive: true });
    for (const [path, content] of Object.entries(files)) await room.write(path, content);
    return room;
  }

  write(path: string, content: string): Promise<void> {
    return this.writeAt(join(this.workspace, path), content);
  }

  async writeAt(full: string, content: string): Promise<void> {
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content);
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.workspace, path), { recursive: true });
  }

  async open(
    rules: readonly Rule[],
    options: Partial<AgentOptions> = {},
    world: World = createWorld(),
  ): Promise<AgentCore> {
    const model = scriptedModel(
      { rules },
      { onRequest: ({ messages, tools }) => void this.asked.push({ messages, tools: tools ?? [] }) },
    );
    const agent = await openAgent(world, withHome(parseEnvironment(process.env), this.home), {
      folder: this.workspace,
      model: { name: "scripted", model, parameters: {} },
      watch: false,
      ...options,
    });
    this.#agents.push(agent);
    return agent;
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) await agent.close();
    await rm(dirname(this.workspace), { recursive: true, force: true });
  }

  systemOf(call: number): string {
    return this.#texts(call, "system").join("\n");
  }

  usersOf(call: number): readonly string[] {
    return this.#texts(call, "user");
  }

  /** Everything that the model was told in one call, as text. */
  allOf(call: number): string {
    return JSON.stringify(this.asked.at(call));
  }

  #texts(call: number, role: Message["role"]): readonly string[] {
    const messages = this.asked.at(call)?.messages ?? [];
    return messages
      .filter((message) => message.role === role)
      .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
  }
}

/** One that lasts as long as the test. */
export async function roomWith(files: Readonly<Record<string, string>> = {}): Promise<AgentRoom> {
  const room = await AgentRoom.make(files);
  onTestFinished(() => room.close());
  return room;
}

export async function eventsOf(agent: AgentCore, line: string, signal?: AbortSignal): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.say(line, signal === undefined ? {} : { signal })) events.push(event);
  return events;
}

export function typed<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): readonly Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

/** What a command answered, as lines. */
export function replyOf(events: readonly AgentEvent[]): string {
  return typed(events, "reply")
    .map(({ reply: { title = "", rows = [], notes = [], text = "" } }) =>
      [title, ...rows.map(({ name, about }) => `${name}  ${about}`), ...notes, text]
        .filter((line) => line !== "")
        .join("\n"),
    )
    .join("\n");
}

export function skillMd(name: string, description: string, body: string, more = ""): string {
  return `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`;
}
