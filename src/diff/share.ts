/**
 * What each of several gets of a total. Those that need little get all of it and leave the rest to the others, so one
 * that needs very much takes nothing from a small one (T28: a flood in one file must not push another out of sight).
 * Where a fair part would be less than `least`, the first come first.
 */
export function share(needs: readonly number[], total: number, least: number): readonly number[] {
  let room = total;
  const served = needs.map((need) => {
    room -= Math.min(need, least);
    return room >= 0;
  });
  const waiting = [...needs.entries()].filter(([at]) => served[at]).toSorted(([, a], [, b]) => a - b);
  const shares = needs.map(() => 0);
  let left = total;
  for (const [place, [at, need]] of waiting.entries()) {
    const part = Math.min(need, Math.floor(left / (waiting.length - place)));
    shares[at] = part;
    left -= part;
  }
  return shares;
}
