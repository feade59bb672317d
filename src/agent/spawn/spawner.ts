import { tell } from "../../core/async.ts";
import type { Finding } from "../../core/finding.ts";
import { nameKey } from "../../core/text.ts";
import { withForbidden } from "../../scope/compose-scope.ts";
import { factsOf } from "../../scope/effective.ts";
import { deepFrozen } from "../../scope/lists.ts";
import { messageOf, reasonOf } from "../agent-faults.ts";
import { recordDenial } from "../loop/caller.ts";
import { Lifetime, longestLeaving, Working } from "../loop/lifetime.ts";
import type { Tool } from "../tool.ts";
import { type Asker, openSession, type Prepared, runSession, type Session } from "./session.ts";
import { SpawnContracts } from "./spawn-contracts.ts";
import type { SpawnHost, SpawnLimits } from "./spawn-host.ts";
import { type ReadOptions, readOptions } from "./spawn-options.ts";
import { openingOf } from "./spawn-prompt.ts";
import { errorText, type ReadRequest, readRequest, readSet, type SkillSet } from "./spawn-request.ts";
import { type AskForSpawn, isSpawn, type SpawnTool, spawnTool } from "./spawn-tool.ts";
import type { Spawned, Spawner, SpawnRequest } from "./spawn.ts";

/** Sub-agents in this process. */
export interface InProcessSpawner extends Spawner {
  /** `spawn` for the primary's own tools. Children have one of their own instead. */
  readonly tool: SpawnTool;
  /**
   * Cancels all that are at work and waits for them, and for a few seconds for tools that go on nevertheless; nobody can
   * be spawned afterwards.
   */
  close(): Promise<void>;
}

/** SC-5. What it hands out leads back to nothing of the host. Throws `usage.invalid` for a host that is none. */
export function createSpawner(host: SpawnHost): InProcessSpawner {
  const options = readOptions(host);
  const spawning = new Spawning(host, options);
  const bounds = { random: host.random, textBytes: options.limits.textBytes };
  return Object.freeze({
    spawn: (request: SpawnRequest) => spawning.spawn(request),
    tool: spawnTool(spawning.askedBy(), bounds),
    close: () => spawning.close(),
  });
}

type Refusal = Exclude<Spawned, { status: "accepted" }>;

class Spawning {
  readonly #host: SpawnHost;
  readonly #options: ReadOptions;
  readonly #places: SpawnPlaces;
  readonly #primary: Asker;
  /** Spawns, from the request to the end of the session. */
  readonly #working = new Working();
  /** What may go on after its session: tools, and evaluations of contracts. */
  readonly #leaving = new Working();

