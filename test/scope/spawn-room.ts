import { expect } from "vitest";
import type { Model, ModelRequest } from "../../src/core/model.ts";
import type { Clock, Timer } from "../../src/core/world.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import type { Spawned, SpawnEvent, SpawnOutcome, SpawnRequest } from "../../src/agent/spawn/spawn.ts";
import type { DeniedUse } from "../../src/agent/loop/caller.ts";
import type { SpawnHost } from "../../src/agent/spawn/spawn-host.ts";
import { createSpawner } from "../../src/agent/spawn/spawner.ts";
import type { Tool, ToolContext, ToolInput } from "../../src/agent/tool.ts";
import type { CapabilityDefinition, Origin } from "../../src/scope/capability.ts";
import { createCapabilities } from "../../src/scope/registry.ts";

/** A stopwatch and its timers that go on when the test says so. */
function handTime(): {
  stopwatch: Clock;
  timer: Timer;
  readonly timers: number;
  advance(milliseconds: number): void;
} {
  let now = 1_000_000;
  const timers = new Set<{ due: number; act: () => void }>();
  return {
    stopwatch: { now: () => now },
    timer: {
      // No time at all is a turn of the event loop, which goes on by itself.
      after: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          if (milliseconds === 0) return void setImmediate(resolve);
          const timer = { due: now + milliseconds, act: resolve };
          timers.add(timer);
          signal?.addEventListener("abort", () => {
            timers.delete(timer);
            reject(new Error("aborted"));
          });
        }),
      // A deadline that does not keep the process alive is none.
      every: () => expect.fail("sub-agents have no use for it"),
    },
    get timers() {
      return timers.size;
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const timer of timers) {
        if (timer.due > now) continue;
        timers.delete(timer);
        timer.act();
      }
    },
  };
}

/** What a model says in one turn: text, or calls by tool and input. */
export interface Said {
  readonly text?: string;
  /** An input that is a text is sent as it is. */
  readonly calls?: readonly (readonly [tool: string, input?: unknown])[];
}

type Turn = Said | ((request: ModelRequest) => Said | Promise<Said>);

export interface ScriptedTurns extends Model {
  readonly requests: ModelRequest[];
}

/** Says one thing after the other, then nothing more. */
export function sayingTurns(...turns: readonly Turn[]): ScriptedTurns {
  const requests: ModelRequest[] = [];
  return {
    requests,
    answer: async (request) => {
      const turn = turns[requests.push(request) - 1] ?? { text: "done" };
      return answerOf(typeof turn === "function" ? await turn(request) : turn);
    },
  };
}

export function answerOf({ text = "", calls = [] }: Said): Awaited<ReturnType<Model["answer"]>> {
  return {
    text,
    finish: "stop",
    tokens: { input: null, output: null },
    calls: calls.map(([tool, input = {}], index) => ({
      id: `c${index}`,
      tool,
      input: typeof input === "string" ? input : JSON.stringify(input),
    })),
  };
}

export function textOf(request: ModelRequest | undefined, role: "system" | "user"): string {
  const content = request?.messages.find((message) => message.role === role)?.content;
  return typeof content === "string" ? content : "";
}

/** What the calls of the turn before were answered with. */
export function toolAnswers(
  request: ModelRequest | undefined,
): readonly { tool: string; content: string; isError: boolean }[] {
  const messages = request?.messages ?? [];
  const asked = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(asked + 1)
    .flatMap((message) =>
      message.role === "tool" ? [{ tool: message.tool, content: message.content, isError: message.isError }] : [],
    );
}

/** What the tools of an agent say of their input; one that has something else there cannot say. */
export const subjects = {
  command: ({ command }: ToolInput) => ({ command: demandText(command) }),
  paths: ({ path }: ToolInput) => ({ paths: [path].flat().map(demandText) }),
};

function demandText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError("no text");
}

export interface Run {
  readonly tool: string;
  readonly input: ToolInput;
  readonly context: ToolContext;
}

/** A primary with tools that count their runs, and everything it was told. */
export class SpawnRoom {
  readonly time = handTime();
  readonly capabilities = createCapabilities();
  readonly tools = new Map<string, Tool>();
  readonly events: SpawnEvent[] = [];
  readonly uses: DeniedUse[] = [];
  readonly runs: Run[] = [];
  models = 0;

  constructor(...tools: readonly string[]) {
    for (const name of tools) this.addTool(name);
  }

  addTool(name: string, parts: Partial<Tool> = {}): void {
    const { run = async () => `${name} ran`, ...others } = parts;
    this.tools.set(name, {
      name,
      description: `the tool ${name}`,
      inputSchema: { type: "object" },
      ...others,
      run: (input, context) => {
        this.runs.push({ tool: name, input, context });
        return run(input, context);
      },
    });
  }

  addSkill(name: string, parts: Partial<CapabilityDefinition> = {}, origin: Partial<Origin> = {}): void {
    const definition = { name, description: "A skill.", allowedTools: "*" as const, executionProtocol: [], ...parts };
    const findings = this.capabilities.register(definition, origin);
    if (this.capabilities.get(name) === undefined) throw new Error(JSON.stringify(findings));
  }

  spawner(model: Model, parts: Partial<SpawnHost> = {}): ReturnType<typeof createSpawner> {
    return createSpawner({
      capabilities: this.capabilities,
      tools: this.tools,
      model: () => {
        this.models++;
        return model;
      },
      clock: { now: () => 1_000_000 },
      stopwatch: this.time.stopwatch,
      timer: this.time.timer,
      random: seededRandomness(),
      onEvent: (event) => this.events.push(event),
      onUsage: (use) => this.uses.push(use),
      ...parts,
    });
  }

  /** From the spawn to its end. */
  async run(model: Model, request: Partial<SpawnRequest> = {}, parts: Partial<SpawnHost> = {}): Promise<SpawnOutcome> {
    return accepted(await this.spawner(model, parts).spawn({ task: "do it", ...request })).done;
  }

  get ran(): string[] {
    return this.runs.map(({ tool }) => tool);
  }

  told(type: SpawnEvent["type"]): SpawnEvent[] {
    return this.events.filter((event) => event.type === type);
  }
}

export function accepted(spawned: Spawned): Extract<Spawned, { status: "accepted" }> {
  if (spawned.status !== "accepted") throw new Error(`${spawned.status}: ${spawned.error}`);
  return spawned;
}
