import { type Field, fields } from "./fields.ts";

/** One way to look at a document: BM25 over fields that are put together before repetition is dampened. */
export interface View {
  /** What a field counts, in the order of `fields`. */
  readonly weights: readonly number[];
  /** How far a long field is held against it: from 0, not at all, to 1 (b of BM25). */
  readonly lengthPenalties: readonly number[];
  /** How soon a word that comes again counts no more (k1 of BM25). */
  readonly saturation: number;
}

/** Looks at everything: finds the candidates. */
export const whole: View = {
  weights: byField({
    name: 11,
    description: 9,
    declared: 9,
    headings: 1,
    occasions: 0.8,
    prose: 1,
    code: 0.35,
    exceptions: 1,
  }),
  lengthPenalties: fields.map((field) => (field === "code" ? 0.5 : 0.3)),
  saturation: 1.5,
};

/** Looks at what a skill says of itself. */
export const surface: View = {
  weights: byField({ name: 3, description: 1, declared: 1, occasions: 0.15 }),
  lengthPenalties: fields.map(() => 0.4),
  saturation: 1.2,
};

export const body: View = {
  weights: byField({ headings: 1, occasions: 1, prose: 1, code: 0.5 }),
  lengthPenalties: fields.map(() => 0.3),
  saturation: 1.2,
};

function byField(weights: Partial<Record<Field, number>>): readonly number[] {
  return fields.map((field) => weights[field] ?? 0);
}
