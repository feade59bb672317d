/** Reads a list page by page until there is no more. `after` is the key of the last item of the page before. */
export async function* pages<Item, Key>(
  read: (after: Key) => Promise<readonly Item[]>,
  first: Key,
  keyOf: (item: Item) => Key,
): AsyncGenerator<readonly Item[]> {
  for (let after = first; ; ) {
    const items = await read(after);
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    after = keyOf(last);
  }
}
