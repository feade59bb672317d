import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import type { AppOptions } from "../app.ts";
import type { Environment } from "../config.ts";
import type { World } from "../world.ts";
import { ownModel } from "./agent-model.ts";
import type { StoredAgent } from "./stored-agent.ts";

/** Who answers: a model of our own, one of a provider, or all that a configuration says. */
export interface AskedModel {
  readonly model: string | undefined;
  readonly configuration: string | undefined;
}

export interface ModelSource extends StoredAgent {
  readonly findings: readonly Finding[];
}

/** Opens a store only where the answer needs one; closing it is the caller's, behind the agent. */
export async function openModelSource(
  world: World,
  environment: Environment,
  { model, configuration }: AskedModel,
  options: AppOptions,
): Promise<ModelSource> {
  if (model !== undefined && configuration !== undefined)
    throw new AppError("usage.invalid", "--model: a configuration has its model; give one of --config and --model");
  if (model === undefined && configuration === undefined)
    throw new AppError(
      "usage.invalid",
      "say who answers: --config <id> for a configuration, --model <provider>/<model> for a provider's model, or --model echo to look around",
    );
  const own = model === undefined ? null : await ownModel(world.files, model);
  if (own !== null) return { ...withoutStore, model: own.model, findings: own.findings };
  // Whoever needs no store does not load one.
  const [{ openApp }, { agentOfConfiguration, agentOfProvider }] = await Promise.all([
    import("../app.ts"),
    import("./stored-agent.ts"),
  ]);
  const app = await openApp(world, environment, options);
  try {
    const stored =
      configuration === undefined
        ? await agentOfProvider(app, model ?? "")
        : await agentOfConfiguration(app, configuration);
    const close = async (): Promise<void> => {
      await stored.close();
      await app.close();
    };
    return { ...stored, findings: [], close };
  } catch (error) {
    await app.close();
    throw error;
  }
}

const withoutStore = {
  systemPrompt: "",
  attached: null,
  root: null,
  onUsage: null,
  watch: null,
  close: async () => {},
};
