import { fields } from "./fields.ts";

/**
 * How often a term stands in the fields of a document: four bits for each of up to eight fields in one number. Exact up
 * to eight times; beyond that the difference hardly counts, and steps will do.
 */
const bitsOfField = 4;

/** How often each step stands for. */
export const timesOf: Float64Array = Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 28, 40, 64);

/** Packs the counts of a document's fields that begin at a place. */
export function packedFrequency(counts: Uint8Array, from: number, fieldCount: number): number {
  let packed = 0;
  for (let field = 0; field < fieldCount; field++) {
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
