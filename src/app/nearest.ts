/** The known word that a mistyped one most likely means, if any is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, edits: editsBetween(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= Math.max(1, Math.floor(each.length / 3)))
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0]?.each;
}

/** The same for dotted paths: what counts is the last word, so that a key in the wrong section finds home. */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  const lastWord = nearest(lastOf(path), known.map(lastOf));
  return known.find((each) => lastOf(each) === lastWord);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

const farAway = Number.POSITIVE_INFINITY;

/** Letters to add, remove, replace or swap. A word far longer than the known one is not even compared (T26). */
function editsBetween(word: string, known: string): number {
  if (word.length > 2 * known.length) return farAway;
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
