import { AppError } from "../../core/error.ts";
import type { AgentHost } from "../agent-host.ts";
import type { AgentEvents } from "../agent-events.ts";
import { agentFinding, reasonOf } from "../agent-faults.ts";
import type { Lifetime } from "../loop/lifetime.ts";
import { compact, summaryByModel } from "./compact.ts";
import { History } from "./history.ts";

type KeptHost = Pick<
  AgentHost,
  "conversations" | "workspace" | "model" | "clock" | "newId" | "resumed" | "limits" | "random" | "countTokens"
>;

/** The conversation of an agent, and its place on the disk. */
export class KeptTalk {
  readonly #host: KeptHost;
  readonly #events: AgentEvents;
  #history: History;
  #id: string;
  #startedAt: number;
  #cannotSave = false;
  /** As it was when it was saved: what has not changed is not written again. */
  #saved: readonly unknown[] = [];

  constructor(host: KeptHost, events: AgentEvents) {
    const { resumed, newId, clock } = host;
    this.#host = host;
    this.#events = events;
    this.#history = resumed === null ? new History() : new History(resumed);
    if (resumed !== null) this.#saved = partsOfHistory(this.#history);
    this.#id = resumed?.id ?? newId();
    this.#startedAt = resumed?.startedAt ?? clock.now();
  }

  get history(): History {
    return this.#history;
  }

  get id(): string {
    return this.#id;
  }

  /** A disk that refuses costs nothing but what is on it: the conversation goes on, and is kept as a whole later (AG-8). */
  async save(): Promise<void> {
    const { conversations, workspace, model, clock } = this.#host;
    if (conversations === null || this.#history.messages.length === 0) return;
    const now = partsOfHistory(this.#history);
    if (now.every((part, index) => part === this.#saved[index])) return;
    const about = { id: this.#id, workspace, model: model.name, startedAt: this.#startedAt, savedAt: clock.now() };
    try {
      await conversations.save(this.#history.snapshot(about));
      this.#saved = now;
      this.#cannotSave = false;
    } catch (error) {
      if (error instanceof AppError && error.code === "record.exists") return this.#fork(error.message);
      const why = reasonOf(error, "it could not be written down");
      if (!this.#cannotSave) this.#events.find(agentFinding("agent.save-failed", "conversation", why));
      this.#cannotSave = true;
    }
  }

  /** Of two that go on with one conversation neither takes the other's words away. */
  async #fork(why: string): Promise<void> {
    this.#saved = [];
    this.#id = this.#host.newId();
    this.#events.find(agentFinding("agent.forked", "conversation", `${why}; this one is ${this.#id} from now on`));
    await this.save();
  }

  /** CO-12: older turns give way to a summary when there are too many of them, or when a person asks. */
  async compact(life: Lifetime, isAsked: boolean): Promise<boolean> {
    const { model, random, limits, countTokens } = this.#host;
    const compacted = await compact(this.#history, {
      mostTokens: limits.historyTokens,
      keepTokens: isAsked ? 0 : Math.floor(limits.historyTokens / 4),
      isAsked,
      count: countTokens,
      // A model that does not heed the signal is not waited for.
      summarise: (messages) => life.during((signal) => summaryByModel(model, random, messages, signal)),
      random,
      signal: life.signal,
    }).catch((error: unknown) => {
      // Who asked for it is told; otherwise it is tried again with the next call.
      if (isAsked || life.endedBy() !== null || !(error instanceof AppError)) throw error;
      this.#events.findOnce(agentFinding("agent.summary-later", "conversation", error.message));
      return null;
    });
    if (compacted !== null) this.#events.emit({ type: "compacted", ...compacted });
    return compacted !== null;
  }

  /** What was said so far is kept, and another one begins. */
  async renew(): Promise<void> {
    await this.save();
    this.#history = new History();
    this.#saved = [];
    this.#id = this.#host.newId();
    this.#startedAt = this.#host.clock.now();
  }
}

/** Messages are never changed, only replaced, at either end. */
function partsOfHistory({ messages, invocation, held }: History): readonly unknown[] {
  return [messages.length, messages[0], messages.at(-1), invocation, JSON.stringify(held)];
}
