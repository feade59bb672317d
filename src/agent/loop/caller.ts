import { tell } from "../../core/async.ts";
import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import type { Clock } from "../../core/world.ts";
import type { DenialCode } from "../../scope/gate.ts";
import type { CapabilityRegistry } from "../../scope/registry.ts";
import type { Scope, ScopeSkill } from "../../scope/scope.ts";
import type { ToolPattern } from "../../scope/tools/tools.ts";
import type { Tool, ToolInput } from "../tool.ts";
import type { Lifetime } from "./lifetime.ts";

/** A call that needs a person's word. The input is the model's. */
export interface CallAsked {
  /** Of the session. */
  readonly id: string;
  readonly tool: string;
  readonly input: ToolInput;
  readonly why: string;
  /** No earlier yes stands for this one: a protected path (AG-7). */
  readonly everyTime?: boolean;
  /** Ends with the session: from then on nobody waits for the word. */
  readonly signal: AbortSignal;
}

/** A denied call as usage keeps it: once for every skill that it failed at (SC-7). */
export interface DeniedUse {
  readonly event: "denied";
  readonly entry: EntryId;
  readonly digest: Digest;
  /** As the model named it, on one line. */
  readonly tool: string;
  /** The id of the session. */
  readonly conversation: string;
  readonly at: number;
}

/** What becomes of a call, as it happens. */
export type CallEvent =
  | {
      readonly type: "tool.denied";
      readonly id: string;
      readonly tool: string;
      readonly code: DenialCode;
      readonly why: string;
    }
  | { readonly type: "tool.asked"; readonly id: string; readonly tool: string; readonly why: string }
  | { readonly type: "tool.started"; readonly id: string; readonly tool: string }
  | { readonly type: "tool.ended"; readonly id: string; readonly tool: string; readonly isError: boolean };

/** Who is asked and told of calls. */
export interface CallHost {
  /** Sets are validated against this one at every depth (SC-5). */
  readonly capabilities: CapabilityRegistry;
  /** Without it, what has to be asked is denied. */
  readonly ask?: (asked: CallAsked) => Promise<boolean>;
  /** For when something was. */
  readonly clock: Clock;
  readonly onEvent?: (event: CallEvent) => void;
  readonly onUsage?: (use: DeniedUse) => void;
}

/** Whose calls the gate judges: the agent itself at this moment, or a sub-agent. */
export interface Caller {
  readonly id: string;
  readonly host: CallHost;
  /** What it can call by name. Every other tool does not exist (SC-7). */
  readonly callable: ReadonlyMap<string, Tool>;
  readonly scope: Scope | null;
  readonly grants: readonly ToolPattern[];
  readonly lifetime: Lifetime;
  readonly limits: {
    /** Calls of one turn. */
    readonly calls: number;
    /** Bytes of what one tool may answer. */
    readonly textBytes: number;
  };
  readonly denials: DenialCount;
  /** Told of work that may go on after the call ended. */
  readonly track: (work: Promise<unknown>) => void;
}

/** Whoever was denied this often goes on trying; a person reads of no more. */
export const mostDenials = 1000;

/** How often something was denied. */
export class DenialCount {
  count = 0;

  get isTooMany(): boolean {
    return this.count >= mostDenials;
  }
}

export interface Denial {
  readonly code: DenialCode;
  readonly why: string;
  /** The skills that it failed at, where that is known. */
  readonly by: readonly string[];
}

/** What is kept of a name that a model made up. */
const longestToolName = 128;

/** SC-7: what was denied is told to whoever listens, and written down for the skills that it failed at. */
export function recordDenial({ id, host, scope, denials }: Caller, named: string, { code, why, by }: Denial): void {
  if (denials.isTooMany) return;
  denials.count++;
  const tool = safeLine(named, longestToolName);
  tell(host.onEvent, { type: "tool.denied", id, tool, code, why });
  for (const { entry, digest } of skillsOf(scope, by))
    tell(host.onUsage, { event: "denied", entry, digest, tool, conversation: id, at: host.clock.now() });
}

/**
 * All of the scope's where it failed at none of them: a call that was denied under a scope that
 * holds skills never goes unrecorded.
 */
function skillsOf(scope: Scope | null, by: readonly string[]): readonly ScopeSkill[] {
  if (scope === null) return [];
  const ids = new Set(by);
  const named = scope.skills.filter(({ id }) => ids.has(id));
  return named.length === 0 ? scope.skills : named;
}
