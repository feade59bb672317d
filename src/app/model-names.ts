import type { Person } from "../registry/accounts/roles.ts";
import { listConfigurations } from "../use/llm/configurations.ts";
import { parseProvider } from "../use/llm/provider.ts";
import { listTasks } from "../use/llm/task.ts";
import type { Contexts } from "./app.ts";

/** What a person can ask for as a model under plain `/v1` (CO-15): configurations, their models, then tasks. */
export async function modelNames({ kept, llm }: Contexts, person: Person): Promise<readonly string[]> {
  const context = { ...llm, person };
  const providers = (await kept.read.listLlmRecords("provider")).map(parseProvider);
  const allowed = new Map(providers.map(({ id, models }) => [id, models.filter((model) => model !== "*")]));
  const names: string[] = [];
  for (const { id, provider } of await listConfigurations(context)) {
    names.push(id);
    for (const model of allowed.get(provider) ?? []) names.push(`${id}/${model}`);
  }
  for (const { id } of await listTasks(context)) names.push(`task:${id}`);
  return names;
}
