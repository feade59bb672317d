import type { Finding } from "../base/finding.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import type { State } from "../registry/state.ts";
import type { App } from "./app.ts";
import { judgeClean } from "./clean.ts";
import { decisionsIn, type EntryLine, lineOf, standingIn } from "./entry-view.ts";
import { demandSourceIn } from "./find.ts";
import { type Page, pageOf, type PageWanted } from "./page.ts";
import { demandAll } from "./route/demand-all.ts";

/** What waits, and whether a word in bulk would take it (RV-5). */
export interface WaitingLine extends EntryLine {
  readonly clean: boolean;
}

export interface Queue extends Page<WaitingLine> {
  /** In such a state too, but a person has already turned down what is current. */
  readonly turnedDown: number;
  /** What was noticed about the registry itself: words that do not fit, rows that were changed by hand. */
  readonly noticed: readonly Finding[];
}

/** RV-12: what nobody has approved yet is shown to whoever sees all of the registry. */
export function demandReviewing({ person, review }: App): void {
  demandAll(person, review.policy, "what waits for review concerns all of them");
}

/** What waits for a person's word, with the findings of what is current. */
export async function reviewQueue(
  app: App,
  { source, ...wanted }: PageWanted & { readonly source?: string | undefined },
): Promise<Queue> {
  demandReviewing(app);
  const look = await app.registry.look();
  demandSourceIn(look, source);
  const open = undecidedStates(look, source);
  const waiting = open.filter((entry) => !isTurnedDown(look, entry));
  const page = pageOf(waiting, ({ id }) => id, wanted);
  const whyNotClean = judgeClean(look, page.items);
  return {
    ...page,
    items: page.items.map((entry) => waitingLine(look, entry, whyNotClean(entry) === undefined)),
    turnedDown: open.length - waiting.length,
    noticed: look.snapshot.findings,
  };
}

function waitingLine(look: Look, entry: Entry, clean: boolean): WaitingLine {
  return { ...lineOf(look, entry, entry.current), clean };
}

export async function countWaiting({ registry }: App): Promise<number> {
  return waitingIn(await registry.look()).length;
}

export function waitingIn(look: Look, source?: string): Entry[] {
  return undecidedStates(look, source).filter((entry) => !isTurnedDown(look, entry));
}

const undecided: ReadonlySet<State> = new Set<State>(["new", "pending", "held", "blocked"]);

function undecidedStates(look: Look, source: string | undefined): Entry[] {
  const entries = [...look.facts.entries.values()].filter((entry) => undecided.has(standingIn(look, entry.id).state));
  return source === undefined ? entries : entries.filter((entry) => entry.source === source);
}

/** The latest word was said when these bytes were current: that they are not wanted, or that older ones are. */
function isTurnedDown(look: Look, { id, current, awayAt }: Entry): boolean {
  const { state } = standingIn(look, id);
  const latest = decisionsIn(look, id).findLast(({ word, seq }) => word !== "override" && seq > awayAt);
  if ((state !== "held" && state !== "blocked") || latest?.current !== current) return false;
  return latest.word !== "approve" || latest.digest !== current;
}
