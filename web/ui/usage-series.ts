import type { UsageDay } from "#contract";

/** What can happen to a skill in a request, each in one colour wherever it is drawn. */
const colours = { injected: 1, routed: 2, dropped: 3, denied: 4 } as const;

export const usageEvents = ["injected", "routed", "dropped", "denied"] as const;

export function usageSeries(days: readonly UsageDay[]) {
  return usageEvents.map((event) => ({
    name: event,
    colour: colours[event],
    values: days.map(({ counts }) => counts[event] ?? 0),
  }));
}
