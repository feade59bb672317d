import { canonicalJson } from "../core/canonical.ts";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { demandConfiguration, type LlmOperator, type LlmReader, mayTouch } from "./context.ts";
import type { LlmRecord } from "./port.ts";
import {
  demandFreeId,
  demandRecord,
  difference,
  readRecord,
  recordChange,
  removeRecord,
  type Shown,
  shownPrompt,
} from "./records.ts";
import { type Task, taskSettings } from "./schema.ts";
import { invalid, parseSettings } from "./settings.ts";

type TaskFields = Omit<Task, "id">;

export async function addTask(context: LlmOperator, id: string, typed: unknown): Promise<Task> {
  const fields = typedTask(context, typed, {});
  return context.kept.transaction(async (port) => {
    await demandFreeId(port, "task", id);
    await demandRecord(port, "configuration", fields.configuration);
    await port.putLlmRecord("task", toRecord(id, fields));
    await recordChange(context, port, ["task.added", id], shown(fields));
    return { id, ...fields };
  });
}

/** What is not typed stays. */
export async function changeTask(context: LlmOperator, id: string, typed: unknown): Promise<Task> {
  return context.kept.transaction(async (port) => {
    const before = parseTask(await demandRecord(port, "task", id));
    demandConfiguration(context.permit.person, before.configuration);
    const { id: _, ...fieldsBefore } = before;
    const fields = typedTask(context, typed, fieldsBefore);
    await demandRecord(port, "configuration", fields.configuration);
    const changed = difference(shown(before), shown(fields));
    if (changed === undefined) return before;
    await port.putLlmRecord("task", toRecord(id, fields));
    await recordChange(context, port, ["task.changed", id], changed);
    return { id, ...fields };
  });
}

/** Takes what is attached with it. */
export async function removeTask(context: LlmOperator, id: string): Promise<void> {
  await context.kept.transaction(async (port) => {
    const stored = await demandRecord(port, "task", id);
    // One who is limited has to show that it is theirs; anyone else can remove what cannot be read any more.
    if (context.permit.person.configurations !== null)
      demandConfiguration(context.permit.person, parseTask(stored).configuration);
    await removeRecord(context, port, { kind: "task", id, target: `task:${id}` });
  });
}

/** Those of the configurations the person may touch, in order of their ids. */
export async function listTasks(context: LlmReader): Promise<readonly Task[]> {
  const stored = await context.kept.read.listLlmRecords("task");
  return stored.map(parseTask).filter(({ configuration }) => mayTouch(context.permit.person, configuration));
}

export async function showTask(context: LlmReader, id: string): Promise<Task> {
  const task = parseTask(await demandRecord(context.kept.read, "task", id));
  demandConfiguration(context.permit.person, task.configuration);
  return task;
}

/** A task holds no words to be read as the safest: what is not there is damage. */
export function parseTask(stored: LlmRecord): Task {
  return { id: stored.id, ...readRecord("task", stored, taskSettings.strip()) };
}

function typedTask(context: LlmOperator, typed: unknown, before: Partial<TaskFields>): TaskFields {
  const fields = parseSettings(taskSettings, typed, before);
  demandConfiguration(context.permit.person, fields.configuration);
  demandPlaceholders(fields.template);
  return fields;
}

/** A misspelt placeholder would go to the model as it stands; a template without any would drop the input. */
function demandPlaceholders(template: string): void {
  const placeholders = template.match(/\{\{[^{}]*\}\}/g) ?? [];
  const stranger = placeholders.find((placeholder) => placeholder !== "{{input}}");
  if (stranger !== undefined)
    throw new AppError("usage.invalid", `template: ${safeLine(stranger, 64)} is not known; expected only {{input}}`);
  if (placeholders.length === 0) throw invalid("template", "{{input}} where the caller's text goes");
}

function shown({ configuration, template }: TaskFields): Shown {
  return { configuration, template: shownPrompt(template) };
}

function toRecord(id: string, fields: TaskFields): LlmRecord {
  return { id, record: canonicalJson(fields), secret: null };
}
