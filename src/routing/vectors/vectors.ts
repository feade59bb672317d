import type { Digest } from "../../core/digest.ts";
import type { RouteReads } from "../port.ts";
import type { Shelf } from "../shelf.ts";
import { decodeDirection, VectorBlock } from "./vectors-block.ts";

/** The vectors that one model made, in memory for as long as their shelf is. */
export interface Vectors {
  /** Those of a shelf, loaded once; those of a shelf before are not loaded again. */
  of(shelf: Shelf): Promise<VectorBlock>;
  /** More were stored: those that were missing are looked for once more. */
  refresh(): void;
}

export function createVectors(read: Pick<RouteReads, "findVectors">, model: string): Vectors {
  let blocks = new WeakMap<Shelf, Promise<VectorBlock>>();
  let latest: VectorBlock | undefined;

  async function load(shelf: Shelf): Promise<VectorBlock> {
    latest = await loadBlock(read, model, shelf, latest);
    return latest;
  }

  return {
    of(shelf) {
      const present = blocks.get(shelf);
      if (present !== undefined) return present;
      const own = blocks;
      const loading = load(shelf);
      own.set(shelf, loading);
      // What failed is tried again at the next question.
      loading.catch(() => own.delete(shelf));
      return loading;
    },
    refresh() {
      blocks = new WeakMap();
    },
  };
}

/** Few enough that what is not in the block yet stays small. */
const mostAtOnce = 2000;

async function loadBlock(
  read: Pick<RouteReads, "findVectors">,
  model: string,
  shelf: Shelf,
  before: VectorBlock | undefined,
): Promise<VectorBlock> {
  const vectors = new Map<Digest, Int8Array>();
  const missing: Digest[] = [];
  for (const digest of new Set([...shelf.entries.values()].map((entry) => entry.digest))) {
    const known = before?.vectorOf(digest);
    if (known === undefined) missing.push(digest);
    else vectors.set(digest, known);
  }
  const known = vectors.size;
  for (let from = 0; from < missing.length; from += mostAtOnce) {
    const rows = await read.findVectors(model, missing.slice(from, from + mostAtOnce));
    for (const [digest, row] of rows) {
      const vector = decodeDirection(row);
      if (vector !== undefined) vectors.set(digest, vector);
    }
  }
  const isSame = before !== undefined && vectors.size === known && before.size === known;
  return isSame ? before : new VectorBlock(vectors);
}
