/** `skillward/scope`: what an agent may do while it holds skills, and the gate that sees to it. */
import { type LoadedCapabilities, loadCapabilities as loadFrom } from "./features/scopes/load-capabilities.ts";
import { loadWorkspaceFile } from "./app/config/workspace-file.ts";
import { createWorld } from "./app/world/world.ts";
import type { Finding } from "./core/finding.ts";
import type { PrimaryRegistry } from "./scope/registry.ts";

export type { LoadedCapabilities } from "./features/scopes/load-capabilities.ts";
export { AppError, type ErrorCode } from "./core/error.ts";
export type { Finding, Level, Place } from "./core/finding.ts";
export { parsePattern } from "./scope/tools/patterns.ts";
export type { ToolCall, ToolPattern } from "./scope/tools/tools.ts";
export { type AiTools, gateAiTools, type GateAiToolsOptions } from "./scope/adapters/ai-tools.ts";
export {
  type Admission,
  createGate,
  type Denial,
  type Gate,
  type GateOptions,
  ToolDenied,
} from "./scope/adapters/gated.ts";
export type { CallSubject } from "./scope/adapters/gated.ts";
export { gateMcp, type GateMcpOptions, type McpClient } from "./scope/adapters/mcp.ts";
export type { CapabilityDefinition, CapabilitySkill } from "./scope/capability.ts";
export { joinScopes } from "./scope/compose-scope.ts";
export { effectiveList, effectiveTools, type ToolStanding } from "./scope/effective.ts";
export { type CallDecision, type DenialCode, decide, type HostPolicy, type HostWord } from "./scope/gate.ts";
export {
  type CapabilityRegistry,
  createCapabilities,
  type PrimaryRegistry,
  type ScopeError,
  type ScopeErrorCode,
  type Validation,
} from "./scope/registry.ts";
export { renderRules } from "./scope/rules.ts";
export type { Scope, ScopeForbidden, ScopeGroup, ScopeSkill } from "./scope/scope.ts";
export { selectCapabilities } from "./scope/built-ins.ts";

export interface LoadCapabilitiesOptions {
  /** What their ids begin with, so that skills of several folders stay apart: `folder` without it. */
  readonly source?: string;
  /** Another registry to add them to; a new one without it. */
  readonly into?: PrimaryRegistry;
  /** Take contracts along, to be run in the sandbox around `spawn`. Never the bundle's own choice (SC-10). */
  readonly allowContract?: boolean;
}

/** What the `skillward.yaml` of a workspace forbids: for `forbiddenTools` of a spawner. It can only take away (T44). */
export async function loadWorkspace(
  folder: string,
): Promise<{ readonly forbiddenTools: readonly string[]; readonly findings: readonly Finding[] }> {
  const { files } = createWorld();
  const { narrowing, findings } = await loadWorkspaceFile(files, await files.resolve(folder));
  return { forbiddenTools: narrowing.forbiddenTools, findings };
}

/** The skills of a folder as capability skills, each with its `scope.yaml`. Those that cannot be used are named. */
export function loadCapabilities(folder: string, options: LoadCapabilitiesOptions = {}): Promise<LoadedCapabilities> {
  return loadFrom(createWorld(), folder, options);
}
