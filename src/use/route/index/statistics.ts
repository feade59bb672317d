import { fieldCount } from "./fields.ts";
import type { Part } from "./part.ts";
import type { View } from "./views.ts";

/** What is known of all documents that are there: whole numbers, so that no order of adding and removing shows. */
export interface Statistics {
  readonly documents: number;
  /** Tokens in all, by field. */
  readonly lengths: Float64Array;
}

export function statisticsOf(parts: readonly Part[]): Statistics {
  const lengths = new Float64Array(fieldCount);
  let documents = 0;
  for (const part of parts) {
    documents += part.alive;
    for (let document = 0; document < part.documents; document++) {
      if (part.dead?.[document] === 1) continue;
      for (let field = 0; field < fieldCount; field++)
        lengths[field] = (lengths[field] ?? 0) + (part.segment.lengths[document * fieldCount + field] ?? 0);
    }
  }
  return { documents, lengths };
}

/** How rare a word is that so many of so many documents have (the idf of BM25, never negative). */
export function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5));
}

/** What one occurrence counts in a field of so many tokens: the field's weight over its length beside the usual one. */
export function gainOf(view: View, field: number, length: number, { documents, lengths }: Statistics): number {
  const usual = (lengths[field] ?? 0) / documents || 1;
  const penalty = view.lengthPenalties[field] ?? 0;
  return (view.weights[field] ?? 0) / (1 - penalty + (penalty * length) / usual);
}

/** That for all fields of all documents of a part, one after the other. */
export function gainsOf({ segment, documents }: Part, view: View, statistics: Statistics): Float32Array {
  const gains = new Float32Array(documents * fieldCount);
  for (let at = 0; at < gains.length; at++)
    gains[at] = gainOf(view, at % fieldCount, segment.lengths[at] ?? 0, statistics);
  return gains;
}
