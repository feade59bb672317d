import { blocks, type Finding } from "../base/finding.ts";
import { safeLine } from "../base/text.ts";
import type { Source } from "../ingest/source/source.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import type { AttachedSkill } from "./attached-everywhere.ts";
import { findingsIn, lineOf } from "./entry-view.ts";
import { waitingIn } from "./queue.ts";

/** Something to do, with the page on which it is done, as a fragment (`#/review/…`). */
export interface Attention {
  readonly level: "bad" | "warn" | "info";
  readonly title: string;
  readonly about: string;
  readonly page: string;
}

export interface Circumstances {
  readonly sources: readonly Source[];
  readonly attached: readonly AttachedSkill[];
  /** What this node says of itself. */
  readonly faults: readonly string[];
  readonly now: number;
}

/** Pure. The most pressing first; of each kind the first few, and how many more there are. */
export function attentionIn(look: Look, { sources, attached, faults, now }: Circumstances): readonly Attention[] {
  const [blocking, waiting] = waitingOf(look);
  const kinds: readonly (readonly Attention[])[] = [
    few(noticedOf(look), "#/audit"),
    few(blocking, "#/review"),
    few(sources.flatMap(failedOf), "#/sources"),
    few(faults.map(faultOf), "#/usage"),
    few(attached.filter((each) => !each.attached.usable).map(unusableOf), "#/configurations"),
    waiting,
    few(
      sources.flatMap((source) => staleOf(source, now)),
      "#/sources",
    ),
  ];
  const all = kinds.flat();
  return (["bad", "warn", "info"] as const).flatMap((level) => all.filter((each) => each.level === level));
}

const mostOfOne = 5;

function few(all: readonly Attention[], page: string): readonly Attention[] {
  const [first, rest] = [all.slice(0, mostOfOne), all.slice(mostOfOne)];
  const [next] = rest;
  if (next === undefined) return first;
  return [...first, { level: next.level, title: `And ${rest.length} more`, about: "of the same kind", page }];
}

/** The link to a page of the web. */
function pageOf(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/** T17 to T19: what was changed past every door. */
function noticedOf({ snapshot }: Look): Attention[] {
  return snapshot.findings
    .filter(blocks)
    .map(({ message }) => ({ level: "bad", title: "Changed by hand", about: message, page: "#/audit" }));
}

/** Those with a finding that blocks, the heaviest first; and the others by their number. */
function waitingOf(look: Look): readonly [blocking: readonly Attention[], others: readonly Attention[]] {
  const waiting = waitingIn(look).map((entry) => ({
    entry,
    heavy: findingsIn(look, entry, entry.current).filter(blocks),
  }));
  const blocking = waiting.filter(({ heavy }) => heavy.length > 0);
  const others = waiting.length - blocking.length;
  const inOrder = blocking.toSorted((a, b) => criticalIn(b.heavy) - criticalIn(a.heavy));
  const title = others === 1 ? "1 skill waits for review" : `${others} skills wait for review`;
  const about = "None of them is used before somebody has approved it.";
  return [
    inOrder.map(({ entry, heavy }) => blockingOf(look, entry, heavy)),
    others === 0 ? [] : [{ level: "warn", title, about, page: "#/review" }],
  ];
}

function criticalIn(findings: readonly Finding[]): number {
  return findings.filter(({ level }) => level === "critical").length;
}

function blockingOf(look: Look, entry: Entry, heavy: readonly Finding[]): Attention {
  const { name } = lineOf(look, entry, entry.current);
  const codes = [...new Set(heavy.map(({ level, code }) => `${level} ${code}`))].join(", ");
  const about = `${safeLine(entry.id, 240)}: ${safeLine(codes, 240)}`;
  return { level: "bad", title: `${name} waits, and findings block it`, about, page: pageOf("review", entry.id) };
}

/** Also one that is frozen, since its repository is not the one that was added (T12): its error says so. */
function failedOf({ id, enabled, status, error }: Source): Attention[] {
  if (!enabled || status !== "error") return [];
  const about = error ?? "nothing is known of why";
  return [{ level: "bad", title: `The source ${id} could not be synced`, about, page: pageOf("sources", id) }];
}

function faultOf(about: string): Attention {
  return { level: "warn", title: "This server cannot do all it should", about, page: "#/usage" };
}

/** RV-14: what is attached and not used is never silently gone. */
function unusableOf({ target, attached: { entry, state, reason } }: AttachedSkill): Attention {
  const [kind = "", id = ""] = target.split(":", 2);
  const shown = safeLine(entry, 240);
  return {
    level: "warn",
    title: `${shown} is attached to ${target} and not used`,
    about: `${state}: ${safeLine(reason, 240)}`,
    page: pageOf(kind === "task" ? "tasks" : "configurations", id),
  };
}

/** So many intervals without a sync: nobody does them, or none comes to its end. */
const lateAfter = 3;

function staleOf({ id, enabled, status, interval, syncedAt, dueAt }: Source, now: number): Attention[] {
  if (!enabled || status === "error" || status === "syncing") return [];
  const page = pageOf("sources", id);
  const since = syncedAt ?? dueAt;
  if (interval !== null && since !== null && now - since > lateAfter * interval * 1000)
    return [{ level: "warn", title: `The source ${id} is stale`, about: "It was not synced when it was due.", page }];
  if (status === "never")
    return [{ level: "info", title: `The source ${id} was never synced`, about: "Nothing of it is known yet.", page }];
  const about = "The last sync did not read all of it.";
  return status === "partial" ? [{ level: "info", title: `The source ${id} was read in part`, about, page }] : [];
}
