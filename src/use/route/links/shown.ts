import type { Asked } from "../link.ts";
import type { ShelfEntry } from "../shelf.ts";

/**
 * What a judge is shown. T31: the first that were found, in the words of the shelf, which holds nothing but what is
 * approved; what is not there or may not be chosen is shown to nobody.
 */
export function candidatesOf(asked: Asked, shown: number): readonly ShelfEntry[] {
  const found = new Set(asked.soFar.slice(0, shown).map(({ entry }) => entry));
  return [...found].flatMap((id) => {
    const entry = asked.allows(id) ? asked.shelf.entries.get(id) : undefined;
    return entry === undefined ? [] : [entry];
  });
}
