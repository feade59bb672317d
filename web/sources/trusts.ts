import type { Trust, UsualTrust } from "#contract";

/** What a source is trusted when nobody says more; held by its type to what the server does then. */
export const usualTrust: UsualTrust = "community";

export const trusts: readonly { readonly id: Trust; readonly title: string; readonly about: string }[] = [
  { id: "untrusted", title: "untrusted", about: "anybody" },
  { id: "community", title: "community", about: "known in public, not to you" },
  { id: "verified", title: "verified", about: "you know who they are" },
  { id: "first_party", title: "first party", about: "yourselves" },
];

/** Intervals to choose from, in seconds. */
export const intervals: readonly (readonly [seconds: number, title: string])[] = [
  [900, "every 15 minutes"],
  [3600, "every hour"],
  [21_600, "every 6 hours"],
  [86_400, "every day"],
  [604_800, "every week"],
];

export function intervalTitle(seconds: number | null): string {
  if (seconds === null) return "only when asked";
  return intervals.find(([each]) => each === seconds)?.[1] ?? `every ${seconds} seconds`;
}
