import { AppError } from "../../base/error.ts";
import type { Model } from "../../base/model.ts";
import { safeLine } from "../../base/text.ts";
import { primaryName } from "./agent-calls.ts";
import type { AgentHost, AgentModel } from "./agent-host.ts";
import type { SpawnHost } from "./spawn/spawn-host.ts";

type OfTheAgent = Required<Pick<SpawnHost, "capabilities" | "tools" | "scope" | "onEvent">>;

/** The agent as the primary of its sub-agents: they have of all this less than it has. */
export function spawnHostOf(host: AgentHost, agent: OfTheAgent): SpawnHost {
  const { model, identity, grants, ask, contracts, clock, stopwatch, timer, random, spawnLimits, onUsage } = host;
  return {
    ...agent,
    name: primaryName,
    model: (name) => (name === null ? model.model : demandNamed(model, name)),
    identity,
    grants,
    ...(ask !== null && { ask }),
    ...(contracts !== null && { contracts }),
    clock,
    stopwatch,
    timer,
    random,
    limits: spawnLimits,
    ...(onUsage !== null && { onUsage }),
  };
}

function demandNamed({ name: usual, model, named }: AgentModel, name: string): Promise<Model> | Model {
  if (name === usual) return model;
  if (named !== undefined) return named(name);
  throw new AppError("record.missing", `there is no other model than ${safeLine(usual, 80)}`);
}
