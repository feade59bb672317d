import type { Finding } from "../../core/finding.ts";
import type { ScopeError } from "../../scope/registry.ts";
import type { PredicateResult } from "../../scope/contract/contract.ts";
import type { Scope } from "../../scope/scope.ts";
import type { CallEvent } from "../loop/caller.ts";

export interface SpawnRequest {
  readonly task: string;
  /** Capability skills. Absent or empty: no scope of its own; the parent's holds (SC-5). */
  readonly skills?: readonly string[] | undefined;
  /** What the child is called in events; never the name of whoever asks. */
  readonly agent?: string | undefined;
  /** Another model than the host's usual one, by the name that the host knows it by. */
  readonly model?: string | undefined;
  /** Milliseconds; never more than what its parent has left. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SpawnEnd = "finished" | "failed" | "timeout" | "cancelled" | "turns";

export interface SpawnOutcome {
  readonly end: SpawnEnd;
  /** What the child said last: untrusted. */
  readonly text: string;
  /** Failed predicates of contracts among them; a HARD one makes it `failed`. */
  readonly findings: readonly Finding[];
  readonly predicates: readonly PredicateResult[];
}

export type Spawned =
  | {
      readonly status: "accepted";
      readonly id: string;
      /** Its parent's and its own together; null: none was asked for anywhere. */
      readonly scope: Scope | null;
      readonly findings: readonly Finding[];
      /** Never rejects. */
      readonly done: Promise<SpawnOutcome>;
    }
  /** The host does not let it: too deep, too many, into itself, or a HARD precondition. */
  | { readonly status: "forbidden"; readonly error: string; readonly findings: readonly Finding[] }
  /** The set of skills cannot be used; nothing was made for it. */
  | { readonly status: "error"; readonly error: string; readonly errors: readonly ScopeError[] };

/** Everything that happens in sub-agents, as it happens. */
export type SpawnEvent =
  | {
      readonly type: "spawn.refused";
      readonly parent: string;
      readonly status: "forbidden" | "error";
      readonly error: string;
      readonly findings: readonly Finding[];
    }
  | {
      readonly type: "spawn.started";
      readonly id: string;
      readonly parent: string;
      readonly agent: string;
      readonly depth: number;
      readonly skills: readonly string[];
      readonly findings: readonly Finding[];
    }
  | { readonly type: "model.asked"; readonly id: string; readonly turn: number }
  | {
      readonly type: "model.answered";
      readonly id: string;
      readonly turn: number;
      readonly text: string;
      readonly calls: number;
    }
  | CallEvent
  | {
      readonly type: "spawn.ended";
      readonly id: string;
      readonly end: SpawnEnd;
      readonly findings: readonly Finding[];
    };

/** The one way to start a sub-agent (SC-5). */
export interface Spawner {
  spawn(request: SpawnRequest): Promise<Spawned>;
}
