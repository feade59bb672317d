import type { Plain } from "../core/canonical.ts";
import type { ToolCall } from "../scope/tools/tools.ts";
import type { HostWord } from "../scope/gate.ts";
import type { CapabilityRegistry } from "../scope/registry.ts";
import type { Scope } from "../scope/scope.ts";

/** What a model gave a tool: read once, frozen all through. Nobody has held it against the tool's schema. */
export interface ToolInput {
  readonly [key: string]: Plain | undefined;
}

/** What a tool gets beside its input. */
export interface ToolContext {
  /** Of the session that calls it. */
  readonly id: string;
  /** A command that a pattern let through: run exactly this, without a shell (SC-7). Null: as the tool does. */
  readonly argv: readonly string[] | null;
  /** The primary's registry, to read: a write is `scope.readonly` (SC-2). */
  readonly capabilities: CapabilityRegistry;
  readonly signal: AbortSignal;
}

/** A tool that an agent can call. What it throws is told to the model as the call's error. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: { readonly [key: string]: unknown };
  /** What of the input the gate judges: the command, the paths. A tool without it has neither. */
  readonly subject?: (input: ToolInput) => Pick<ToolCall, "command" | "paths">;
  /** What the host says before any scope; `allow` without it. */
  readonly policy?: (call: ToolCall, scope: Scope | null) => HostWord;
  readonly run: (input: ToolInput, context: ToolContext) => Promise<string>;
}
