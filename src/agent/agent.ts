import type { Finding } from "../core/finding.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { SkillChange } from "./skills/agent-skill.ts";
import type { Spawned, SpawnRequest } from "./spawn/spawn.ts";

/** Something that a line can be completed with. */
export interface Completion {
  /** The whole of what stands there then. */
  readonly text: string;
  readonly about: string;
}

export interface Completions {
  /** Where in the line the text that is completed begins. */
  readonly start: number;
  readonly items: readonly Completion[];
}

/** For a status line. */
export interface AgentState {
  readonly model: string;
  readonly skills: number;
  readonly unconfirmed: number;
  readonly generation: number;
  /** Of the last prompt, as counted or as its service said; 0 before the first. */
  readonly tokens: number;
  /** Aliases of the skills whose scope is in force. */
  readonly held: readonly string[];
  readonly conversation: string;
  /** Messages so far. */
  readonly messages: number;
  readonly workspace: string;
}

/** An agent as a door sees it. */
export interface Agent {
  /**
   * One line of a person: a command, an invocation or a message. One at a time. Never rejects: what goes wrong is in the
   * stream. Whoever stops reading cancels the turn.
   */
  say(line: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<AgentEvent>;
  /** AG-6. Of the set as it is now; nothing for text without a slash. */
  complete(line: string): Completions;
  readonly state: AgentState;
  /** What happened between two turns, such as an edit from outside. Returns how to stop listening. */
  onEvent(listener: (event: AgentEvent) => void): () => void;
  /** What was noticed while it was opened. */
  readonly findings: readonly Finding[];
  /** Ends what is under way, and saves. */
  close(): Promise<void>;
}

/** The agent as a program has it. */
export interface PrimaryAgent extends Agent {
  /** A sub-agent, as a person starts one: it has never more than the agent has at this moment (SC-5). */
  spawn(request: SpawnRequest): Promise<Spawned>;
  /**
   * AG-1: the skills of a folder, beside those that are there: what it gave before is replaced, and the others stay. They are
   * unconfirmed, as those of any folder.
   */
  loadSkills(root: string): Promise<SkillChange>;
  /** AG-4: all of them again. Never loses what there was. */
  reloadSkills(): Promise<SkillChange>;
}
