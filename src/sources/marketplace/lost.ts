import { type ChildState, unknownChild } from "./children.ts";
import type { MarketplaceIndex } from "./marketplace.ts";

/**
 * Plugins whose entries cannot be followed. One that could be before is known by what it was, as long as it is so: its
 * skills are not gone, and its repository has to be the same one when it is back (IN-21, T12).
 */
export function lostChildren(
  index: MarketplaceIndex,
  include: readonly string[] | null,
  before: ReadonlyMap<string, ChildState>,
): ChildState[] {
  const listed = new Set(index.plugins.map(({ name }) => name));
  const isPicked = (name: string) =>
    include === null ||
    include.some((picked) => picked === "*" || picked === name || index.renames.get(picked) === name);
  const refused = index.refused.map(({ name, reason }): ChildState => {
    const known = listed.has(name) || !isPicked(name) ? undefined : before.get(name);
    return { ...unknownChild, ...known, name, outcome: "refused", reason };
  });
  if (!index.refused.some(({ isNamed }) => !isNamed)) return refused;
  const names = new Set([...listed, ...refused.map(({ name }) => name)]);
  const missed = [...before.values()].filter(({ name, where }) => where !== null && !names.has(name) && isPicked(name));
  return [...refused, ...missed.map(unlisted)];
}

function unlisted(child: ChildState): ChildState {
  const reason = "it is not listed any more; an entry that has no name may be it";
  return { ...child, outcome: "unreached", reason };
}
