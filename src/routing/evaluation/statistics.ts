/** From and to: where the true value lies in 95 of 100 cases, were the queries drawn anew. */
export type Interval = readonly [from: number, to: number];

/** The standard normal quantile of 95 %, two-sided. */
const z = 1.96;

/** Wilson's interval of a share: honest for few cases and near 0 and 1, and never outside of them. */
export function shareInterval(hits: number, of: number): Interval | null {
  if (of === 0) return null;
  const share = hits / of;
  const scale = 1 + (z * z) / of;
  const middle = (share + (z * z) / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [ratio(Math.max(0, middle - half)), ratio(Math.min(1, middle + half))];
}

/** The interval of a mean of values from 0 to 1, by the normal approximation. */
export function meanInterval(values: readonly number[]): Interval | null {
  if (values.length === 0) return null;
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1);
  const half = z * Math.sqrt(variance / values.length);
  return [ratio(Math.max(0, middle - half)), ratio(Math.min(1, middle + half))];
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A share of something, to four places; of nothing it is null. */
export function shareOf(hits: number, of: number): number | null {
  return of === 0 ? null : ratio(hits / of);
}

export function ratio(value: number): number {
  return rounded(value, 4);
}

/** The smallest value that this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.max(0, Math.ceil(inOrder.length * share) - 1)] ?? 0;
}

export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
