import type { Finding } from "../core/finding.ts";
import type { Model } from "../core/model.ts";
import type { Clock, Randomness, Timer, Watching } from "../core/world.ts";
import type { ContractExecutor } from "../scope/contract/contract.ts";
import type { Scope } from "../scope/scope.ts";
import type { CompletionExtension, RoutedSkills, SlashCommand } from "./commands/command.ts";
import type { AgentSkill, AgentSkills, SkillRoot } from "./skills/agent-skill.ts";
import type { CallAsked, DeniedUse } from "./loop/caller.ts";
import type { SpawnLimits } from "./spawn/spawn-host.ts";
import type { ConversationStore, SavedConversation } from "./talk/saved.ts";
import type { Tool } from "./tool.ts";

/** How skills stand in the prompt: to choose from, or as whole bodies (AG-3). */
export type Inject = "catalogue" | "bodies";

export interface AgentLimits {
  /** Model calls for one line of a person. */
  readonly calls: number;
  /** Tool calls of one answer. */
  readonly callsAtOnce: number;
  /** That one tool may take. */
  readonly toolMilliseconds: number;
  /** Of what one tool may answer. */
  readonly textBytes: number;
  /** Above it, older messages give way to a summary. */
  readonly historyTokens: number;
}

export const usualAgentLimits: AgentLimits = {
  calls: 50,
  callsAtOnce: 32,
  toolMilliseconds: 900_000,
  textBytes: 262_144,
  historyTokens: 96_000,
};

/** The rules that a project gives its agents (`AGENTS.md`), which are as untrusted as the project (AG-2). */
export interface ProjectRules {
  /** As they are at this moment; the text only when a person has confirmed exactly these bytes. */
  read(): Promise<ReadRules>;
  /** A person's word for the bytes that were read last. */
  confirm(): Promise<void>;
}

export interface ReadRules {
  readonly state: "none" | "confirmed" | "unconfirmed" | "unusable";
  readonly text: string;
  readonly bytes: number;
  readonly note: string;
}

/** Which skill fits a query, of those that may be chosen. */
export type RouteSkills = (query: string, skills: readonly AgentSkill[], signal: AbortSignal) => Promise<RoutedSkills>;

/** What an approved configuration adds to every prompt: the skills that are attached to it, verified now (CO-2). */
export interface AttachedSkills {
  readonly system: string;
  readonly block: string;
  readonly parts: readonly { readonly name: string; readonly place: "user" | "system"; readonly bytes: number }[];
  readonly findings: readonly Finding[];
  /** What these skills come to together, of the very bytes that are in the blocks; null: none of them restricts anything. */
  readonly scope: Scope | null;
  /** Told right before they leave for a model, so that it is written down (CO-7). */
  readonly onSent: () => void;
}

export interface AgentModel {
  /** As it is shown. */
  readonly name: string;
  readonly model: Model;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** Another one, for a sub-agent that asks for it by name; throws for a name that is not known. */
  readonly named?: (name: string) => Promise<Model> | Model;
}

/** What the agent's tools tell it. */
interface ToolHooks {
  /** Right before bytes are written to this real path. */
  readonly onWriting: (path: string) => void;
  /** After a skill was written: says what came of it, for the model (AG-4). */
  readonly onSkillWritten: (path: string) => Promise<string>;
}

/** All that an agent is made of. Whoever makes one says what the world is, where things are kept and who is asked. */
export interface AgentHost {
  /** The real path of the folder it works in. */
  readonly workspace: string;
  readonly skills: AgentSkills;
  /** Another folder with skills. Rejects when it is none. */
  readonly openRoot: (folder: string) => Promise<SkillRoot>;
  readonly model: AgentModel;
  readonly tools: (hooks: ToolHooks) => readonly Tool[];
  /** How the system prompt begins: the host's own words. */
  readonly identity: string;
  readonly rules: ProjectRules | null;
  readonly inject: Inject;
  /** Bytes of skills in a prompt. */
  readonly budget: number;
  /** The composition key (CO-3). */
  readonly key: Uint8Array;
  readonly attached: (() => Promise<AttachedSkills>) | null;
  /** The host's own; what skills allow is within it. */
  readonly scope: Scope | null;
  /** Skills whose scope holds from the beginning, and in every conversation. */
  readonly held: readonly string[];
  /** What the workspace takes away from everybody. */
  readonly forbiddenTools: readonly string[];
  /** What a person agreed to beforehand, as in `allowed-tools`. */
  readonly grants: readonly string[];
  readonly ask: ((asked: CallAsked) => Promise<boolean>) | null;
  readonly contracts: ContractExecutor | null;
  readonly route: RouteSkills;
  /** Null: nothing is kept. */
  readonly conversations: ConversationStore | null;
  readonly newId: () => string;
  /** To go on with, instead of a new one. */
  readonly resumed: SavedConversation | null;
  readonly watching: Watching | null;
  readonly commands: readonly SlashCommand[];
  /** What completes lines, beside the commands and skills (AG-6). */
  readonly completions: readonly CompletionExtension[];
  readonly countTokens: (text: string) => number;
  readonly limits: AgentLimits;
  readonly spawnLimits: Partial<SpawnLimits>;
  readonly onUsage: ((use: DeniedUse) => void) | null;
  /** Told when nothing of the agent goes on any more. */
  readonly onClosed: () => Promise<void>;
  /** What was noticed while it was put together. */
  readonly findings: readonly Finding[];
  readonly clock: Clock;
  readonly stopwatch: Clock;
  readonly timer: Timer;
  readonly random: Randomness;
}
