/**
 * The smallest number from 0 to `most` for which `attempt` has a result: 0 is tried first, the rest is found by
 * halving, right wherever a larger number never does worse. What is returned was tried, whatever `attempt` does.
 */
export function fewest<Result>(
  most: number,
  attempt: (count: number) => Result | undefined,
): { readonly count: number; readonly result: Result } | undefined {
  const first = attempt(0);
  if (first !== undefined) return { count: 0, result: first };
  const last = most > 0 ? attempt(most) : undefined;
  if (last === undefined) return undefined;
  let best = { count: most, result: last };
  for (let tooFew = 0; best.count - tooFew > 1; ) {
    const count = (tooFew + best.count) >> 1;
    const result = attempt(count);
    if (result === undefined) tooFew = count;
    else best = { count, result };
  }
  return best;
}
