import type { Digest } from "../../../base/digest.ts";
import type { Asked } from "../link.ts";
import type { ShelfEntry } from "../shelf.ts";

/** Of identical skills from many places, so many are named: they are one match. */
const mostCopies = 10;

/** The entries of these bytes that may be chosen, the most trusted. */
export function copiesOf(asked: Asked, digest: Digest, most = mostCopies): readonly ShelfEntry[] {
  const copies: ShelfEntry[] = [];
  for (const entry of asked.shelf.entriesOf(digest)) {
    if (copies.length === most) break;
    if (asked.allows(entry.id)) copies.push(entry);
  }
  return copies;
}

/** Whether any of them may be. */
export function isAllowed(asked: Asked, digest: Digest): boolean {
  return copiesOf(asked, digest, 1).length > 0;
}
