import type { Finding } from "../../base/finding.ts";
import { withDefaults } from "../../base/limits.ts";
import type { Message, ToolSpec } from "../../base/model.ts";
import { nameKey } from "../../base/text.ts";
import { parsePattern } from "../../base/tools/patterns.ts";
import { canonicalTools, type ToolPattern } from "../../base/tools/tools.ts";
import { withForbidden } from "../scope/compose-scope.ts";
import { factsOf } from "../scope/effective.ts";
import { Lifetime } from "./lifetime.ts";
import { type Asker, recordDenial, type Session } from "./session.ts";
import { runSession } from "./session-loop.ts";
import { openSession, outcomeOf, type Prepared } from "./session-open.ts";
import type { Spawned, Spawner, SpawnOutcome, SpawnRequest } from "./spawn.ts";
import { SpawnContracts } from "./spawn-contracts.ts";
import { reasonOf } from "./spawn-faults.ts";
import { type SpawnHost, type SpawnLimits, tell, usualLimits } from "./spawn-host.ts";
import { SpawnPlaces } from "./spawn-places.ts";
import { openingMessages, toolSpecs } from "./spawn-prompt.ts";
import { type ReadRequest, readRequest } from "./spawn-request.ts";
import { errorText, readSet, type SkillSet } from "./spawn-set.ts";
import { spawnTool } from "./spawn-tool.ts";
import type { Tool } from "./tool.ts";

/** Sub-agents in this process. */
export interface InProcessSpawner extends Spawner {
  /** `spawn` for the primary's own tools. Children have one of their own instead. */
  readonly tool: Tool;
  /** Cancels all that are at work and waits for them; nobody can be spawned afterwards. */
  close(): Promise<void>;
}

/** SC-5. What it hands out leads back to nothing of the host. */
export function createSpawner(host: SpawnHost): InProcessSpawner {
  const spawning = new Spawning(host);
  return Object.freeze({
    spawn: (request: SpawnRequest) => spawning.spawn(request),
    tool: spawnTool((request) => spawning.spawn(request), host.random),
    close: () => spawning.close(),
  });
}

type Refusal = Exclude<Spawned, { status: "accepted" }>;

class Spawning {
  readonly #host: SpawnHost;
  readonly #limits: SpawnLimits;
  readonly #grants: readonly ToolPattern[];
  readonly #places: SpawnPlaces;
  readonly #primary: Asker;
  readonly #working = new Set<Promise<unknown>>();

