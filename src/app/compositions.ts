import { AppError } from "../base/error.ts";
import type { EntryId } from "../base/ids.ts";
import { demand, type Person } from "../registry/accounts/roles.ts";
import { compositionKey } from "../registry/keys.ts";
import { readMaterials } from "../registry/material.ts";
import { compose } from "../use/compose/compose.ts";
import type { Composition } from "../use/compose/composition.ts";
import { select } from "../use/compose/select.ts";
import type { Configuration } from "../use/llm/configuration.ts";
import type { Task } from "../use/llm/task.ts";
import type { App, Contexts } from "./app.ts";
import { demandEntry } from "./find.ts";
import { demandInvocable, type Target, Targets } from "./targets.ts";
import { estimateTokens } from "./tokens.ts";

/** Skills may take this part of what the model can read; the rest is the conversation's. */
const shareOfContext = 0.25;

/**
 * CO-1 to CO-7: select, read what the store holds at this moment, verify it and put it together. Undefined when somebody
 * changed meanwhile what it rests on: the target is to be found again, so that all is of one generation (invariant 8).
 */
export async function composeFor(
  { kept, keys }: Pick<Contexts, "kept" | "keys">,
  target: Target,
  invoked: readonly EntryId[] = [],
): Promise<Composition | undefined> {
  const { look, configuration, attached } = target;
  const { usable, standings } = look.snapshot;
  const wanted = { ...attached, invoked, routed: [] };
  const selection = select(usable, wanted, configuration.trustFloor, (entry) => whyNot(standings.get(entry)));
  const chosen = selection.chosen.flatMap(({ entry }) => usable.get(entry) ?? []);
  const { contextTokens } = configuration;
  const tokens = { most: Math.floor((contextTokens ?? 0) * shareOfContext), count: estimateTokens };
  const composition = compose(selection, await readMaterials({ kept, keys }, chosen), {
    key: compositionKey(keys),
    configuration: configuration.id,
    placement: configuration.placement,
    systemFloor: configuration.systemFloor,
    budget: configuration.budget,
    ...(contextTokens === null ? {} : { tokens }),
  });
  // A word that a person takes back has made a new generation; what a hand in the database does has not.
  const isTampered = composition.dropped.some(({ why }) => why === "tampered");
  const isOver = isTampered && (await kept.read.generation()) !== look.snapshot.generation;
  return isOver ? undefined : composition;
}

function whyNot(standing: { readonly state: string; readonly reason: string } | undefined): string {
  return standing === undefined ? "the registry has no such entry" : `it is ${standing.state}: ${standing.reason}`;
}

/** The entries that were named for one request, by id or by a name that only one has. */
export function invokedEntries(person: Person, target: Target, names: readonly string[]): readonly EntryId[] {
  const ids = names.map((name) => demandEntry(target.look, name).id);
  for (const id of ids) demandInvocable(person, target, id);
  return ids;
}

export interface AskedComposition {
  readonly configuration: string;
  readonly task?: string | undefined;
  readonly skills?: readonly string[] | undefined;
}

/** What a request would be given now. Nothing is sent, and nothing is recorded. */
export async function composeStored(
  app: App,
  asked: AskedComposition,
): Promise<{ composition: Composition; generation: number; configuration: Configuration; task: Task | null }> {
  const { configuration, task, skills = [] } = asked;
  demand(app.person, "read", app.llm.policy);
  const target = await new Targets(app).find(app.person, task === undefined ? { configuration } : { task });
  if (target.configuration.id !== configuration)
    throw new AppError("usage.invalid", `task "${target.task?.id}" is one of configuration ${target.configuration.id}`);
  const composition = await composeFor(app, target, invokedEntries(app.person, target, skills));
  if (composition === undefined) return composeStored(app, asked);
  const { generation } = target.look.snapshot;
  return { composition, generation, configuration: target.configuration, task: target.task };
}
