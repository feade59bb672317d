import { backgroundWords } from "./background.ts";
import { fieldCount, fields } from "./fields.ts";
import type { Part } from "./part.ts";
import { isConversation } from "./query.ts";
import type { View } from "./best.ts";
import { lazily } from "./words.ts";

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

/**
 * How often a term stands in the fields of a document: four bits for each of up to eight fields in one number. Exact up
 * to eight times; beyond that the difference hardly counts, and steps will do.
 */
const bitsOfField = 4;

/** How often each step stands for. */
export const timesOf: Float64Array = Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 28, 40, 64);

/** Packs the counts of a document's fields that begin at a place. */
export function packedFrequency(counts: Uint8Array, from: number, howMany: number): number {
  let packed = 0;
  for (let field = 0; field < howMany; field++) {
    const count = counts[from + field] ?? 0;
    if (count > 0) packed |= stepOf(count) << (field * bitsOfField);
  }
  return packed >>> 0;
}

function stepOf(count: number): number {
  let step = Math.min(count, 8);
  while (step < 15 && count >= (timesOf[step + 1] ?? 0)) step++;
  return step;
}

/** How often, at least about, in one field. */
export function timesIn(packed: number, field: number): number {
  return timesOf[(packed >>> (field * bitsOfField)) & 15] ?? 0;
}

/** Fields that speak of what a skill is about, beside its name, which does not repeat itself. */
const telling = ["description", "headings", "occasions", "prose"] as const;
const tellingFields = telling.map((name) => fields.indexOf(name));

/** How often in all fields that tell what a document is about. */
export function toldTimes(packed: number): number {
  let sum = 0;
  for (const field of tellingFields) sum += timesIn(packed, field);
  return sum;
}

/** The share of skills that have a word, as it is known before any registry is looked at. */
const shares = lazily(
  () =>
    new Map(backgroundWords.flatMap(([share, words]) => words.split(" ").map((word) => [word, share / 1000] as const))),
);

/** So many skills that nobody has seen stand behind every registry: eight skills say little of how rare a word is. */
const unseen = 1_000;
const leastShare = 2e-5;
const mostRarity = 10;

/** How rare a word is, in nats: what a registry shows, and what is known beforehand where it is small. */
export function settledRarity(token: string, having: number, documents: number): number {
  const share = (having + unseen * (shares().get(token) ?? 0)) / (documents + unseen);
  return Math.min(mostRarity, Math.log(1 + (1 - share) / (share + leastShare)));
}

const leastRarity = 0.5;
const conversationShare = 0.1;
const mostOfConversation = 0.25;

/** What finding a word is worth as evidence, in nats. */
export function worthOf(token: string, rareness: number): number {
  const worth = Math.max(0, rareness - leastRarity);
  return isConversation(token) ? Math.min(mostOfConversation, conversationShare * worth) : worth;
}
