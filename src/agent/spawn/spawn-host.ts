import type { Model } from "../../core/model.ts";
import type { Clock, Randomness, Timer } from "../../core/world.ts";
import type { ContractExecutor } from "../../scope/contract/contract.ts";
import type { Scope } from "../../scope/scope.ts";
import type { CallHost } from "../loop/caller.ts";
import type { Tool } from "../tool.ts";
import type { SpawnEvent } from "./spawn.ts";

/** Every bound on sub-agents; 0 means none. */
export interface SpawnLimits {
  /** How deep they may be nested; the primary's own children are at 1. */
  readonly depth: number;
  /** At once, of one primary, at any depth. */
  readonly children: number;
  /** At once, of one parent. */
  readonly perParent: number;
  /** Ever, of one primary. */
  readonly total: number;
  readonly turns: number;
  /** Of one turn. */
  readonly calls: number;
  readonly milliseconds: number;
  /** Of what one tool, or a child, may answer. */
  readonly textBytes: number;
}

export const usualLimits: SpawnLimits = {
  depth: 8,
  children: 64,
  perParent: 16,
  total: 1000,
  turns: 50,
  calls: 32,
  milliseconds: 600_000,
  textBytes: 262_144,
};

/** Whom a model is for. */
export interface ModelAsker {
  /** The id of whoever asks for the sub-agent; the primary's name. */
  readonly parent: string;
  /** Of the sub-agent: the primary's own children are at 1. */
  readonly depth: number;
  /** By which name its parent has its model; null: the usual one. */
  readonly above: string | null;
}

/** The primary: all that sub-agents work with is its own, and they have less of it. */
export interface SpawnHost extends CallHost {
  /** The primary's own name; `primary` without it. */
  readonly name?: string;
  /**
   * By the names they are called with; a list is by their own names, as it is now. A map is live: what a child may call is
   * what is here when it is spawned. `spawn` itself is never taken from here, whatever it is called.
   */
  readonly tools: ReadonlyMap<string, Tool> | readonly Tool[];
  /**
   * Null asks for the usual one; a child that names none has its parent's. Throws for a name it does not know: what it
   * says there is told to whoever asked.
   */
  readonly model: (name: string | null, asker: ModelAsker) => Promise<Model> | Model;
  /** How the system prompt begins: the host's own words. */
  readonly identity?: string;
  /** What the workspace takes away from everybody. */
  readonly forbiddenTools?: readonly string[];
  /** The primary's own, which every child inherits; a function where it changes: what holds when a child is spawned. */
  readonly scope?: Scope | null | (() => Scope | null);
  /** Patterns that a person approved: they stand for a word where the host would ask. */
  readonly grants?: readonly string[];
  /** Without it, skills with a contract are refused. */
  readonly contracts?: ContractExecutor;
  /** For how long something takes: nobody sets it. */
  readonly stopwatch: Clock;
  readonly timer: Timer;
  readonly random: Randomness;
  readonly limits?: Partial<SpawnLimits>;
  /** Scopes without groups (SC-3). */
  readonly strict?: boolean;
  readonly onEvent?: (event: SpawnEvent) => void;
}
