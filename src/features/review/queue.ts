import { setDigest } from "../../core/digest.ts";
import type { Entry } from "../../registry/entry.ts";
import type { Look, Registry } from "../../registry/registry.ts";
import { listedFiles, type RevisionRow } from "../../registry/revision.ts";
import type { State } from "../../registry/state.ts";
import type { App } from "../../app/app.ts";
import { demandSourceIn, requireRightToAll } from "../skills/find.ts";
import { pageOf } from "../skills/flow.ts";
import { comparedWith } from "../skills/revisions.ts";
import { decisionsIn, lineOf, standingIn } from "../skills/view.ts";
import { judgeClean, refusalsOf } from "./judge.ts";
import type { Queue, ReviewView, WaitingLine } from "./schema.ts";
import type { PageWanted } from "../http/query.ts";

/** RV-12: what nobody has approved yet is shown to whoever sees all of the registry. */
export function demandReviewing(app: App): void {
  requireRightToAll(app, "what waits for review concerns all of them");
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
  const lineFor = waitingLines(app, look, await readKept(app, page.items));
  return {
    ...page,
    items: page.items.map((entry) => lineFor(entry, whyNotClean(entry) === undefined)),
    turnedDown: open.length - waiting.length,
    noticed: look.snapshot.findings,
  };
}

function waitingLines(app: App, look: Look, { filesOf, seenAtOf }: Awaited<ReturnType<typeof readKept>>) {
  return (entry: Entry, clean: boolean): WaitingLine => ({
    ...lineOf(look, entry, entry.current),
    clean,
    change: changeOf(app.registry, look, entry),
    approvals: viewApprovals(app.registry, look, entry),
    refusal: refusalsOf(app, look, entry).approve,
    files: filesOf(entry),
    seenAt: seenAtOf(entry),
  });
}

/** RV-5: how many different people must approve what is current, and who has. */
export function viewApprovals(registry: Registry, look: Look, entry: Entry): ReviewView["approvals"] {
  const { needed, words } = registry.approved(look, entry);
  return { needed, by: words.map(({ by }) => by) };
}

function changeOf(registry: Registry, look: Look, entry: Entry): WaitingLine["change"] {
  const from = comparedWith(registry, look, entry);
  if (from === null) return "new";
  return from.digest === entry.current ? "same" : "changed";
}

/** What only the store knows of a page, read for all of it at once. */
async function readKept({ kept: { read } }: App, entries: readonly Entry[]) {
  const rows = await read.findRevisions(entries.map(({ current }) => current));
  const files = new Map(rows.map((row) => [row.digest, countFiles(row)]));
  const seen = await read.firstSeen(new Map(entries.map(({ id, current }) => [id, current])));
  return {
    filesOf: ({ current }: Entry) => files.get(current) ?? null,
    seenAtOf: ({ id }: Entry) => seen.get(id) ?? null,
  };
}

/** The digest is over the list of files: one that was changed is not counted. */
function countFiles(row: RevisionRow): number | null {
  const files = listedFiles(row);
  return setDigest(files) === row.digest ? files.length : null;
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
