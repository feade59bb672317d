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
