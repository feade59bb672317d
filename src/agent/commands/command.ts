import { safeLine } from "../../core/text.ts";
import type { AgentEvent, Reply } from "../agent-event.ts";
import type { Completion } from "../agent.ts";
import type { AgentSkill, AgentSkills, SkillChange } from "../skills/agent-skill.ts";
import type { Spawner } from "../spawn/spawn.ts";
import type { Invocation } from "../talk/saved.ts";
import type { Scope } from "../../scope/scope.ts";
import { writeInvocation } from "./parse-line.ts";

/** A part of the prompt as `/context` tells of it. */
export interface PromptPart {
  /** Such as `identity`, `project rules`, `scope rules`, `skill`, `tools`, `conversation`. */
  readonly what: string;
  /** Of a skill its alias; of anything else empty. */
  readonly name: string;
  readonly role: "system" | "user" | "history" | "tools";
  readonly bytes: number;
  readonly tokens: number;
}

/** A skill that fits a query, as routing says. */
interface RoutedSkill {
  readonly skill: AgentSkill;
  readonly confidence: number;
  readonly why: string;
}

export interface RoutedSkills {
  readonly matches: readonly RoutedSkill[];
  /** Nothing fits well enough: the matches are the nearest. */
  readonly abstained: boolean;
  readonly ambiguous: boolean;
}

/** A tool as it stands now: what the scope in force makes of it, and what the host says of it first. */
export interface ToolStandingView {
  readonly name: string;
  readonly about: string;
  readonly verdict: "allowed" | "asks" | "limited" | "denied";
  readonly why: string;
}

/** The agent as its commands see it, for as long as it lives. All of it is a person's to use: no model gets at this. */
export interface CommandContext {
  readonly skills: AgentSkills;
  /** AG-2: a person's word for these; what came of it is told. With `grants` also what they ask for. */
  confirm(skills: readonly AgentSkill[], options: { readonly grants: boolean }): Promise<void>;
  /** Whether a person is there to be asked: without one nothing is confirmed (AG-2). */
  readonly isAttended: boolean;
  /** For what happens while a command runs, such as a sub-agent. */
  readonly emit: (event: AgentEvent) => void;
  /** AG-4: loads all roots again. No event tells of what changed: whoever asks for it says so. */
  reload(): Promise<SkillChange>;
  /** What the next model call would be given. */
  context(): Promise<readonly PromptPart[]>;
  route(query: string, signal: AbortSignal): Promise<RoutedSkills>;
  readonly spawner: Spawner;
  /** A capability skill's id for a skill of the set, registered for `spawn`; throws `entry.unusable`. */
  capability(skill: AgentSkill): Promise<string>;
  /** Names of built-in capability skills. */
  readonly builtIns: readonly string[];
  /** In force now; null: none. */
  readonly scope: Scope | null;
  /** Puts the scopes of those into force that have one, with those that are. Throws `entry.unusable` when they cannot be held together. */
  hold(skills: readonly AgentSkill[]): Promise<void>;
  /** Only a person lets go of a scope. */
  release(): Promise<void>;
  tools(): readonly ToolStandingView[];
  /** The project's rules (`AGENTS.md`): where they stand, and a person's word for them. */
  rules(): Promise<{
    readonly state: "none" | "confirmed" | "unconfirmed" | "unusable";
    readonly bytes: number;
    readonly note: string;
  }>;
  confirmRules(): Promise<void>;
  /** A conversation from the beginning; skills are loaded anew (AG-4). */
  fresh(): Promise<void>;
  /** Replaces older messages by a summary now. False: there is nothing to replace. */
  compact(signal: AbortSignal): Promise<boolean>;
  /** Tells of what became of a skill in the event log. */
  used(use: "invoked" | "routed", skill: AgentSkill): void;
}

/** What a line came to. */
export type CommandResult =
  | { readonly is: "reply"; readonly reply: Reply }
  /** A message for the model, as a person's. The invocations in it, in order. */
  | { readonly is: "message"; readonly text: string; readonly invocations: readonly Invocation[] }
  | { readonly is: "leave" };

/** A command of every door (AG-5). Built-in ones win over skills of the same name. */
export interface SlashCommand {
  /** With the slash: `/route`. */
  readonly name: string;
  /** What comes after the name: `<query>`; empty for nothing. */
  readonly usage: string;
  readonly about: string;
  /** The signal ends with the line: from then on nobody waits for the result. */
  run(context: CommandContext, rest: string, signal: AbortSignal): Promise<CommandResult>;
}

/** AG-6: what completes a line that begins with a prefix. */
export interface CompletionExtension {
  readonly prefix: string;
  /** All that could stand there; those that do not begin with what was typed are left out by the registry. */
  commands(context: Pick<CommandContext, "skills">): readonly Completion[];
}

export function answer(reply: Reply): CommandResult {
  return { is: "reply", reply };
}

/** Nothing was done: each note says why, or what to do. */
export function refuse(...notes: readonly string[]): CommandResult {
  return answer({ isError: true, notes });
}

export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

const mostShown = 500;

/** A list as long as a person reads, and a note of how many are not in it. */
export function cutList<Item>(
  items: readonly Item[],
  thing: string,
): { readonly shown: readonly Item[]; readonly notes: readonly string[] } {
  const left = items.length - mostShown;
  return { shown: items.slice(0, mostShown), notes: left > 0 ? [`and ${countOf(left, `more ${thing}`)}`] : [] };
}

const mostNear = 3;
const mostTwins = 8;

/** The one skill that a person means; a text says why there is none, and which may be meant. */
export function findSkill(skills: AgentSkills, name: string): AgentSkill | string {
  const found = skills.find(name);
  if (found.is === "one") return found.skill;
  if (found.is === "none") {
    const near = found.near.slice(0, mostNear).map(showInvocation).join(", ");
    const hint = near === "" ? "/skills lists those there are" : `did you mean ${near}?`;
    return `there is no skill "${safeLine(name, 80)}"; ${hint}`;
  }
  const aliases = found.skills.slice(0, mostTwins).map(({ alias }) => showInvocation(alias));
  return `"${safeLine(name, 80)}" is the name of ${found.skills.length} skills: say which, ${aliases.join(" or ")}`;
}

/** How a skill is called, for people to read. */
export function showInvocation(alias: string): string {
  return safeLine(writeInvocation(alias), 160);
}

/** Why a person cannot call a skill, if so. */
export function whyNotCallable({ unusable, byPerson }: AgentSkill): string | undefined {
  if (unusable !== null) return `it cannot be used: ${safeLine(unusable, 240)}`;
  if (!byPerson) return "its author keeps it for the model (user-invocable: false)";
  return undefined;
}
