import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { nameKey, safeLine } from "../../core/text.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Look } from "../../registry/registry.ts";
import { combinedFindings, type SkillInSet, unionOf } from "../../scan/capabilities.ts";
import type { Composition } from "../../compose/composition.ts";
import { placeOfEntry } from "../../compose/findings.ts";
import { attach, detach, listAttached } from "../../models/attachments.ts";
import { type LlmReader, permitLlm } from "../../models/context.ts";
import { listTasks, showTask } from "../../models/task.ts";
import type { App } from "../../app/app.ts";
import { composeTarget } from "./compositions.ts";
import { nameIn } from "../skills/view.ts";
import { demandEntry, seenBy } from "../skills/find.ts";
import { listConfigurations, showConfiguration } from "../../models/configurations.ts";
import type { TargetKey } from "../../models/port.ts";
import type { AttachedTo, AttachedView } from "./schema-attached.ts";
import type { Attached, Configuration, Task } from "../../models/schema.ts";

/** Everything on `config:<id>` or `task:<id>`, with what each stands at and what all can reach for. */
export async function showAttached(app: App, target: string): Promise<AttachedView> {
  return readAttached(app, permitLlm(app, "read"), target);
}

/** A configuration, and everything on it. */
export async function showConfigurationWithSkills(
  app: App,
  id: string,
): Promise<{ readonly configuration: Configuration; readonly view: AttachedView }> {
  const llm = permitLlm(app, "read");
  const configuration = await showConfiguration(llm, id);
  return { configuration, view: await readAttached(app, llm, `config:${id}`) };
}

/** A task, and what is on the task itself. */
export async function showTaskWithSkills(
  app: App,
  id: string,
): Promise<{ readonly task: Task; readonly view: AttachedView }> {
  const llm = permitLlm(app, "read");
  const task = await showTask(llm, id);
  return { task, view: await readAttached(app, llm, `task:${id}`) };
}

async function readAttached(app: App, llm: LlmReader, target: string): Promise<AttachedView> {
  return { attached: await listAttached(llm, target), ...(await reachOf(app, llm, target)) };
}

/** Puts a skill on a configuration (by its bare id) or a task; the skill by its id or by a name only one has (RV-14). */
export async function attachSkill(app: App, typedTarget: string, typed: string): Promise<AttachedTo> {
  const llm = permitLlm(app, "operate");
  const target = targetOf(typedTarget);
  // RV-12: before anything is said of the entry.
  await listAttached(llm, target);
  const { id: entry } = demandEntry(seenBy(app.person, await app.registry.look()), typed);
  await attach(llm, target, entry);
  const view = await readAttached(app, llm, target);
  return { target, entry, ...view, findings: [...(await findingsOn(app, llm, target, entry)), ...view.findings] };
}

async function findingsOn(app: App, llm: LlmReader, target: string, entry: EntryId): Promise<readonly Finding[]> {
  const { dropped, findings } = await compositionOf(app, llm, target);
  const isOut = dropped.some((each) => each.entry === entry);
  return isOut ? findings.filter(({ at }) => at.file === placeOfEntry(entry)) : [];
}

async function compositionOf(
  app: App,
  llm: LlmReader,
  target: string,
): Promise<Pick<Composition, "dropped" | "findings">> {
  const [kind, id = ""] = target.split(":");
  const task = kind === "task" ? id : undefined;
  try {
    const configuration = task === undefined ? id : (await showTask(llm, task)).configuration;
    return (await composeTarget(app, llm.permit, { configuration, task })).composition;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // It is attached; what else is wrong with the target, such as its provider, is said to whoever asks for an answer.
    return { dropped: [], findings: [] };
  }
}

/** Takes it off again, also when the registry has it no more. */
export async function detachSkill(app: App, typedTarget: string, typed: string): Promise<AttachedTo> {
  const llm = permitLlm(app, "operate");
  const target = targetOf(typedTarget);
  const attached = await listAttached(llm, target);
  const entry = attachedAs(app.person, await app.registry.look(), attached, typed);
  await detach(llm, target, entry);
  return { target, entry, ...(await readAttached(app, llm, target)) };
}

function targetOf(typed: string): string {
  return typed.includes(":") ? typed : `config:${typed}`;
}

/** Among what is attached a name need only be unique there. */
function attachedAs(person: Person, look: Look, attached: readonly Attached[], typed: string): EntryId {
  const ids = attached.map(({ entry }) => entry);
  if (ids.includes(typed)) return typed;
  const named = ids.filter((id) => nameKey(nameIn(look, id)) === nameKey(typed));
  if (named.length < 2) return named[0] ?? demandEntry(seenBy(person, look), typed).id;
  const listed = named.map((id) => safeLine(id, 240)).join(", ");
  throw new AppError("usage.invalid", `several of them are named "${safeLine(typed)}": ${listed}; name one by its id`);
}

/** What all skills of a configuration or a task can reach for together (RV-14, T35). */
export type ReachView = Omit<AttachedView, "attached">;

/** Of what is usable now; a task is used with the skills of its configuration. `config:<id>` or `task:<id>`. */
async function reachOf(app: App, llm: LlmReader, target: string): Promise<ReachView> {
  const { snapshot, facts } = await app.registry.look();
  const attached = [...(await houseSkills(llm, target)), ...(await listAttached(llm, target))];
  const skills = [...new Set(attached.map(({ entry }) => entry))].flatMap((entry): SkillInSet[] => {
    const usable = snapshot.usable.get(entry);
    const summary = usable && facts.summaries.get(usable.digest);
    return summary === undefined ? [] : [{ skill: entry, capabilities: summary.capabilities }];
  });
  return { capabilities: unionOf(skills), findings: combinedFindings(skills, target) };
}

async function houseSkills(llm: LlmReader, target: string): ReturnType<typeof listAttached> {
  if (!target.startsWith("task:")) return [];
  const { configuration } = await showTask(llm, target.slice("task:".length));
  return listAttached(llm, `config:${configuration}`);
}

/** A skill and what it is attached to. */
export interface AttachedSkill {
  readonly target: TargetKey;
  readonly attached: Attached;
}

/** On every configuration and task that the person may see. */
export async function attachedEverywhere(context: LlmReader): Promise<readonly AttachedSkill[]> {
  const targets: TargetKey[] = [
    ...(await listConfigurations(context)).map(({ id }): TargetKey => `config:${id}`),
    ...(await listTasks(context)).map(({ id }): TargetKey => `task:${id}`),
  ];
  const lists = await Promise.all(
    targets.map(async (target) => (await listAttached(context, target)).map((attached) => ({ target, attached }))),
  );
  return lists.flat();
}
