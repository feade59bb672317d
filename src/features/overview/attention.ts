import { blocks, type Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Source } from "../../sources/schema.ts";
import type { Entry } from "../../registry/entry.ts";
import type { Look } from "../../registry/registry.ts";
import type { AttachedSkill } from "../configurations/attach.ts";
import { findingsIn, lineOf } from "../skills/view.ts";
import { waitingIn } from "../review/queue.ts";
import type { Overview, Subject } from "./schema.ts";

/** Something to do. */
type Attention = Overview["attention"][number];

/** What a node cannot do now. */
export interface NodeFault {
  /** What of it says so: `store`, `usage`. */
  readonly name: string;
  readonly about: string;
}

export interface Circumstances {
  readonly sources: readonly Source[];
  readonly attached: readonly AttachedSkill[];
  /** What this node says of itself. */
  readonly faults: readonly NodeFault[];
  readonly now: number;
}

/** Pure. The most pressing first; of each kind the first few, and how many more there are. */
export function attentionIn(look: Look, { sources, attached, faults, now }: Circumstances): readonly Attention[] {
  const [blocking, waiting] = waitingOf(look);
  const kinds: readonly (readonly Attention[])[] = [
    few(noticedOf(look)),
    few(blocking),
    few(sources.flatMap(failedOf)),
    few(faults.map(faultOf)),
    few(attached.filter((each) => !each.attached.usable).map(unusableOf)),
    waiting,
    few(sources.flatMap((source) => staleOf(source, now))),
  ];
  const all = kinds.flat();
  return (["bad", "warn", "info"] as const).flatMap((level) => all.filter((each) => each.level === level));
}

const mostOfOne = 5;

function few(all: readonly Attention[]): readonly Attention[] {
  const [first, rest] = [all.slice(0, mostOfOne), all.slice(mostOfOne)];
  const [next] = rest;
  if (next === undefined) return first;
  return [
    ...first,
    { level: next.level, title: `And ${rest.length} more`, about: "of the same kind", on: every(next.on.kind) },
  ];
}

function every(kind: Subject["kind"]): Subject {
  return { kind, id: null };
}

/** T17 to T19: what was changed past every door. */
function noticedOf({ snapshot }: Look): Attention[] {
  return snapshot.findings
    .filter(blocks)
    .map(({ message }) => ({ level: "bad", title: "Changed by hand", about: message, on: every("audit") }));
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
    others === 0 ? [] : [{ level: "warn", title, about, on: every("review") }],
  ];
}

function criticalIn(findings: readonly Finding[]): number {
  return findings.filter(({ level }) => level === "critical").length;
}

function blockingOf(look: Look, entry: Entry, heavy: readonly Finding[]): Attention {
  const { name } = lineOf(look, entry, entry.current);
  const codes = [...new Set(heavy.map(({ level, code }) => `${level} ${code}`))].join(", ");
  const about = `${safeLine(entry.id, 240)}: ${safeLine(codes, 240)}`;
  return { level: "bad", title: `${name} waits, and findings block it`, about, on: { kind: "review", id: entry.id } };
}

/** Also one that is frozen, since its repository is not the one that was added (T12): its error says so. */
function failedOf({ id, enabled, status, error }: Source): Attention[] {
  if (!enabled || status !== "error") return [];
  const about = error ?? "nothing is known of why";
  return [{ level: "bad", title: `The source ${id} could not be synced`, about, on: { kind: "source", id } }];
}

function faultOf({ name, about }: NodeFault): Attention {
  const on = every(name === "usage" ? "usage" : "store");
  return { level: "warn", title: "This server cannot do all it should", about, on };
}

/** RV-14: what is attached and not used is never silently gone. */
function unusableOf({ target, attached: { entry, state, reason } }: AttachedSkill): Attention {
  const [kind = "", id = ""] = target.split(":", 2);
  const shown = safeLine(entry, 240);
  return {
    level: "warn",
    title: `${shown} is attached to ${target} and not used`,
    about: `${state}: ${safeLine(reason, 240)}`,
    on: { kind: kind === "task" ? "task" : "configuration", id },
  };
}

/** So many intervals without a sync: nobody does them, or none comes to its end. */
const lateAfter = 3;

function staleOf({ id, enabled, status, interval, syncedAt, dueAt }: Source, now: number): Attention[] {
  if (!enabled || status === "error" || status === "syncing") return [];
  const on: Subject = { kind: "source", id };
  const since = syncedAt ?? dueAt;
  if (interval !== null && since !== null && now - since > lateAfter * interval * 1000)
    return [{ level: "warn", title: `The source ${id} is stale`, about: "It was not synced when it was due.", on }];
  if (status === "never")
    return [{ level: "info", title: `The source ${id} was never synced`, about: "Nothing of it is known yet.", on }];
  const about = "The last sync did not read all of it.";
  return status === "partial" ? [{ level: "info", title: `The source ${id} was read in part`, about, on }] : [];
}