  constructor(host: SpawnHost) {
    const { name = "primary", scope = null, forbiddenTools = [], grants = [] } = host;
    this.#host = host;
    this.#limits = withDefaults(usualLimits, host.limits);
    this.#grants = grants.map(parsePattern).filter((pattern) => pattern !== null);
    this.#places = new SpawnPlaces(this.#limits);
    this.#primary = {
      id: name,
      names: [name],
      depth: 0,
      scope: withForbidden(scope, forbiddenTools, "workspace"),
      tools: () => host.tools,
      lifetime: new Lifetime(),
    };
  }

  /** Never rejects. Whatever it refuses is told; what a sub-agent was refused is recorded as a denied call. */
  async spawn(asked: unknown, asker: Asker = this.#primary): Promise<Spawned> {
    const spawned = await this.#attempt(asked, asker).catch((error: unknown) =>
      forbidden(`it could not be started: ${reasonOf(error, "a part of the host failed")}`),
    );
    if (spawned.status !== "accepted") this.#tellRefusal(asker, spawned);
    return spawned;
  }

  async close(): Promise<void> {
    this.#primary.lifetime.end("cancelled");
    await Promise.all(this.#working);
  }

  /** Everything that can be refused is, before anything exists: request, limits, set, then model and contracts. */
  async #attempt(asked: unknown, asker: Asker): Promise<Spawned> {
    const request = readRequest(asked);
    if (typeof request === "string") return forbidden(request);
    const why = this.#whyNot(request, asker);
    if (why !== null) return forbidden(why);
    // What there is now is all that it will ever have: tools that come later do not exist for it (T33).
    const tools = withoutSpawn(asker.tools());
    const set = readSet(this.#host, asker.scope, request.skills, [...tools.keys(), "spawn"]);
    if ("errors" in set) return { status: "error", error: errorText(set.errors), errors: set.errors };
    return this.#start(request, asker, tools, set);
  }

  #whyNot({ agent }: ReadRequest, { id, names, depth, lifetime }: Asker): string | null {
    if (lifetime.endedBy() !== null) return "whoever asks for it has ended";
    if (depth >= this.#limits.depth) return `sub-agents may be nested ${this.#limits.depth} deep, and no deeper`;
    const key = agent === null ? null : nameKey(agent);
    if (names.some((name) => nameKey(name) === key)) return "an agent cannot inject into itself, or into one above it";
    return this.#places.whyNone(id);
  }

  async #start(request: ReadRequest, asker: Asker, tools: ReadonlyMap<string, Tool>, set: SkillSet): Promise<Spawned> {
    const { clock, timer } = this.#host;
    const leave = this.#places.take(asker.id);
    const milliseconds = Math.min(request.timeout ?? Infinity, this.#limits.milliseconds);
    const lifetime = new Lifetime({ clock, timer, milliseconds, above: asker.lifetime, signal: request.signal });
    const end = (): void => {
      lifetime.end("cancelled");
      leave();
    };
    let spawned: Spawned | undefined;
    try {
      const ready = await this.#prepare(request, tools, set, lifetime);
      spawned = "status" in ready ? ready : this.#open({ request, asker, tools, set, lifetime, ...ready }, end);
      return spawned;
    } finally {
      if (spawned?.status !== "accepted") end();
    }
  }

  /** The model, and the contracts' preconditions (SC-10). */
  async #prepare(
    { task, model: name }: ReadRequest,
    tools: ReadonlyMap<string, Tool>,
    set: SkillSet,
    lifetime: Lifetime,
  ): Promise<Refusal | Pick<Prepared, "model" | "contracts" | "before">> {
    const facts = { task, scope: factsOf(set.scope, [...tools.keys(), "spawn"]) };
    const contracts = new SpawnContracts(this.#host.contracts, set.skills, facts);
    try {
      const model = await lifetime.during(() => this.#host.model(name));
      const before = await lifetime.during(() => contracts.before());
      if (before.refused) return forbidden("a precondition of a contract does not hold", before.findings);
      return { model, contracts, before };
    } catch (error) {
      const endedBy = lifetime.endedBy();
      if (endedBy !== null) return forbidden(`it was over before it began: ${endedBy}`);
      return forbidden(`its model cannot be had: ${reasonOf(error, "the host failed")}`);
    }
  }

  /** From here on there is a session. */
  #open(prepared: Prepared, end: () => void): Spawned {
    const room = { host: this.#host, limits: this.#limits, grants: this.#grants };
    const session = openSession(room, prepared, (asked, asker) => this.spawn(asked, asker));
    const { id, scope, depth, names } = session;
    const { messages, findings } = openingMessages(session);
    const tools = toolSpecs(scope, session.callable);
    const agent = names.at(-1) ?? id;
    const skills = scope === null ? [] : scope.skills.map((skill) => skill.id);
    tell(this.#host.onEvent, { type: "spawn.started", id, parent: prepared.asker.id, agent, depth, skills });
    const done = this.#live(session, prepared, messages, tools).finally(end);
    this.#working.add(done);
    void done.finally(() => this.#working.delete(done));
    const said = [...prepared.set.findings, ...prepared.before.findings, ...findings];
    return { status: "accepted", id, scope, findings: said, done };
  }

  async #live(
    session: Session,
    prepared: Prepared,
    opening: readonly Message[],
    tools: readonly ToolSpec[],
  ): Promise<SpawnOutcome> {
    const ran = await runSession(session, opening, tools);
    const outcome = await outcomeOf(session, prepared, ran);
    tell(this.#host.onEvent, { type: "spawn.ended", id: session.id, end: outcome.end });
    return outcome;
  }

  #tellRefusal(asker: Asker, { status, error }: Refusal): void {
    tell(this.#host.onEvent, { type: "spawn.refused", parent: asker.id, status, error });
    if (asker.depth > 0) recordDenial(this.#host, asker, "spawn", { code: "TOOL_NOT_ALLOWED", why: error, by: [] });
  }
}

/** The host's own `spawn` would start children of the primary, with all that the primary may. */
function withoutSpawn(tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, Tool> {
  return new Map([...tools].filter(([name]) => !canonicalTools(name).includes("spawn")));
}

function forbidden(error: string, findings: readonly Finding[] = []): Refusal {
  return { status: "forbidden", error, findings };
}
