import type { App } from "../../app/app.ts";
import { type Finding, isAtLeast } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import { whyForbidden } from "../../registry/accounts/roles.ts";
import { whyNotSecond, whyNotTheirs } from "../../registry/decide.ts";
import type { Entry } from "../../registry/entry.ts";
import type { Look } from "../../registry/registry.ts";
import type { Summary } from "../../registry/revision.ts";
import { findAlike, type Named, skeletonOf } from "../../scan/alike.ts";
import { reviewFaults } from "../../scan/scan-faults.ts";
import { isByOlder } from "../../scan/scanned-by.ts";
import { decisionsIn, findingsIn, standingIn } from "../skills/view.ts";
import type { ReviewView } from "./schema.ts";

/**
 * Why an entry is left for a closer look; undefined when it is clean: new or pending, loadable, seen by this scanner as a
 * whole, no finding above low, and no name that can be taken for another one's (RV-5, RV-6, T32).
 */
export function judgeClean(look: Look, entries: readonly Entry[]): (entry: Entry) => string | undefined {
  const alike = alikeFindings(look, entries);
  return (entry) => {
    const { state, reason } = standingIn(look, entry.id);
    if (state !== "new" && state !== "pending") return `${state}: ${reason}`;
    const summary = look.facts.summaries.get(entry.current);
    if (summary === undefined || !summary.loadable) return "it cannot be loaded";
    if (isByOlder(summary.scanner)) return "an older version of the scanner looked at it; sync its source again";
    const heavy = [...findingsIn(look, entry, entry.current), ...(alike.get(entry.id) ?? [])].filter(isNotClean);
    return heavy.length === 0 ? undefined : [...new Set(heavy.map(({ level, code }) => `${level} ${code}`))].join(", ");
  };
}

/** T25: what could not be analysed is never clean, however harmless it looks. */
function isNotClean({ level, code }: Finding): boolean {
  return isAtLeast(level, "medium") || code.startsWith("unread.");
}

/** T32: of each entry that is asked for, the skills of others whose names can be taken for its own; most have none. */
export function alikeFindings(look: Look, wanted: readonly Entry[]): ReadonlyMap<EntryId, readonly Finding[]> {
  const present = [...look.facts.entries.values()].filter((entry) => entry.present);
  const alike = findAlike(namesOf(look, wanted), namesOf(look, present));
  return new Map([...alike].map(([id, others]) => [id, [findingOf(others)]]));
}

function namesOf({ facts }: Look, entries: readonly Entry[]): Named[] {
  return entries.flatMap(({ id, current, source, repositoryId }) => {
    const summary = facts.summaries.get(current);
    const publisher = repositoryId === null ? source : `repository ${repositoryId}`;
    return summary === undefined ? [] : [{ id, bytes: current, publisher, skeleton: skeletonIn(summary) }];
  });
}

const mostNamed = 5;

function findingOf(others: readonly EntryId[]): Finding {
  const named = others.slice(0, mostNamed).map((other) => safeLine(other, 240));
  const rest = others.length > mostNamed ? " and more" : "";
  const message = `its name can be taken for that of ${named.join(", ")}${rest}`;
  return { code: "name.alike", level: reviewFaults["name.alike"].level, message, at: { file: "SKILL.md", line: 1 } };
}

/** Of every name once: there can be a hundred thousand. */
const skeletons = new WeakMap<Summary, string>();

function skeletonIn(summary: Summary): string {
  const skeleton = skeletons.get(summary) ?? skeletonOf(summary.name);
  skeletons.set(summary, skeleton);
  return skeleton;
}

/** RV-5: said before anything is tried, by the rules that a word is held to. */
export function refusalsOf({ person, review: { policy } }: App, look: Look, entry: Entry): ReviewView["refusals"] {
  const source = look.facts.sources.get(entry.source);
  const words = decisionsIn(look, entry.id);
  const any = whyForbidden(person, "review", policy) ?? (source && whyNotTheirs(policy, person, source)) ?? null;
  const another = source && whyNotSecond(policy, person, { digest: entry.current }, { entry, source }, words);
  return { decide: any, approve: any ?? another ?? null };
}
