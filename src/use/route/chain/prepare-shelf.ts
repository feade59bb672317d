import type { Digest } from "../../../base/digest.ts";
import type { Clock, Timer } from "../../../base/world.ts";
import type { LexicalIndex } from "../index/lexical-index.ts";
import type { Link } from "../link.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import type { Shelf } from "../shelf.ts";

/** What an index has, to be looked up far more often than an index is made. */
export const digestsIn = madeOnce(function* (index: LexicalIndex): Generator<void, ReadonlySet<Digest>> {
  const digests = new Set<Digest>();
  yield* inSteps(index.digests(), (digest) => digests.add(digest));
  return digests;
});

interface Preparing {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds after which others have their turn. */
const longestSlice = 5;

/** Makes what a chain needs of a shelf. A link that cannot is left: it says so itself when it is asked (RT-4). */
export async function prepareShelf(links: readonly Link[], shelf: Shelf, preparing: Preparing): Promise<void> {
  await inSlices(digestsIn.prepare(shelf.index), preparing);
  for (const link of links)
    try {
      await inSlices(link.prepare?.(shelf) ?? [], preparing);
    } catch {
      preparing.signal?.throwIfAborted();
    }
}

async function inSlices(steps: Iterable<void>, { clock, timer, signal }: Preparing): Promise<void> {
  signal?.throwIfAborted();
  let start = clock.now();
  for (const _ of steps) {
    if (clock.now() - start < longestSlice) continue;
    await timer.after(1);
    signal?.throwIfAborted();
    start = clock.now();
  }
}
