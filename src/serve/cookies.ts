import type { RequestEnd } from "./door.ts";

const blanks = /^[ \t]+|[ \t]+$/g;

/**
 * The values of the cookies of exactly this name (T37). Space and tab alone stand between cookies: whatever else a reader
 * takes for blank may be part of a name that a neighbour under the same domain could set, and is another name.
 */
export function cookiesOf({ incoming }: RequestEnd, name: string): readonly string[] {
  const pairs = (incoming.headersDistinct["cookie"] ?? []).flatMap((header) => header.split(";"));
  const start = `${name}=`;
  return pairs
    .map((pair) => pair.replaceAll(blanks, ""))
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}
