/**
 * What a room keeps. `read` sees what is committed. A transaction is all or nothing, and there is one writer at a
 * time: what it has read stays true until it ends, on every engine and across processes.
 */
export interface Kept<Reads, Writes extends Reads> {
  readonly read: Reads;
  transaction<Result>(act: (port: Writes) => Promise<Result>): Promise<Result>;
}

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
