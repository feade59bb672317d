import type { EntryId } from "../../core/ids.ts";
import { safeName } from "../../core/text.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import type { UsageCount } from "../../registry/inquiry.ts";
import type { UsageEvent } from "../../registry/usage/usage.ts";
import { demandConfiguration } from "../../models/context.ts";
import { compareBytes } from "../../workspace/lock.ts";
import type { App } from "../../app/app.ts";
import { nameIn } from "../skills/view.ts";
import { usageCounting } from "./reading.ts";
import type { UsageDay, UsageView } from "./schema.ts";

export interface UsageAsked {
  /** So many, today among them. */
  readonly days: number;
  /** Only what was used with this one. */
  readonly configuration?: string | undefined;
}

const milliseconds = 86_400_000;
const mostSkills = 500;
const mostTools = 1000;

/** What is in the store: the last seconds of each node come with its next batch, and what has expired is gone (RV-8). */
export async function usageView(app: App, asked: UsageAsked): Promise<UsageView> {
  const { first, days, skills } = await countDays(app, asked);
  const look = await app.registry.look();
  const most = [...skills.values()]
    .toSorted((a, b) => b.all - a.all || compareBytes(a.entry, b.entry))
    .slice(0, mostSkills);
  const tools = mostDenied(most);
  return {
    since: dayOf(first),
    days,
    skills: most.map(({ entry, counts, last }) => ({
      entry,
      name: safeName(nameIn(look, entry)),
      counts,
      last,
      tools: tools.get(entry) ?? [],
    })),
  };
}

/** The last days, the oldest first, as far as the person may see. */
export async function usageByDay(app: App, days: number): Promise<readonly UsageDay[]> {
  return (await countDays(app, { days })).days;
}

/** What happened to one skill on all days together. */
interface SkillUse {
  readonly entry: EntryId;
  readonly counts: Partial<Record<UsageEvent, number>>;
  readonly tools: Map<string, number>;
  all: number;
  last: number;
}

async function countDays(app: App, asked: UsageAsked) {
  const configurations = configurationsOf(app, asked);
  const first = Math.floor(app.world.clock.now() / milliseconds) - asked.days + 1;
  const days: UsageDay[] = [];
  const skills = new Map<EntryId, SkillUse>();
  await usageCounting(app).each({ first, days: asked.days, configurations }, (counted, at) => {
    const counts: Partial<Record<UsageEvent, number>> = {};
    for (const count of counted) {
      counts[count.event] = (counts[count.event] ?? 0) + count.times;
      addTo(skills, count);
    }
    days.push({ day: dayOf(first + at), counts });
  });
  return { first, days, skills };
}

function addTo(skills: Map<EntryId, SkillUse>, { entry, event, tool, times, last }: UsageCount): void {
  const known = skills.get(entry);
  const use = known ?? { entry, counts: {}, tools: new Map<string, number>(), all: 0, last };
  if (known === undefined) skills.set(entry, use);
  use.counts[event] = (use.counts[event] ?? 0) + times;
  if (event === "denied" && tool !== null) use.tools.set(tool, (use.tools.get(tool) ?? 0) + times);
  use.all += times;
  use.last = Math.max(use.last, last);
}

/** RV-12: whoever is limited to some configurations sees what happened there, and nothing else. */
function configurationsOf(app: App, { configuration }: UsageAsked): readonly string[] | null {
  const { person } = requireRight(app, "read");
  if (configuration === undefined) return person.configurations;
  demandConfiguration(person, configuration);
  return [configuration];
}

/** The most frequent of all, by skill. */
function mostDenied(skills: readonly SkillUse[]): ReadonlyMap<EntryId, { tool: string; times: number }[]> {
  const all = skills.flatMap(({ entry, tools }) => [...tools].map(([tool, times]) => ({ entry, tool, times })));
  const most = all
    .toSorted((a, b) => b.times - a.times || compareBytes(a.entry, b.entry) || compareBytes(a.tool, b.tool))
    .slice(0, mostTools);
  const byEntry = new Map<EntryId, { tool: string; times: number }[]>();
  for (const { entry, tool, times } of most) {
    const tools = byEntry.get(entry);
    if (tools === undefined) byEntry.set(entry, [{ tool, times }]);
    else tools.push({ tool, times });
  }
  return byEntry;
}

function dayOf(day: number): string {
  return new Date(day * milliseconds).toISOString().slice(0, 10);
}
