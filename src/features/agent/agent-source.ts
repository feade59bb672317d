import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { Model } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import type { AgentModel } from "../../agent/agent-host.ts";
import { echoModel } from "../../models/echo.ts";
import { scriptedModel } from "../../models/scripted.ts";
import { parseScript } from "../../models/scripted-rules.ts";
import type { AppOptions } from "../../app/app.ts";
import type { Environment } from "../../app/config/config.ts";
import type { World } from "../../app/world/world.ts";
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
    import("../../app/app.ts"),
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

const mostBytes = 1024 * 1024;
const scriptPrefix = "scripted:";

/** Models that need neither a key nor a store (AG-8); null for a name of any other. */
async function ownModel(
  files: Files,
  name: string,
): Promise<{ readonly model: AgentModel; readonly findings: readonly Finding[] } | null> {
  if (name === "echo") return { model: named(name, echoModel()), findings: [] };
  if (!name.startsWith(scriptPrefix)) return null;
  const path = name.slice(scriptPrefix.length);
  const bytes = await files.read(await files.resolve(path), mostBytes);
  if (!(bytes instanceof Uint8Array))
    throw new AppError("usage.invalid", `${safeLine(path, 240)} has more than ${mostBytes} bytes`);
  const { script, findings } = parseScript(new TextDecoder().decode(bytes));
  if (script.rules.length === 0)
    throw new AppError("usage.invalid", `${safeLine(path, 240)}: ${findings[0]?.message ?? "the script has no rules"}`);
  return { model: named(name, scriptedModel(script)), findings };
}

/** A name and a model as an agent wants it. */
export function named(name: string, model: Model): AgentModel {
  return { name, model, parameters: {} };
}
