import type { Model } from "../../../base/model.ts";
import type { Judgement } from "../../scope/contract/composition.ts";
import type { HostPolicy } from "../../scope/gate.ts";
import type { Lifetime } from "./lifetime.ts";
import { type Asker, DenialCount, type Session } from "./session.ts";
import type { Ran } from "./session-loop.ts";
import type { SpawnOutcome } from "./spawn.ts";
import type { SpawnContracts } from "./spawn-contracts.ts";
import { reasonOf, spawnFinding } from "./spawn-faults.ts";
import type { ReadRequest } from "./spawn-request.ts";
import type { SkillSet } from "./spawn-set.ts";
import { type AskForSpawn, spawnTool } from "./spawn-tool.ts";
import type { Tool } from "../tool.ts";
import type { Working } from "./working.ts";

/** All that a session is made of, once nothing speaks against it. */
export interface Prepared {
  readonly request: ReadRequest;
  readonly asker: Asker;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly set: SkillSet;
  readonly lifetime: Lifetime;
  readonly model: Model;
  readonly modelName: string | null;
  readonly contracts: SpawnContracts;
  /** What the preconditions came to. */
  readonly before: Judgement;
  /** The tools of the session that have not settled. */
  readonly running: Working;
}

export function openSession(
  room: Pick<Session, "host" | "limits" | "grants" | "track">,
  { request, asker, tools, set, lifetime, model, modelName }: Prepared,
  spawnFor: (session: Session) => AskForSpawn,
): Session {
  const { host, limits } = room;
  const { random } = host;
  const id = Buffer.from(random.bytes(12)).toString("hex");
  const depth = asker.depth + 1;
  const askForSpawn: AskForSpawn = (...asked) => spawnFor(session)(...asked);
  const own = depth < limits.depth ? [spawnTool(askForSpawn, { random, textBytes: limits.textBytes })] : [];
  const callable = new Map<string, Tool>([...tools, ...own.map((tool) => [tool.name, tool] as const)]);
  const names = [...asker.names, request.agent ?? id];
  const policy = policyOf(callable);
  const made = { id, names, depth, scope: set.scope, tools: () => tools, callable, policy };
  const given = { lifetime, model, modelName, task: request.task, denials: new DenialCount() };
  const session: Session = Object.freeze({ ...room, ...made, ...given });
  return session;
}

/** The host's own word comes first, and only the tools that were there at the spawn exist (SC-7). */
export function policyOf(tools: ReadonlyMap<string, Tool>): HostPolicy {
  return {
    catalogue: new Set(tools.keys()),
    word: (call, scope) => {
      const tool = tools.get(call.tool);
      return tool?.policy === undefined ? "allow" : tool.policy(call, scope);
    },
  };
}

/** What came of a session, with the word of its contracts on it (SC-10). One that has no result is not judged. */
export async function outcomeOf(
  { id, lifetime }: Session,
  { contracts, before }: Prepared,
  ran: Ran,
): Promise<SpawnOutcome> {
  const known = { ...ran, predicates: before.results };
  if (ran.end !== "finished" && ran.end !== "turns") return known;
  try {
    const after = await lifetime.during((signal) => contracts.after(ran, signal));
    return {
      end: after.refused ? "failed" : ran.end,
      text: ran.text,
      findings: [...ran.findings, ...after.findings],
      predicates: [...before.results, ...after.results],
    };
  } catch (error) {
    const endedBy = lifetime.endedBy();
    if (endedBy !== null) return { ...known, end: endedBy };
    const finding = spawnFinding("spawn.broken", id, reasonOf(error, "the contracts could not be judged"));
    return { ...known, end: "failed", findings: [...ran.findings, finding] };
  }
}
