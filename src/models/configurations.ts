import { canonicalJson } from "../core/canonical.ts";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { initial, parseConfiguration, shownConfiguration, typedConfiguration } from "./configuration.ts";
import { demandConfiguration, type LlmOperator, type LlmReader, mayTouch } from "./context.ts";
import type { LlmReads, LlmRecord } from "./port.ts";
import { allowsModel, parseProvider } from "./provider.ts";
import { demandFreeId, demandRecord, difference, recordChange, removeRecord } from "./records.ts";
import type { Configuration, ConfigurationSettings } from "./schema.ts";

export async function addConfiguration(context: LlmOperator, id: string, typed: unknown): Promise<Configuration> {
  demandConfiguration(context.permit.person, id);
  const fields = typedConfiguration(typed, initial);
  return context.kept.transaction(async (port) => {
    await demandFreeId(port, "configuration", id);
    await demandModel(port, fields);
    await port.putLlmRecord("configuration", toRecord(id, fields));
    await recordChange(context, port, ["configuration.added", id], shownConfiguration(fields));
    return { id, ...fields };
  });
}

/** What is not typed stays. */
export async function changeConfiguration(context: LlmOperator, id: string, typed: unknown): Promise<Configuration> {
  demandConfiguration(context.permit.person, id);
  return context.kept.transaction(async (port) => {
    const { id: _, ...before } = parseConfiguration(await demandRecord(port, "configuration", id));
    const fields = typedConfiguration(typed, before);
    await demandModel(port, fields);
    const changed = difference(shownConfiguration(before), shownConfiguration(fields));
    if (changed === undefined) return { id, ...before };
    await port.putLlmRecord("configuration", toRecord(id, fields));
    await recordChange(context, port, ["configuration.changed", id], changed);
    return { id, ...fields };
  });
}

/** Takes what is attached with it; refused while a task uses it. */
export async function removeConfiguration(context: LlmOperator, id: string): Promise<void> {
  demandConfiguration(context.permit.person, id);
  await context.kept.transaction(async (port) => {
    await demandRecord(port, "configuration", id);
    const namedBy = ["task", "configuration"] as const;
    await removeRecord(context, port, { kind: "configuration", id, namedBy, target: `config:${id}` });
  });
}

/** Those the person may touch, in order of their ids. */
export async function listConfigurations(context: LlmReader): Promise<readonly Configuration[]> {
  const stored = await context.kept.read.listLlmRecords("configuration");
  return stored.filter(({ id }) => mayTouch(context.permit.person, id)).map(parseConfiguration);
}

export async function showConfiguration(context: LlmReader, id: string): Promise<Configuration> {
  demandConfiguration(context.permit.person, id);
  return parseConfiguration(await demandRecord(context.kept.read, "configuration", id));
}

/** RV-13: only a model that the admins allow for this provider. */
async function demandModel(port: LlmReads, { provider: id, model }: ConfigurationSettings): Promise<void> {
  const provider = parseProvider(await demandRecord(port, "provider", id));
  if (allowsModel(provider, model)) return;
  const allowed = safeLine(provider.models.join(", ") || "none", 240);
  throw new AppError("usage.invalid", `model: provider "${id}" does not allow ${model}; it allows: ${allowed}`);
}

function toRecord(id: string, fields: ConfigurationSettings): LlmRecord {
  return { id, record: canonicalJson(fields), secret: null };
}
