/** `skillward/agent`: agents and sub-agents that hold skills and never do more than these allow. */
import { withHome } from "./features/agent/agent-places.ts";
import { type AgentOptions, demandOptions } from "./agent-options.ts";
import { openAgent } from "./features/agent/open-agent.ts";
import { readEnvironment } from "./app/config/config.ts";
import { createContractExecutor } from "./scope/sandbox/contract-executor.ts";
import { createWorld } from "./app/world/world.ts";
import type { PrimaryAgent } from "./agent/agent.ts";
import { createSpawner as createFrom, type InProcessSpawner } from "./agent/spawn/spawner.ts";
import type { SpawnHost } from "./agent/spawn/spawn-host.ts";
import type { Tool } from "./agent/tool.ts";
import { type ExecutorOptions, executorTool as executorFrom } from "./agent/tools/executor.ts";
import { type SpecKitOptions, specKitTool as specKitFrom } from "./agent/tools/spec-kit.ts";

export type { AgentOptions } from "./agent-options.ts";
export { AppError } from "./core/error.ts";
export type { ErrorCode } from "./core/error.ts";
export type { Finding, Level, Place } from "./core/finding.ts";
export type { Message, Model, ModelAnswer, ModelRequest, Part, ToolSpec, WantedCall } from "./core/model.ts";
export type { ToolCall } from "./scope/tools/tools.ts";
export type { Agent, AgentState, Completion, Completions, PrimaryAgent } from "./agent/agent.ts";
export type { AgentEvent, Reply, ReplyRow, SkillUse, TurnEnd } from "./agent/agent-event.ts";
export type { AgentLimits, Inject } from "./agent/agent-host.ts";
export type { CommandContext, CommandResult, SlashCommand } from "./agent/commands/command.ts";
export type { AgentSkill, SkillChange, SkillSet, Standing } from "./agent/skills/agent-skill.ts";
export type { Spawned, SpawnEnd, Spawner, SpawnEvent, SpawnOutcome, SpawnRequest } from "./agent/spawn/spawn.ts";
export type { CallAsked, DeniedUse } from "./agent/loop/caller.ts";
export type { ModelAsker, SpawnLimits } from "./agent/spawn/spawn-host.ts";
export type { InProcessSpawner } from "./agent/spawn/spawner.ts";
export type { SpawnTool } from "./agent/spawn/spawn-tool.ts";
export type { Tool, ToolContext, ToolInput } from "./agent/tool.ts";
export type { GivenLanguageModel } from "./models/sdk/given-model.ts";
export { givenModel } from "./models/sdk/given-model.ts";
export { scriptedModel } from "./models/scripted.ts";
export type { Rule, Script, ScriptedCall, ScriptedFailure } from "./models/scripted-rules.ts";
export type { PredicateKind, PredicateResult, Severity } from "./scope/contract/contract.ts";

/**
 * An agent in a folder, with the skills of it (AG-1 to AG-8). Close it when it is no longer needed. Rejects with
 * `usage.invalid` for options that cannot be, a misspelt one among them, and with `record.missing` for a skill to hold
 * that is not there.
 */
export async function createAgent(options: AgentOptions): Promise<PrimaryAgent> {
  demandOptions(options);
  const { model, modelName = "given", home, keep = false, watch = false, ...rest } = options;
  const environment = readEnvironment();
  return openAgent(createWorld(), home === undefined ? environment : withHome(environment, home), {
    ...rest,
    model: { name: modelName, model, parameters: {} },
    keep,
    watch,
  });
}

type FromTheWorld = "clock" | "stopwatch" | "timer" | "random" | "contracts";

/** What the primary is: its skills, its tools, its model, and who is asked and told. */
export interface SpawnerOptions extends Omit<SpawnHost, FromTheWorld> {}

/**
 * The way to start sub-agents in this process (SC-5). Contracts that were opted into at loading run in the sandbox; a
 * set of skills that cannot be used starts nothing.
 */
export function createSpawner(options: SpawnerOptions): InProcessSpawner {
  const world = createWorld();
  const { clock, stopwatch, timer, random } = world;
  return createFrom({ ...options, clock, stopwatch, timer, random, contracts: createContractExecutor(world) });
}

/** `specKit`: turns a task into a specification with acceptance criteria, as a file, through a model (SC-8). */
export function specKitTool(options: Omit<SpecKitOptions, "files" | "clock">): Tool {
  const { files, clock } = createWorld();
  return specKitFrom({ ...options, files, clock });
}

/** `opencode-executor`: runs a program of the host's choice, never a shell (SC-8). */
export function executorTool(options: Omit<ExecutorOptions, "processes">): Tool {
  return executorFrom({ ...options, processes: createWorld().processes });
}
