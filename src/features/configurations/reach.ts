import type { Finding } from "../../core/finding.ts";
import { combinedFindings, type SkillInSet, type Union, unionOf } from "../../scan/capabilities.ts";
import { listAttached } from "../../models/attachments.ts";
import { type LlmReader, permitLlm } from "../../models/context.ts";
import { showTask } from "../../models/task.ts";
import type { App } from "../../app/app.ts";

/** What all skills of a configuration or a task can reach for together (RV-14, T35). */
export interface ReachView {
  readonly capabilities: Union;
  readonly findings: readonly Finding[];
}

/** Of what is usable now; a task is used with the skills of its configuration. `config:<id>` or `task:<id>`. */
export async function reachOf(app: App, target: string): Promise<ReachView> {
  const llm = permitLlm(app, "read");
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
