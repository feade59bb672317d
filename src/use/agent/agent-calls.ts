import { longestWait } from "../../base/world.ts";
import type { WantedCall } from "../../base/model.ts";
import type { ToolPattern } from "../../base/tools/tools.ts";
import { readGrants } from "../scope/grants.ts";
import type { Scope } from "../scope/scope.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { AgentHost } from "./agent-host.ts";
import { Lifetime } from "./spawn/lifetime.ts";
import { DenialCount, type Session } from "./spawn/session.ts";
import { answerCall, type CallAnswer, denyExcess } from "./spawn/session-call.ts";
import { policyOf } from "./spawn/session-open.ts";
import type { SpawnEvent } from "./spawn/spawn.ts";
import { type SpawnHost, usualLimits } from "./spawn/spawn-host.ts";
import type { Tool } from "./tool.ts";
import type { Working } from "./spawn/working.ts";

/** What the agent itself is called where sub-agents are told apart. */
export const primaryName = "primary";

interface CallRoom {
  readonly host: Pick<AgentHost, "model" | "limits" | "stopwatch" | "timer" | "grants">;
  /** The same that its sub-agents have: who is asked, what is written down. */
  readonly spawnHost: SpawnHost;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly emit: (event: AgentEvent) => void;
  /** In force when a call is made. */
  readonly scope: () => Scope | null;
  /** Of skills that the conversation holds: what a person granted them. */
  readonly skillGrants: () => Promise<readonly string[]>;
  readonly working: Working;
}

/** The calls of the agent itself, each through the same gate as those of its sub-agents (SC-7). */
export class AgentCalls {
  readonly #room: CallRoom;
  /** The one that is being made: what the gate tells is about it. */
  #current: WantedCall | null = null;

  constructor(room: CallRoom) {
    this.#room = room;
  }

  /** Never rejects, unless the turn is over. `index` is which one of its answer it is. */
  async make(call: WantedCall, index: number, turn: Lifetime): Promise<CallAnswer> {
    const { emit, host } = this.#room;
    const { id, tool, input } = call;
    this.#current = call;
    emit({ type: "tool.started", call: id, tool, input });
    const lifetime = this.#lifetimeBelow(turn);
    try {
      const session = await this.#sessionFor(lifetime);
      const isLookedAt = index < host.limits.callsAtOnce;
      const answer = isLookedAt ? await answerCall(session, call) : denyExcess(session, call);
      emit({ type: "tool.ended", call: id, tool, ...answer });
      return answer;
    } catch (error) {
      if (lifetime.endedBy() === null) throw error;
      const why = turn.endedBy() === null ? "took longer than it may and was ended" : "was cancelled";
      const answer = { content: `${tool} ${why}.`, isError: true };
      emit({ type: "tool.ended", call: id, tool, ...answer });
      turn.demand();
      return answer;
    } finally {
      lifetime.end("cancelled");
      this.#current = null;
    }
  }

  /** What the spawner tells: of the agent's own calls, or of a sub-agent. */
  heed(event: SpawnEvent): void {
    const { emit } = this.#room;
    const isOwn = "id" in event && event.id === primaryName;
    const call = this.#current?.id ?? "";
    if (!isOwn) emit({ type: "sub-agent", event });
    else if (event.type === "tool.denied") {
      const { tool, code, why } = event;
      emit({ type: "tool.denied", call, tool, code, why });
    } else if (event.type === "tool.asked") emit({ type: "tool.asked", call, tool: event.tool, why: event.why });
  }

  #lifetimeBelow(above: Lifetime): Lifetime {
    const { stopwatch, timer, limits } = this.#room.host;
    const milliseconds = Math.min(limits.toolMilliseconds, longestWait);
    return new Lifetime({ stopwatch, timer, milliseconds, above, signal: undefined });
  }

  async #sessionFor(lifetime: Lifetime): Promise<Session> {
    const { host, spawnHost, tools, scope, working } = this.#room;
    return {
      id: primaryName,
      names: [primaryName],
      depth: 0,
      scope: scope(),
      tools: () => tools,
      lifetime,
      modelName: null,
      host: spawnHost,
      denials: new DenialCount(),
      limits: { ...usualLimits, textBytes: host.limits.textBytes, calls: host.limits.callsAtOnce },
      grants: await this.#grants(),
      policy: policyOf(tools),
      callable: tools,
      model: host.model.model,
      task: "",
      track: (work) => working.add(work),
    };
  }

  /** What is no pattern grants nothing: a skill's own were read by whoever granted them. */
  async #grants(): Promise<readonly ToolPattern[]> {
    const { host, skillGrants } = this.#room;
    return [...readGrants(host.grants), ...(await skillGrants()).flatMap(readable)];
  }
}

function readable(grant: string): readonly ToolPattern[] {
  try {
    return readGrants([grant]);
  } catch {
    return [];
  }
}
