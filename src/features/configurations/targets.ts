import type { Contexts } from "../../app/app.ts";
import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeName } from "../../core/text.ts";
import { parseConfiguration } from "../../models/configuration.ts";
import { listConfigurations } from "../../models/configurations.ts";
import { demandConfiguration, permitLlm } from "../../models/context.ts";
import type { LlmReads } from "../../models/port.ts";
import { parseProvider } from "../../models/provider.ts";
import { demandRecord } from "../../models/records.ts";
import { openSecret } from "../../models/secrets.ts";
import { listTasks, parseTask } from "../../models/task.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { atOneGeneration, GenerationChanged } from "../../registry/one-generation.ts";
import type { Look } from "../../registry/registry.ts";
import type { Configuration, Provider, Task } from "../../models/schema.ts";

/** What a request is for: one of the two is named. */
export type TargetName = { readonly configuration: string } | { readonly task: string };

/** Everything that is kept about where a request goes and with which skills, of one generation (invariant 8). */
export interface Target {
  readonly look: Look;
  readonly configuration: Configuration;
  readonly task: Task | null;
  readonly provider: Provider;
  /** Opened for this provider at this origin; null: it has none. Never shown (T40). */
  readonly secret: string | null;
  readonly attached: { readonly configuration: readonly EntryId[]; readonly task: readonly EntryId[] };
}

type Records = Omit<Target, "look">;

/** Finds targets. What was read is kept for as long as the generation is: any change of state makes a new one. */
export class Targets {
  readonly #contexts: Contexts;
  readonly #known = new Map<string, Records>();
  #generation = -1;

  constructor(contexts: Contexts) {
    this.#contexts = contexts;
  }

  /** RV-12: refused before anything is read when the person is limited to other configurations. */
  async find(person: Person, name: TargetName): Promise<Target> {
    if ("configuration" in name) this.#demandAllowed(person, name.configuration);
    const target = await atOneGeneration(async (): Promise<Target> => {
      const look = await this.#contexts.registry.look();
      const records = this.#knownFor(look, name) ?? (await this.#read(look, name));
      return { look, ...records };
    });
    this.#demandAllowed(person, target.configuration.id);
    return target;
  }

  #knownFor({ snapshot }: Look, name: TargetName): Records | undefined {
    if (snapshot.generation !== this.#generation) this.#known.clear();
    this.#generation = snapshot.generation;
    return this.#known.get(keyOf(name));
  }

  async #read({ snapshot }: Look, name: TargetName): Promise<Records> {
    const { kept, keys } = this.#contexts;
    const task = "task" in name ? parseTask(await demandRecord(kept.read, "task", name.task)) : null;
    const id = "task" in name ? (task?.configuration ?? "") : name.configuration;
    const configuration = parseConfiguration(await demandRecord(kept.read, "configuration", id));
    const stored = await demandRecord(kept.read, "provider", configuration.provider);
    const provider = parseProvider(stored);
    const secret = openSecret(keys, stored);
    const records = { configuration, task, provider, secret, attached: await attachedTo(kept.read, id, task) };
    if ((await kept.read.generation()) !== snapshot.generation) throw new GenerationChanged();
    if (this.#generation === snapshot.generation) this.#known.set(keyOf(name), records);
    return records;
  }

  #demandAllowed(person: Person, configuration: string): void {
    demandConfiguration(person, configuration);
  }
}

function keyOf(name: TargetName): string {
  return "task" in name ? `task:${name.task}` : `config:${name.configuration}`;
}

async function attachedTo(port: LlmReads, configuration: string, task: Task | null): Promise<Target["attached"]> {
  return {
    configuration: await port.listAttached(`config:${configuration}`),
    task: task === null ? [] : await port.listAttached(`task:${task.id}`),
  };
}

/** What a skill is asked for by, when somebody names it for one request. */
export function demandInvocable(person: Person, target: Target, entry: EntryId): void {
  const { attached, configuration } = target;
  if (person.configurations === null || attached.configuration.includes(entry) || attached.task.includes(entry)) return;
  const { routable } = configuration;
  if (routable.includes(entry) || routable.includes(`source:${entry.slice(0, entry.indexOf(":"))}`)) return;
  throw new AppError(
    "auth.forbidden",
    `${safeName(person.name)} is limited to some configurations: "${safeName(entry)}" is not among the skills of ${configuration.id}`,
  );
}

/** What a person can ask for as a model under plain `/v1` (CO-15): configurations, their models, then tasks. */
export async function modelNames({ kept, llm, policy }: Contexts, person: Person): Promise<readonly string[]> {
  const context = permitLlm({ llm, person, policy }, "read");
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
