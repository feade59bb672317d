import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import type { UsableEntry } from "../registry/snapshot.ts";
import { type Trust, trusts } from "../sources/trust.ts";
import type { Chosen, Dropped, Via } from "./composition.ts";
import { entryFinding } from "./findings.ts";

/** What is asked for, each list in its own order. */
export interface Wanted {
  readonly configuration: readonly EntryId[];
  readonly task: readonly EntryId[];
  readonly invoked: readonly EntryId[];
  readonly routed: readonly EntryId[];
}

/** The one selection for prompt and grants, with what was kept from it and why. */
export interface Selection {
  readonly chosen: readonly Chosen[];
  readonly dropped: readonly Dropped[];
  readonly findings: readonly Finding[];
}

/** CO-1. Pure: `usable` is of one snapshot, and `whyNot` says of any other entry what keeps it from being used. */
export function select(
  usable: ReadonlyMap<EntryId, UsableEntry>,
  wanted: Wanted,
  trustFloor: Trust,
  whyNot: (entry: EntryId) => string,
): Selection {
  const chosen: Chosen[] = [];
  const dropped: Dropped[] = [];
  const findings: Finding[] = [];
  for (const [entry, via] of inOrder(wanted)) {
    const use = usable.get(entry);
    if (use === undefined) {
      dropped.push({ entry, digest: null, via, why: "unusable" });
      findings.push(entryFinding("compose.unusable", entry, `it cannot be used and was left out: ${whyNot(entry)}`));
    } else if (!reaches(use.trust, trustFloor)) {
      dropped.push({ entry, digest: use.digest, via, why: "below-floor" });
      findings.push(belowFloor(entry, use.trust, trustFloor));
    } else {
      const { digest, trust, grants } = use;
      chosen.push({ entry, via, digest, trust, grants });
    }
  }
  return { chosen, dropped, findings };
}

const order: readonly Via[] = ["configuration", "task", "invoked", "routed"];

/** First wins and keeps its place; asked for by name later on, it is still one that may not be dropped (CO-6). */
function inOrder(wanted: Wanted): ReadonlyMap<EntryId, Via> {
  const vias = new Map<EntryId, Via>();
  for (const via of order)
    for (const entry of wanted[via]) if (via === "invoked" || !vias.has(entry)) vias.set(entry, via);
  return vias;
}

function belowFloor(entry: EntryId, trust: Trust, floor: Trust): Finding {
  return entryFinding("compose.below-floor", entry, `its trust is ${trust}, below the floor ${floor}; left out`);
}

/** Whether a trust is at or above a floor. A word that is not known is below every floor, and as a floor above all. */
export function reaches(trust: Trust, floor: Trust): boolean {
  const lowest = trusts.indexOf(floor);
  return lowest !== -1 && trusts.indexOf(trust) >= lowest;
}
