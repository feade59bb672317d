import type { ReviewView, Said } from "#contract";
import { ask, Problem, segment } from "../lib/api.ts";
import { counted } from "../lib/format.ts";
import { blocks, openCodes } from "../skills/findings.ts";
import type { Shown } from "./shown.ts";

/** What a person says of the entry on the screen; the digest is that of what is on the screen. */
export type Word =
  | {
      readonly act: "approve";
      readonly withoutGrants?: boolean;
      readonly overrides?: readonly string[];
      readonly reason?: string;
    }
  | { readonly act: "override"; readonly overrides: readonly string[]; readonly reason: string }
  | { readonly act: "reject" | "disable"; readonly note: string };

/** RV-5: says it of the digest that was shown. Null: that came too late, nothing was decided, and the new bytes are shown. */
export async function sayWord(
  { renew }: Shown,
  { entry, revision: { digest } }: ReviewView,
  word: Word,
): Promise<Said | null> {
  try {
    return await ask<Said>("POST", `/api/review/${segment(entry)}`, { ...word, digest });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "review.stale") throw error;
    await renew("late");
    return null;
  }
}

/** Why what is on the screen cannot be approved, as long as nothing changes; undefined: it can. */
export function whyNotApprovable({ view, change }: Shown): string | undefined {
  if (view === undefined) return undefined;
  if (change !== "none") return "It changed meanwhile: look at what it is now first (c)";
  if (view.revision.tampering.length > 0) return "Its bytes were changed by hand";
  if (!view.revision.loadable) return "It cannot be loaded: its findings say why";
  if (view.state === "orphaned") return "It is not in its source any more";
  if (view.state === "enabled") return "It is approved already";
  if (view.refusals.approve !== null) return view.refusals.approve;
  const open = openCodes(view);
  return open.length === 0
    ? undefined
    : `${counted(open.length, "finding blocks", "findings block")} it: override first (o)`;
}

/** Why it cannot be approved at this moment. `isRead`: all of the view that is open is there. */
export function whyNotYet(shown: Shown, isRead: boolean): string | undefined {
  if (shown.view === undefined || !isRead) return "It is still being read";
  return whyNotApprovable(shown) ?? (shown.isSettled ? undefined : "It was opened just now");
}

/** How far people have come with it, where it takes more than one (RV-5). */
export function approvalsLine({ needed, by }: ReviewView["approvals"]): string | undefined {
  if (needed === 1) return undefined;
  return `${by.length} of ${counted(needed, "approval")}${by.length === 0 ? "" : `: ${by.join(", ")}`}`;
}

export function canOverride({ revision: { findings } }: ReviewView): boolean {
  return findings.some(blocks);
}

export function canDisable({ inUse }: ReviewView): boolean {
  return inUse !== null;
}
