import { timingSafeEqual } from "node:crypto";

/** How much of two texts is the same cannot be measured from outside. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
