import type { EntryId } from "../../core/ids.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import { addTriggers, readTriggers, removeTriggers, type TriggerContext } from "../../routing/admin-triggers.ts";
import type { App } from "../../app/app.ts";
import { demandEntry, requireRightToAll } from "../skills/find.ts";
import type { Triggers } from "../../routing/schema.ts";
import type { TriggerList } from "./schema.ts";

/** RT-2: sets phrases for a skill; the skill by its id, or by a name only one has. */
export async function addSkillTriggers(app: App, typed: string, phrases: readonly string[]): Promise<Triggers> {
  const permit = requireRight(app, "administer");
  return addTriggers(contextOf(app, permit), demandEntry(await app.registry.look(), typed).id, phrases);
}

/** Takes them away again, also of a skill that the registry has no more; all of them when none is named. */
export async function removeSkillTriggers(app: App, typed: string, phrases: readonly string[]): Promise<Triggers> {
  const permit = requireRight(app, "administer");
  return removeTriggers(contextOf(app, permit), await entryOf(app, typed), phrases);
}

export async function listSkillTriggers(app: App): Promise<TriggerList> {
  requireRightToAll(app, "triggers concern all of them");
  const { triggers, findings } = await readTriggers(app.kept.read);
  const { standings } = (await app.registry.look()).snapshot;
  const stateIn = (entry: EntryId) => standings.get(entry)?.state ?? "missing";
  const views = triggers.map(({ entry, phrases }) => ({ entry, phrases, state: stateIn(entry) }));
  return { triggers: views, findings };
}

/** An id that has triggers is meant as it is, whether there is such an entry or not. */
async function entryOf(app: App, typed: string): Promise<EntryId> {
  const row = await app.kept.read.findTriggers(typed);
  return row?.entry ?? demandEntry(await app.registry.look(), typed).id;
}

function contextOf({ kept, world }: App, permit: Permit<"administer">): TriggerContext {
  return { kept, clock: world.clock, permit };
}
