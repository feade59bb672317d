import { type Attached, listAttached } from "../../models/attachments.ts";
import { listConfigurations } from "../../models/configurations.ts";
import type { LlmReader } from "../../models/context.ts";
import type { TargetKey } from "../../models/port.ts";
import { listTasks } from "../../models/task.ts";

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
