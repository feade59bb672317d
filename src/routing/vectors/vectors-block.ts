import type { Digest } from "../../core/digest.ts";
import { yieldToEventLoop } from "../../core/mutex.ts";
import { compareRows, lengthOf } from "./vectors-compare.ts";

/** A revision whose vector is close to another, by the cosine of the angle between them. */
export interface Near {
  readonly digest: Digest;
  readonly similarity: number;
}

interface Asked {
  readonly limit: number;
  /** Asked only for those that would be among the first. */
  readonly allows: (digest: Digest) => boolean;
  readonly signal: AbortSignal;
}

/** Values that are compared before others get their turn: some five milliseconds. */
const slice = 4_000_000;

/** Vectors of many revisions in one piece of memory, compared one by one. Never changes. */
export class VectorBlock {
  readonly dimensions: number;
  readonly #digests: readonly Digest[];
  readonly #rows: ReadonlyMap<Digest, number>;
  /** Four values are compared at a time: each row is filled up with zeros. */
  readonly #width: number;
  readonly #values: Int8Array;
  /** What makes each row one of length 1. */
  readonly #scales: Float32Array;

  constructor(vectors: ReadonlyMap<Digest, Int8Array>) {
    this.dimensions = commonLength(vectors.values());
    const fitting = [...vectors].filter(([, { length }]) => length === this.dimensions);
    // In one order, so that of two that are equally close it is always the same that comes first.
    this.#digests = fitting.map(([digest]) => digest).toSorted();
    this.#rows = new Map(this.#digests.map((digest, row) => [digest, row]));
    this.#width = Math.ceil(this.dimensions / 4) * 4;
    this.#values = new Int8Array(this.#digests.length * this.#width);
    this.#scales = new Float32Array(this.#digests.length);
    for (const [row, digest] of this.#digests.entries()) {
      const vector = vectors.get(digest) ?? new Int8Array();
      this.#values.set(vector, row * this.#width);
      this.#scales[row] = 1 / lengthOf(vector);
    }
  }

  get size(): number {
    return this.#digests.length;
  }

  vectorOf(digest: Digest): Int8Array | undefined {
    const row = this.#rows.get(digest);
    if (row === undefined) return undefined;
    return this.#values.subarray(row * this.#width, row * this.#width + this.dimensions);
  }

  /** The closest to a direction, the closest first. */
  async nearest(direction: Float32Array, asked: Asked): Promise<readonly Near[]> {
    const query = new Float32Array(this.#width);
    query.set(direction.subarray(0, this.dimensions));
    const best: Near[] = [];
    const atOnce = Math.max(1, Math.floor(slice / this.#width));
    const similarities = new Float32Array(Math.min(atOnce, this.size));
    for (let from = 0; from < this.size; from += atOnce) {
      if (from > 0) await yieldToEventLoop();
      asked.signal.throwIfAborted();
      const to = Math.min(this.size, from + atOnce);
      compareRows(this.#values.subarray(from * this.#width, to * this.#width), query, similarities);
      for (let row = from; row < to; row++)
        this.#consider(row, (similarities[row - from] ?? 0) * (this.#scales[row] ?? 0), best, asked);
    }
    return best;
  }

  /** Puts one in its place; of those equally close, the ones before stay before. */
  #consider(row: number, similarity: number, best: Near[], { limit, allows }: Asked): void {
    if (best.length >= limit && similarity <= (best.at(-1)?.similarity ?? Infinity)) return;
    const digest = this.#digests[row];
    if (digest === undefined || !allows(digest)) return;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.similarity ?? Infinity) < similarity) at--;
    best.splice(at, 0, { digest, similarity });
    if (best.length > limit) best.pop();
  }
}

/** How long most of them are: a row that was changed by hand may be of any length, and the others still count. */
function commonLength(vectors: Iterable<Int8Array>): number {
  const counts = new Map<number, number>();
  for (const { length } of vectors) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most] = [...counts].toSorted(([a, first], [b, second]) => second - first || a - b);
  return most?.[0] ?? 0;
}
