import type { SyncReport } from "#contract";
import { counted } from "../lib/format.ts";

/** What a sync did, in one line. */
export function tellOfSync(result: SyncReport["results"][number] | undefined): string {
  if (result === undefined) return "Nothing was synced.";
  if (result.status === "error") return result.error.message;
  const parts = (
    [
      [result.created, "new"],
      [result.updated, "changed"],
      [result.orphaned, "gone"],
      [result.blocked, "blocked"],
    ] as const
  ).flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
  const what = parts.length === 0 ? "nothing changed" : parts.join(", ");
  const rest = result.status === "partial" ? " Not all of it could be read." : "";
  return `${result.source} synced: ${what}; ${counted(result.unchanged, "skill")} as before.${rest}`;
}
