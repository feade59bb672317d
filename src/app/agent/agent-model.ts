import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import type { Model } from "../../base/model.ts";
import { safeLine } from "../../base/text.ts";
import type { Files } from "../../base/world.ts";
import type { AgentModel } from "../../use/agent/agent-host.ts";
import { echoModel } from "../../use/llm/echo.ts";
import { scriptedModel } from "../../use/llm/scripted.ts";
import { parseScript } from "../../use/llm/scripted-rules.ts";

const mostBytes = 1024 * 1024;
const scriptPrefix = "scripted:";

/** Models that need neither a key nor a store (AG-8); null for a name of any other. */
export async function ownModel(
  files: Files,
  name: string,
): Promise<{ readonly model: AgentModel; readonly findings: readonly Finding[] } | null> {
  if (name === "echo") return { model: named(name, echoModel()), findings: [] };
  if (!name.startsWith(scriptPrefix)) return null;
  const path = name.slice(scriptPrefix.length);
  const { script, findings } = parseScript(await readScript(files, path));
  if (script.rules.length === 0)
    throw new AppError("usage.invalid", `${safeLine(path, 240)}: ${findings[0]?.message ?? "the script has no rules"}`);
  return { model: named(name, scriptedModel(script)), findings };
}

/** A name and a model as an agent wants it. */
export function named(name: string, model: Model): AgentModel {
  return { name, model, parameters: {} };
}

async function readScript(files: Files, path: string): Promise<string> {
  const bytes = await files.read(await files.resolve(path), mostBytes);
  if (!(bytes instanceof Uint8Array))
    throw new AppError("usage.invalid", `${safeLine(path, 240)} has more than ${mostBytes} bytes`);
  return new TextDecoder().decode(bytes);
}
