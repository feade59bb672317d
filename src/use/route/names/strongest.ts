import type { EntryId } from "../../../base/ids.ts";
import { safeLine } from "../../../base/text.ts";
import type { Asked, Evidence } from "../link.ts";
import { byTrust, type ShelfEntry } from "../shelf.ts";

/** What a link has against the many that a hostile shelf could make it name: the strongest so many. */
const mostNamed = 50;
const longestWhy = 300;

/** One reason that a link has seen, before it is known whether it is the strongest of its entry. */
export interface Reason {
  readonly entry: ShelfEntry;
  readonly confidence: number;
  readonly why: string;
}

/** The strongest reason of each entry that may be chosen; equals by trust, so that a cut is no matter of order. */
export function strongest(reasons: Iterable<Reason>, asked: Pick<Asked, "allows">): readonly Evidence[] {
  const best = new Map<EntryId, Reason>();
  for (const reason of reasons) {
    const known = best.get(reason.entry.id);
    if (known !== undefined && known.confidence >= reason.confidence) continue;
    if (known !== undefined || asked.allows(reason.entry.id)) best.set(reason.entry.id, reason);
  }
  const order = [...best.values()].toSorted((a, b) => b.confidence - a.confidence || byTrust(a.entry, b.entry));
  return order
    .slice(0, mostNamed)
    .map(({ entry, confidence, why }) => ({ entry: entry.id, confidence, why: safeLine(why, longestWhy) }));
}
