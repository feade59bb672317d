import { safeLine } from "../../core/text.ts";
import type { Found } from "../index/lexical-index.ts";
import type { Evidence, Link } from "../link.ts";
import { entriesByDigest } from "../shelf.ts";
import { copiesOf, isAllowed } from "./exact.ts";

/** As far down as the right one is worth looking for: what comes later is all but never it. */
const mostFound = 50;
const mostWords = 6;
const longestWord = 32;
const longestWhy = 300;

/** RT-2: the words of the query in the texts of skills. */
export const lexicalLink: Link = {
  name: "lexical",
  role: "finds",
  addsUp: true,
  timeBox: 5000,
  *prepare(shelf) {
    yield* entriesByDigest.prepare(shelf);
    // An index makes what all searches share at the first of them.
    shelf.index.search("", { limit: 1, allows: () => false });
  },
  find(asked) {
    const { query, shelf } = asked;
    const found = shelf.index.search(query.text, { limit: mostFound, allows: (digest) => isAllowed(asked, digest) });
    const confidences = inOrder(found);
    return found.flatMap(({ digest, words }, at): Evidence[] => {
      const why = whyOf(words);
      return copiesOf(asked, digest).map(({ id }) => ({ entry: id, confidence: confidences[at] ?? 0, why }));
    });
  },
};

/** The index orders by score: confidences that came out alike, or the other way round, must not undo that. */
function inOrder(found: readonly Found[]): readonly number[] {
  const confidences: number[] = [];
  found.forEach(({ confidence, score }, at) => {
    const [before, last] = [found[at - 1], confidences[at - 1]];
    if (before === undefined || last === undefined) confidences.push(confidence);
    else confidences.push(Math.min(confidence, score < before.score ? last * (1 - 1e-9) : last));
  });
  return confidences;
}

function whyOf(words: Found["words"]): string {
  const shown = words
    .slice(0, mostWords)
    .map(({ word, fields }) => `"${safeLine(word, longestWord)}" (${fields.join(", ")})`);
  return safeLine(shown.length === 0 ? "words of the query" : `words ${shown.join(", ")}`, longestWhy);
}
