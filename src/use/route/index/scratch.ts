/** Where the scores of one search are added up. */
export interface Scratch {
  /** For each document its score; zero is none. */
  readonly scores: Float64Array;
  /** Documents that have a score. */
  readonly touched: Uint32Array;
  touchedCount: number;
}

const free: Scratch[] = [];
const mostKept = 2;

/**
 * Lends room for so many documents. It is kept for the next search, and only what was written is cleared. Whoever is
 * asked in the middle of a search and searches again gets another.
 */
export function withScratch<Result>(documents: number, act: (scratch: Scratch) => Result): Result {
  const scratch = fitting(documents);
  try {
    return act(scratch);
  } finally {
    clear(scratch);
    if (free.length < mostKept) free.push(scratch);
  }
}

function fitting(documents: number): Scratch {
  const kept = free.pop();
  if (kept !== undefined && kept.touched.length >= documents) return kept;
  // Some more than needed: the next index is a little larger.
  const room = Math.ceil(documents * 1.25) + 64;
  return { scores: new Float64Array(room), touched: new Uint32Array(room), touchedCount: 0 };
}

function clear(scratch: Scratch): void {
  const { scores, touched, touchedCount } = scratch;
  if (touchedCount > scores.length / 16) scores.fill(0);
  else for (let at = 0; at < touchedCount; at++) scores[touched[at] ?? 0] = 0;
  scratch.touchedCount = 0;
}
