/** `skillward/agent`: agents and sub-agents that hold skills and never do more than these allow. */
import { withHome } from "./app/agent/home-environment.ts";
import { type AgentOptions, demandOptions } from "./agent-options.ts";
import { openAgent } from "./app/agent/open-agent.ts";
import { readEnvironment } from "./app/config.ts";
import { createContractExecutor } from "./app/sandbox/contract-executor.ts";
import { createWorld } from "./app/world.ts";
import type { PrimaryAgent } from "./use/agent/agent.ts";
import { createSpawner as createFrom, type InProcessSpawner } from "./use/agent/spawn/spawner.ts";
import type { SpawnHost } from "./use/agent/spawn/spawn-host.ts";
import type { Tool } from "./use/agent/tool.ts";
import { type ExecutorOptions, executorTool as executorFrom } from "./use/agent/tools/executor.ts";
import { type SpecKitOptions, specKitTool as specKitFrom } from "./use/agent/tools/spec-kit.ts";

export type { AgentOptions } from "./agent-options.ts";
export { AppError, type ErrorCode } from "./base/error.ts";
export type { Finding, Level, Place } from "./base/finding.ts";
export type { Message, Model, ModelAnswer, ModelRequest, Part, ToolSpec, WantedCall } from "./base/model.ts";
export type { ToolCall } from "./base/tools/tools.ts";
export type { Agent, AgentState, Completion, Completions, PrimaryAgent } from "./use/agent/agent.ts";
export type { AgentEvent, Reply, ReplyRow, SkillUse, TurnEnd } from "./use/agent/agent-event.ts";
export type { AgentLimits, Inject } from "./use/agent/agent-host.ts";
export type { CommandContext, CommandResult, SlashCommand } from "./use/agent/commands/command.ts";
export type { AgentSkill, SkillChange, SkillSet, Standing } from "./use/agent/skills/agent-skill.ts";
export type { Spawned, SpawnEnd, Spawner, SpawnEvent, SpawnOutcome, SpawnRequest } from "./use/agent/spawn/spawn.ts";
export type { CallAsked, DeniedUse, ModelAsker, SpawnLimits } from "./use/agent/spawn/spawn-host.ts";
export type { InProcessSpawner } from "./use/agent/spawn/spawner.ts";
export type { SpawnTool } from "./use/agent/spawn/spawn-tool.ts";
export type { Tool, ToolContext, ToolInput } from "./use/agent/tool.ts";
export { type GivenLanguageModel, givenModel } from "./use/llm/given-model.ts";
export { scriptedModel } from "./use/llm/scripted.ts";
export type { Rule, Script, ScriptedCall, ScriptedFailure } from "./use/llm/scripted-rules.ts";
export type { PredicateKind, PredicateResult, Severity } from "./use/scope/contract/contract.ts";

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
