import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * The items behind a cursor, so many at most. They are in the order of their keys, so that a page goes on where the one
 * before ended, whatever came and went meanwhile.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  size: number,
  cursor: string | undefined,
): Page<Item> {
  const after = cursor === undefined ? undefined : decode(cursor);
  const start = after === undefined ? 0 : firstAfter(items, keyOf, after);
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  if (last === undefined || start + size >= items.length) return { items: page };
  return { items: page, nextCursor: Buffer.from(`after:${keyOf(last)}`).toString("base64url") };
}

function decode(cursor: string): string {
  const [, key] = /^after:(.*)$/s.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (key === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no such page");
  return key;
}

function firstAfter<Item>(items: readonly Item[], keyOf: (item: Item) => string, after: string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
