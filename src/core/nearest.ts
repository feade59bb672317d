/** The known word that a mistyped one most likely means, if any is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return nearestFew(word, known, 1)[0];
}

/** Those that it may mean, the likeliest first; among equals as they come. */
export function nearestFew(word: string, known: readonly string[], most: number): readonly string[] {
  const typed = word.toLowerCase();
  return known
    .map((each) => ({ each, edits: editsBetween(typed, each.toLowerCase(), tolerance(each)) }))
    .filter(({ each, edits }) => edits <= tolerance(each))
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, most)
    .map(({ each }) => each);
}

/** The same for dotted paths: what counts is the last word, so that a key in the wrong section finds home. */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  const lastWord = nearest(lastOf(path), known.map(lastOf));
  return known.find((each) => lastOf(each) === lastWord);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Letters of a word that may be wrong. */
function tolerance(known: string): number {
  return Math.max(1, Math.floor(known.length / 3));
}

const farAway = Number.POSITIVE_INFINITY;

/** Letters to add, remove, replace or swap. Words whose lengths alone say that they are far apart are not compared (T26). */
function editsBetween(word: string, known: string, most: number): number {
  if (Math.abs(word.length - known.length) > most) return farAway;
  const rows: number[][] = [Array.from({ length: known.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? farAway;
  for (let row = 1; row <= word.length; row++) {
    const edits = [row];
    rows.push(edits);
    for (let column = 1; column <= known.length; column++) {
      const replaced = at(row - 1, column - 1) + (word[row - 1] === known[column - 1] ? 0 : 1);
      const isSwap = word[row - 1] === known[column - 2] && word[row - 2] === known[column - 1];
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : farAway;
      edits.push(Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1));
    }
  }
  return at(word.length, known.length);
}
