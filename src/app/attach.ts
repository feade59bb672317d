import { AppError } from "../base/error.ts";
import type { EntryId } from "../base/ids.ts";
import { nameKey, safeLine } from "../base/text.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { Look } from "../registry/registry.ts";
import { attach, type Attached, detach, listAttached } from "../use/llm/attachments.ts";
import type { App } from "./app.ts";
import { demandEntry } from "./find.ts";

/** What a configuration or a task carries after a change. */
export interface AttachedTo {
  /** `config:<id>` or `task:<id>`. */
  readonly target: string;
  /** The entry that was put on it or taken off. */
  readonly entry: EntryId;
  readonly attached: readonly Attached[];
}

/** Puts a skill on a configuration (by its bare id) or a task; the skill by its id or by a name only one has (RV-14). */
export async function attachSkill(app: App, typedTarget: string, typed: string): Promise<AttachedTo> {
  demand(app.person, "operate", app.llm.policy);
  const target = targetOf(typedTarget);
  const { id: entry } = demandEntry(await app.registry.look(), typed);
  await attach(app.llm, target, entry);
  return { target, entry, attached: await listAttached(app.llm, target) };
}

/** Takes it off again, also when the registry has it no more. */
export async function detachSkill(app: App, typedTarget: string, typed: string): Promise<AttachedTo> {
  demand(app.person, "operate", app.llm.policy);
  const target = targetOf(typedTarget);
  const entry = attachedAs(await app.registry.look(), await listAttached(app.llm, target), typed);
  await detach(app.llm, target, entry);
  return { target, entry, attached: await listAttached(app.llm, target) };
}

function targetOf(typed: string): string {
  return typed.includes(":") ? typed : `config:${typed}`;
}

/** Among what is attached a name need only be unique there. */
function attachedAs(look: Look, attached: readonly Attached[], typed: string): EntryId {
  const ids = attached.map(({ entry }) => entry);
  if (ids.includes(typed)) return typed;
  const named = ids.filter((id) => nameKey(nameIn(look, id)) === nameKey(typed));
  if (named.length < 2) return named[0] ?? demandEntry(look, typed).id;
  const listed = named.map((id) => safeLine(id, 240)).join(", ");
  throw new AppError("usage.invalid", `several of them are named "${safeLine(typed)}": ${listed}; name one by its id`);
}

function nameIn({ facts, snapshot }: Look, id: EntryId): string {
  const current = facts.entries.get(id)?.current ?? "";
  return snapshot.usable.get(id)?.name ?? facts.summaries.get(current)?.name ?? id;
}