  constructor(host: SpawnHost, options: ReadOptions) {
    const { name = "primary", forbiddenTools = [] } = host;
    this.#host = host;
    this.#options = options;
    this.#places = new SpawnPlaces(options.limits);
    this.#primary = {
      id: name,
      names: [name],
      depth: 0,
      get scope() {
        const scope = typeof host.scope === "function" ? host.scope() : (host.scope ?? null);
        return withForbidden(scope, forbiddenTools, "workspace");
      },
      tools: () => options.tools,
      lifetime: new Lifetime(),
      modelName: null,
    };
  }

  /** Never rejects. Whatever it refuses is told; what a sub-agent was refused is recorded as a denied call. */
  spawn(asked: unknown): Promise<Spawned> {
    return this.#answer(readRequest(asked), this.#primary);
  }

  /** How a `spawn` tool of somebody asks; without anybody, the primary's. */
  askedBy(asker: Asker | Session = this.#primary): AskForSpawn {
    return (input, signal) => this.#answer(readRequest(input, { signal }), asker);
  }

  async close(): Promise<void> {
    this.#primary.lifetime.end("cancelled");
    await this.#working.idle();
    await this.#leaving.idleWithin(longestLeaving, this.#host.timer);
  }

  async #answer(request: ReadRequest | string, asker: Asker | Session): Promise<Spawned> {
    const attempt = this.#attempt(request, asker);
    this.#working.add(attempt);
    const spawned = await attempt.catch((error: unknown) =>
      forbidden(`it could not be started: ${reasonOf(error, "a part of the host failed")}`),
    );
    if (spawned.status !== "accepted") this.#tellRefusal(asker, spawned);
    return spawned;
  }

  /** Everything that can be refused is, before anything exists: request, limits, set, then model and contracts. */
  async #attempt(request: ReadRequest | string, asker: Asker): Promise<Spawned> {
    if (typeof request === "string") return forbidden(request);
    const why = this.#whyNot(request, asker);
    if (why !== null) return forbidden(why);
    // What there is now is all that it will ever have: tools that come later do not exist for it (T33).
    // The host's own `spawn`, by whatever name, would start children of the primary, with all that the primary may.
    const tools = new Map([...asker.tools()].filter(([name, tool]) => !isSpawn(name, tool)));
    const set = readSet(this.#host, asker.scope, request.skills, [...tools.keys(), "spawn"]);
    if ("errors" in set) return { status: "error", error: errorText(set.errors), errors: set.errors };
    return this.#start(request, asker, tools, set);
  }

  #whyNot({ agent }: ReadRequest, { id, names, depth, lifetime }: Asker): string | null {
    if (lifetime.endedBy() !== null) return "whoever asks for it has ended";
    const { limits } = this.#options;
    if (depth >= limits.depth) return `sub-agents may be nested ${limits.depth} deep, and no deeper`;
    const key = agent === null ? null : nameKey(agent);
    if (names.some((name) => nameKey(name) === key)) return "an agent cannot inject into itself, or into one above it";
    return this.#places.whyNone(id);
  }

  async #start(request: ReadRequest, asker: Asker, tools: ReadonlyMap<string, Tool>, set: SkillSet): Promise<Spawned> {
    const { stopwatch, timer } = this.#host;
    const facts = { task: request.task, scope: factsOf(set.scope, [...tools.keys(), "spawn"]) };
    const contracts = new SpawnContracts(this.#host.contracts, set.skills, facts);
    const milliseconds = Math.min(request.timeout ?? Infinity, this.#options.limits.milliseconds);
    const lifetime = new Lifetime({ stopwatch, timer, milliseconds, above: asker.lifetime, signal: request.signal });
    const running = new Working();
    // Last, and still before anything is waited for: whatever fails above has no place, and no deadline either.
    const leave = this.#places.take(asker.id);
    const end = (): void => {
      lifetime.end("cancelled");
      this.#leaveWhenIdle(running, contracts, leave);
    };
    let spawned: Spawned | undefined;
    try {
      const ready = await this.#prepare(request, asker, contracts, lifetime);
      const prepared = { request, asker, tools, set, lifetime, contracts, running };
      spawned = "status" in ready ? ready : this.#open({ ...prepared, ...ready }, end);
      return spawned;
    } finally {
      if (spawned?.status !== "accepted") end();
    }
  }

  /** A place is free when nothing runs there any more: else many short spawns would be many threads and programs. */
  #leaveWhenIdle(running: Working, contracts: SpawnContracts, leave: () => void): void {
    if (running.isIdle && contracts.running === null) return leave();
    const tools = running.idleWithin(longestLeaving, this.#host.timer);
    this.#leaving.add(Promise.allSettled([tools, contracts.running]).then(leave));
  }

  /** The model, and the contracts' preconditions (SC-10). */
  async #prepare(
    request: ReadRequest,
    { id: parent, depth, modelName: above }: Asker,
    contracts: SpawnContracts,
    lifetime: Lifetime,
  ): Promise<Refusal | Pick<Prepared, "model" | "modelName" | "before">> {
    const modelName = request.model ?? above;
    const asker = Object.freeze({ parent, depth: depth + 1, above });
    try {
      const model = await lifetime.during(() => this.#host.model(modelName, asker));
      const before = await lifetime.during((signal) => contracts.before(signal));
      if (before.refused) return forbidden("a precondition of a contract does not hold", before.findings);
      return { model, modelName, before };
    } catch (error) {
      const endedBy = lifetime.endedBy();
      if (endedBy !== null) return forbidden(`it was over before it began: ${endedBy}`);
      return forbidden(`its model cannot be had: ${reasonOf(error, messageOf(error, 200))}`);
    }
  }

  /** From here on there is a session. */
  #open(prepared: Prepared, end: () => void): Spawned {
    const { limits, grants } = this.#options;
    const track = (work: Promise<unknown>): void => {
      prepared.running.add(work);
      this.#leaving.add(work);
    };
    const room = { host: this.#host, limits, grants, track };
    const session = openSession(room, prepared, (asker) => this.askedBy(asker));
    const { id, scope, depth, names } = session;
    const opening = openingOf(session);
    const findings = deepFrozen([...prepared.set.findings, ...prepared.before.findings, ...opening.findings]);
    const agent = names.at(-1) ?? id;
    const skills = scope === null ? [] : scope.skills.map((skill) => skill.id);
    tell(this.#host.onEvent, { type: "spawn.started", id, parent: prepared.asker.id, agent, depth, skills, findings });
    const done = runSession(session, prepared, opening)
      .then((outcome) => {
        tell(this.#host.onEvent, { type: "spawn.ended", id, end: outcome.end, findings: deepFrozen(outcome.findings) });
        return outcome;
      })
      .finally(end);
    this.#working.add(done);
    return { status: "accepted", id, scope, findings, done };
  }

  #tellRefusal(asker: Asker | Session, refusal: Refusal): void {
    const { status, error } = refusal;
    const findings = "findings" in refusal ? deepFrozen(refusal.findings) : [];
    tell(this.#host.onEvent, { type: "spawn.refused", parent: asker.id, status, error, findings });
    if ("denials" in asker) recordDenial(asker, "spawn", { code: "TOOL_NOT_ALLOWED", why: error, by: [] });
  }
}

function forbidden(error: string, findings: readonly Finding[] = []): Refusal {
  return { status: "forbidden", error, findings };
}

/** How many sub-agents of one primary there are, and may be. */
class SpawnPlaces {
  readonly #limits: SpawnLimits;
  readonly #ofParent = new Map<string, number>();
  #atOnce = 0;
  #ever = 0;

  constructor(limits: SpawnLimits) {
    this.#limits = limits;
  }

  /** Why there is none; null when there is. */
  whyNone(parent: string): string | null {
    const { children, perParent, total } = this.#limits;
    if (this.#ever >= total) return `there have been ${total} sub-agents, and may be no more`;
    if (this.#atOnce >= children) return `${children} sub-agents are at work, and no more may be at once`;
    if (this.#count(parent) >= perParent) return `${perParent} sub-agents of one agent are at work, and no more may be`;
    return null;
  }

  /** Taken before anything is waited for: many that ask at once get no more than one after the other. */
  take(parent: string): () => void {
    this.#change(parent, 1);
    this.#ever++;
    return () => this.#change(parent, -1);
  }

  #count(parent: string): number {
    return this.#ofParent.get(parent) ?? 0;
  }

  #change(parent: string, by: 1 | -1): void {
    const count = this.#count(parent) + by;
    this.#atOnce += by;
    if (count === 0) this.#ofParent.delete(parent);
    else this.#ofParent.set(parent, count);
  }
}
