import type { Digest } from "../core/digest.ts";
import type { ErrorCode } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import type { DenialCode } from "../scope/gate.ts";
import type { SkillChange } from "./skills/agent-skill.ts";
import type { SpawnEvent } from "./spawn/spawn.ts";

/** What the agent itself is called where sub-agents are told apart. */
export const primaryName = "primary";

/** How the turn of a person ended. */
export type TurnEnd = "finished" | "failed" | "cancelled" | "calls";

export type SkillUse = "invoked" | "loaded" | "routed" | "held";

/** Two columns, as a command answers with: what it is called, and what is said of it. */
export interface ReplyRow {
  readonly name: string;
  readonly about: string;
  /** How it is shown; plain without it. */
  readonly tone?: "good" | "warn" | "bad" | "dim";
}

/** What a slash command answers, for any door: each shows it in its own way, and none has to know the command. */
export interface Reply {
  readonly title?: string;
  readonly rows?: readonly ReplyRow[];
  /** Sentences, each a line of its own. */
  readonly notes?: readonly string[];
  /** Longer text that is not ours, such as what a sub-agent said: untrusted. */
  readonly text?: string;
  readonly findings?: readonly Finding[];
  /** The command could not do what was asked: the notes say why. */
  readonly isError?: boolean;
}

/** Everything that happens while an agent works on one line of a person, in order. All text in it is untrusted. */
export type AgentEvent =
  | { readonly type: "turn.started"; readonly message: string; readonly generation: number }
  /** A command's answer; no model was asked for it. */
  | { readonly type: "reply"; readonly command: string; readonly reply: Reply }
  | { readonly type: "skills.changed"; readonly change: SkillChange; readonly why: "asked" | "written" | "watched" }
  /** The agent's own record of what became of a skill: nothing that anybody says can forge it (AG-9). */
  | {
      readonly type: "skill.used";
      readonly use: SkillUse;
      readonly name: string;
      readonly entry: EntryId;
      readonly digest: Digest;
      readonly by: "person" | "model";
    }
  /** Before each call of the model: what it is given (AG-3). */
  | {
      readonly type: "model.asked";
      readonly call: number;
      readonly generation: number;
      readonly tokens: number;
      /** sha256 over everything that stands before the conversation. */
      readonly prompt: Digest;
    }
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "model.answered";
      readonly text: string;
      readonly calls: number;
      readonly tokens: { readonly input: number | null; readonly output: number | null };
    }
  /** A failure of the model is a part of the stream; the conversation goes on from before it (AG-8). */
  | { readonly type: "model.failed"; readonly code: ErrorCode | "unknown"; readonly message: string }
  | {
      readonly type: "tool.started";
      readonly call: string;
      readonly tool: string;
      /** As the model wrote it. */
      readonly input: string;
    }
  | { readonly type: "tool.asked"; readonly call: string; readonly tool: string; readonly why: string }
  | {
      readonly type: "tool.denied";
      readonly call: string;
      readonly tool: string;
      readonly code: DenialCode;
      readonly why: string;
    }
  | {
      readonly type: "tool.ended";
      readonly call: string;
      readonly tool: string;
      readonly content: string;
      readonly isError: boolean;
    }
  | { readonly type: "sub-agent"; readonly event: SpawnEvent }
  /** Older messages gave way to a summary (CO-12). */
  | {
      readonly type: "compacted";
      readonly before: number;
      readonly after: number;
      readonly findings: readonly Finding[];
    }
  | { readonly type: "finding"; readonly finding: Finding }
  /** A new conversation, or one that was resumed. */
  | { readonly type: "conversation"; readonly id: string; readonly is: "new" | "resumed"; readonly messages: number }
  /** Somebody asked to leave. */
  | { readonly type: "leave" }
  | { readonly type: "turn.ended"; readonly end: TurnEnd };
