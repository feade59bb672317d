/** Which part of a list is wanted. */
export interface PageWanted {
  /** The key of the last item seen; without one, from the beginning. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** A part of a list. What is not in it is counted, never silently gone. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** How many there are in all. */
  readonly total: number;
  /** How many come after this page. */
  readonly more: number;
  /** The key to go on after; null when nothing comes after. */
  readonly next: string | null;
}

const usualLimit = 100;

/** A page of items in the order of their keys. */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { after = "", limit = usualLimit }: PageWanted,
): Page<Item> {
  const inOrder = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const rest = after === "" ? inOrder : inOrder.filter((item) => keyOf(item) > after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const more = rest.length - page.length;
  return { items: page, total: items.length, more, next: more === 0 || last === undefined ? null : keyOf(last) };
}
