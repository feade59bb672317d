import type { Model } from "../../../base/model.ts";
import type { ToolPattern } from "../../../base/tools/tools.ts";
import { safeLine } from "../../../base/text.ts";
import type { DenialCode, HostPolicy } from "../../scope/gate.ts";
import type { Scope, ScopeSkill } from "../../scope/scope.ts";
import type { Lifetime } from "./lifetime.ts";
import { tell } from "../../../base/tell.ts";
import type { DeniedUse, SpawnHost, SpawnLimits } from "./spawn-host.ts";
import type { Tool } from "../tool.ts";

/** Whoever can ask for a sub-agent: the primary, or a session. */
export interface Asker {
  /** Of a session; of the primary its name. */
  readonly id: string;
  /** What it and all above it are called. */
  readonly names: readonly string[];
  /** The primary is at 0. */
  readonly depth: number;
  readonly scope: Scope | null;
  /** What its children can be given. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  readonly lifetime: Lifetime;
  /** By which name the host knows its model; null: the usual one, or the primary's own. */
  readonly modelName: string | null;
}

/** How often a session was denied something. */
export class DenialCount {
  count = 0;

  get isTooMany(): boolean {
    return this.count >= mostDenials;
  }
}

/** Whoever was denied this often goes on trying; a person reads of no more. */
export const mostDenials = 1000;

/** A sub-agent at work. Everything in it stays as it was when it was spawned. */
export interface Session extends Asker {
  readonly host: SpawnHost;
  readonly denials: DenialCount;
  readonly limits: SpawnLimits;
  readonly grants: readonly ToolPattern[];
  readonly policy: HostPolicy;
  /** What it can call by name, `spawn` among it. */
  readonly callable: ReadonlyMap<string, Tool>;
  readonly model: Model;
  readonly task: string;
  /** Told of work that may go on after the session ended. */
  readonly track: (work: Promise<unknown>) => void;
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
export function recordDenial(
  host: Pick<SpawnHost, "onEvent" | "onUsage" | "clock">,
  { id, scope, denials }: Pick<Session, "id" | "scope" | "denials">,
  named: string,
  { code, why, by }: Denial,
): void {
  if (denials.isTooMany) return;
  denials.count++;
  const tool = safeLine(named, longestToolName);
  tell(host.onEvent, { type: "tool.denied", id, tool, code, why });
  for (const { entry, digest } of skillsOf(scope, by)) {
    const use: DeniedUse = { event: "denied", entry, digest, tool, conversation: id, at: host.clock.now() };
    tell(host.onUsage, use);
  }
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
