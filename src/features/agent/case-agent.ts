import type { Model } from "../../core/model.ts";
import type { OpenAgent } from "../../agent/evaluation/run-case.ts";
import type { Environment } from "../../app/config/config.ts";
import type { World } from "../../app/world/world.ts";
import { type ModelSource, named, openModelSource } from "./agent-source.ts";
import { withHome } from "./agent-places.ts";
import { openAgent } from "./open-agent.ts";

/** AG-9: an agent for a case. Of the person who runs it, it has a configured model at most. */
export function caseAgents(world: World, environment: Environment): OpenAgent {
  return async ({ workspace, home, model, trust, allow }) => {
    const { model: chosen, close } = await modelOf(world, environment, model);
    try {
      return await openAgent(world, withHome(environment, home), {
        folder: workspace,
        model: chosen,
        trustWorkspace: trust,
        allow,
        keep: false,
        watch: false,
        onClosed: close,
      });
    } catch (error) {
      await close();
      throw error;
    }
  };
}

async function modelOf(
  world: World,
  environment: Environment,
  model: Model | string,
): Promise<Pick<ModelSource, "model" | "close">> {
  if (typeof model !== "string") return { model: named("scripted", model), close: async () => {} };
  return openModelSource(world, environment, { model, configuration: undefined }, {});
}
