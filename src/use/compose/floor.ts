import { type Trust, trusts } from "../../ingest/source/trust.ts";

/** Whether a trust is at or above a floor. A word that is not known is below every floor, and as a floor above all. */
export function reaches(trust: Trust, floor: Trust): boolean {
  const lowest = trusts.indexOf(floor);
  return lowest !== -1 && trusts.indexOf(trust) >= lowest;
}
