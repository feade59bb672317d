import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { EntryId } from "../../core/ids.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import { type Asked, decide } from "../../registry/decide.ts";
import type { Entry } from "../../registry/entry.ts";
import type { Look } from "../../registry/registry.ts";
import type { App } from "../../app/app.ts";
import { demandSourceIn } from "../skills/find.ts";
import { judgeClean, refusalsOf } from "./judge.ts";
import { waitingIn } from "./queue.ts";
import type { CleanAsked, CleanReport } from "./schema.ts";

export interface CleanOptions extends CleanAsked {
  readonly onProgress?: (done: number, total: number) => void;
}

type LeftOut = CleanReport["leftOut"][number];

/** So many words are signed in one transaction. */
const batch = 500;

/** Approves everything that waits and is clean, each with a signed word of its own (RV-5). */
export async function approveClean(app: App, options: CleanOptions = {}): Promise<CleanReport> {
  const permit = requireRight(app, "review");
  const look = await app.registry.look();
  demandSourceIn(look, options.source);
  const { meant, gone } = meantIn(look, options);
  const whyNotClean = judgeClean(look, meant);
  const whyNot = (entry: Entry) => whyNotClean(entry) ?? refusalsOf(app, look, entry).approve ?? undefined;
  const judged = meant.map((entry) => ({ entry, why: whyNot(entry) }));
  const clean = judged.filter(({ why }) => why === undefined).map(({ entry }) => entry);
  const leftOut = [
    ...gone,
    ...judged.flatMap(({ entry, why }) => (why === undefined ? [] : [{ entry: entry.id, why }])),
  ];
  const approved: Entry[] = [];
  for (let at = 0; at < clean.length; at += batch) {
    options.onProgress?.(at, clean.length);
    const done = await approveAll(app, permit, clean.slice(at, at + batch), options, leftOut);
    approved.push(...done);
  }
  options.onProgress?.(clean.length, clean.length);
  const withGrants = options.withoutGrants === true ? [] : approved.filter((entry) => asksForTools(look, entry));
  return { approved: approved.map(idOf), withGrants: withGrants.map(idOf), leftOut };
}

/** What of all that waits is meant, in order. T15: what is not as it was shown is not, and said so. */
function meantIn(look: Look, { entries, source }: CleanOptions): { meant: readonly Entry[]; gone: readonly LeftOut[] } {
  if (entries !== undefined && source !== undefined)
    throw new AppError("usage.invalid", "both entries and a source are given; give one of them");
  const waiting = waitingIn(look, source).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (entries === undefined) return { meant: waiting, gone: [] };
  const shown = new Map(entries.map(({ entry, digest }) => [entry, digest]));
  const meant = waiting.filter(({ id, current }) => shown.get(id) === current);
  const isMeant = new Set(meant.map(idOf));
  const gone = [...shown].filter(([id]) => !isMeant.has(id));
  return { meant, gone: gone.map(([entry, digest]) => ({ entry, why: whyGone(look, entry, digest) })) };
}

function whyGone({ facts }: Look, id: EntryId, digest: Digest): string {
  const entry = facts.entries.get(id);
  if (entry === undefined) return "there is no such skill";
  if (entry.current === digest) return "it does not wait any more";
  return `it is not ${digest.slice(0, 12)} any more, it is ${entry.current.slice(0, 12)} now; look at it again`;
}

/** In one transaction. When one of them is refused, each by itself: only what is refused is left out. */
async function approveAll(
  { review }: App,
  permit: Permit<"review">,
  entries: readonly Entry[],
  options: CleanOptions,
  leftOut: LeftOut[],
): Promise<readonly Entry[]> {
  const refusal = await whyRefused(() =>
    decide(
      review,
      permit,
      entries.map((entry) => approvalOf(entry, options)),
    ),
  );
  if (refusal === undefined) return entries;
  const approved: Entry[] = [];
  for (const entry of entries) {
    const why = await whyRefused(() => decide(review, permit, [approvalOf(entry, options)]));
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
