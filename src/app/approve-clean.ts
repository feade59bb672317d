import { AppError } from "../base/error.ts";
import type { EntryId } from "../base/ids.ts";
import { demand } from "../registry/accounts/roles.ts";
import { type Asked, decide } from "../registry/decide.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import type { App } from "./app.ts";
import { judgeClean } from "./clean.ts";
import { demandSourceIn } from "./find.ts";
import { waitingIn } from "./queue.ts";

export interface CleanOptions {
  readonly source?: string | undefined;
  readonly withoutGrants?: boolean | undefined;
  readonly note?: string | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

interface LeftOut {
  readonly entry: EntryId;
  readonly why: string;
}

export interface CleanReport {
  readonly approved: readonly EntryId[];
  /** Those of them whose tools are pre-approved with it. */
  readonly withGrants: readonly EntryId[];
  readonly leftOut: readonly LeftOut[];
}

/** So many words are signed in one transaction. */
const batch = 500;

/** Approves everything that waits and is clean, each with a signed word of its own (RV-5). */
export async function approveClean(app: App, options: CleanOptions = {}): Promise<CleanReport> {
  demand(app.person, "review", app.review.policy);
  const look = await app.registry.look();
  demandSourceIn(look, options.source);
  const waiting = waitingIn(look, options.source).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const whyNotClean = judgeClean(look, waiting);
  const judged = waiting.map((entry) => ({ entry, why: whyNotClean(entry) }));
  const clean = judged.filter(({ why }) => why === undefined).map(({ entry }) => entry);
  const leftOut = judged.flatMap(({ entry, why }) => (why === undefined ? [] : [{ entry: entry.id, why }]));
  const approved: Entry[] = [];
  for (let at = 0; at < clean.length; at += batch) {
    options.onProgress?.(at, clean.length);
    const done = await approveAll(app, clean.slice(at, at + batch), options, leftOut);
    approved.push(...done);
  }
  options.onProgress?.(clean.length, clean.length);
  const withGrants = options.withoutGrants === true ? [] : approved.filter((entry) => asksForTools(look, entry));
  return { approved: approved.map(idOf), withGrants: withGrants.map(idOf), leftOut };
}

/** In one transaction. When one of them is refused, each by itself: only what is refused is left out. */
async function approveAll(
  { review, person }: App,
  entries: readonly Entry[],
  options: CleanOptions,
  leftOut: LeftOut[],
): Promise<readonly Entry[]> {
  const refusal = await whyRefused(() =>
    decide(
      review,
      person,
      entries.map((entry) => approvalOf(entry, options)),
    ),
  );
  if (refusal === undefined) return entries;
  const approved: Entry[] = [];
  for (const entry of entries) {
    const why = await whyRefused(() => decide(review, person, [approvalOf(entry, options)]));
    if (why === undefined) approved.push(entry);
    else leftOut.push({ entry: entry.id, why });
  }
  return approved;
}

async function whyRefused(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    const isRefusal =
      error instanceof AppError && (error.code.startsWith("review.") || error.code === "record.missing");
    if (!isRefusal) throw error;
    return error.message;
  }
}

function approvalOf({ id, current }: Entry, { withoutGrants = false, note = "" }: CleanOptions): Asked {
  return { word: "approve", entry: id, digest: current, note, withoutGrants };
}

function asksForTools({ facts }: Look, { current }: Entry): boolean {
  return (facts.summaries.get(current)?.grants.length ?? 0) > 0;
}

function idOf({ id }: Entry): EntryId {
  return id;
}
