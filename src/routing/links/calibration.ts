import { AppError } from "../../core/error.ts";
import type { Asked } from "../link.ts";
import type { ShelfEntry } from "../shelf.ts";

/**
 * How a number that a model gives becomes a confidence (RT-3): a curve that rises from 0 to `most` and is half of that
 * at `middle`. It depends on nothing but the number, never on what else was found.
 */
export interface Calibration {
  readonly middle: number;
  /** How quickly it rises there. */
  readonly steepness: number;
  /** However large the number is, it is no more than this. */
  readonly most: number;
}

export function confidenceOf({ middle, steepness, most }: Calibration, value: number): number {
  return most / (1 + Math.exp(-steepness * (value - middle)));
}

/**
 * What asking a model gives; a failure says what became of it, and nothing that the service said: that may repeat the
 * query, and findings are kept longer than queries.
 */
export async function withoutTheirWords<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [said = "the model service could not be used"] =
      /^the model service answered \d{3}/.exec(error.message) ?? [];
    throw new AppError(error.code, said, { cause: error });
  }
}

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
