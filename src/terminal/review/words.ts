import { blocks, heaviestFirst } from "../../core/finding.ts";
import type { Opened } from "./desk.ts";

/** As much of a digest as a person compares. */
export function short(digest: string): string {
  return digest.slice(0, 12);
}

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** The last moment a date can say. */
const lastMoment = 8.64e15;

/** To the minute, in universal time. */
export function when(at: number): string {
  return Math.abs(at) <= lastMoment ? `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC` : "at no time";
}

/** What was overridden on exactly these bytes. */
export function liftedIn({ decisions, revision: { digest } }: Opened): ReadonlySet<string> {
  return new Set(decisions.flatMap((each) => (each.digest === digest ? each.overrides : [])));
}

/** The codes that block until somebody overrides them, the heaviest first. */
export function blockingIn({ revision: { findings } }: Opened): readonly string[] {
  return [...new Set(heaviestFirst(findings.filter(blocks)).map(({ code }) => code))];
}

export function openIn(view: Opened): readonly string[] {
  const lifted = liftedIn(view);
  return blockingIn(view).filter((code) => !lifted.has(code));
}
