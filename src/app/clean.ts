import { type Finding, isAtLeast } from "../base/finding.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import { isByOlder } from "../review/scan/scanned-by.ts";
import { alikeFindings } from "./alike.ts";
import { findingsIn, standingIn } from "./entry-view.ts";

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
