import type { EntryId } from "../base/ids.ts";
import { safeName } from "../base/text.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { EntryUse, UsageWanted } from "../registry/inquiry.ts";
import type { UsageEvent } from "../registry/usage.ts";
import { demandConfiguration } from "../use/llm/context.ts";
import type { App } from "./app.ts";
import { nameIn } from "./entry-view.ts";

type Counts = Readonly<Partial<Record<UsageEvent, number>>>;

/** One day (UTC, `2026-11-16`), and how often what happened to skills on it. */
export interface UsageDay {
  readonly day: string;
  readonly counts: Counts;
}

/** What happened to skills, day by day and to each of them (SV-3). */
export interface UsageView {
  /** The first day that is counted. */
  readonly since: string;
  /** Every day up to today, also those on which nothing happened. */
  readonly days: readonly UsageDay[];
  /** The most used first, and so many at the most; why one was left out is in each injection. */
  readonly skills: readonly {
    readonly entry: EntryId;
    readonly name: string;
    readonly counts: Counts;
    readonly last: number;
    /** Which tools were denied, the most frequent first. */
    readonly tools: readonly { readonly tool: string; readonly times: number }[];
  }[];
}

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
  const { read } = app.kept;
  const first = firstDay(app, asked.days);
  const wanted = wantedBy(app, asked, first);
  const look = await app.registry.look();
  const entries = await read.usageByEntry(wanted, mostSkills);
  const denied = await read.deniedTools(wanted, mostTools);
  const toolsOf = (entry: EntryId) => denied.filter((each) => each.entry === entry);
  return {
    since: dayOf(first),
    days: await countedDays(app, wanted, first, asked.days),
    skills: entries.map((use) => ({
      entry: use.entry,
      name: safeName(nameIn(look, use.entry)),
      counts: shownCounts(use),
      last: use.last,
      tools: toolsOf(use.entry).map(({ tool, times }) => ({ tool, times })),
    })),
  };
}

/** The last days, the oldest first, as far as the person may see. */
export async function usageByDay(app: App, days: number): Promise<readonly UsageDay[]> {
  const first = firstDay(app, days);
  return countedDays(app, wantedBy(app, { days }, first), first, days);
}

function firstDay({ world }: App, days: number): number {
  return Math.floor(world.clock.now() / milliseconds) - days + 1;
}

/** RV-12: whoever is limited to some configurations sees what happened there, and nothing else. */
function wantedBy({ llm, person }: App, { configuration }: UsageAsked, first: number): UsageWanted {
  demand(person, "read", llm.policy);
  const since = first * milliseconds;
  if (configuration === undefined) return { since, configurations: person.configurations };
  demandConfiguration(llm, configuration);
  return { since, configurations: [configuration] };
}

async function countedDays(app: App, wanted: UsageWanted, first: number, days: number): Promise<readonly UsageDay[]> {
  const counts = Array.from({ length: days }, (): Partial<Record<UsageEvent, number>> => ({}));
  for (const { day, event, times } of await app.kept.read.usageByDay(wanted)) {
    // What a clock that went ahead has written is of no day up to today.
    const of = counts[day - first];
    if (of !== undefined) of[event] = (of[event] ?? 0) + times;
  }
  return counts.map((each, at) => ({ day: dayOf(first + at), counts: each }));
}

function dayOf(day: number): string {
  return new Date(day * milliseconds).toISOString().slice(0, 10);
}

function shownCounts({ counts }: EntryUse): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 0));
}
