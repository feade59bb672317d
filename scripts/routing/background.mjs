import { writeBackground } from "./written.mjs";

/** A word that fewer skills have is as rare as a registry shows it to be. */
const leastShare = 0.01;
/** Steps in which shares are told, in thousandths: each about an eighth more than the one before. */
const steps = [
  10, 11, 13, 15, 17, 19, 22, 25, 28, 32, 36, 41, 47, 54, 62, 71, 81, 93, 107, 123, 141, 162, 187, 215, 247,
];
const upper = [284, 327, 376, 432, 497, 572, 658, 757, 871];

/** Counts in how many skills each word is. */
export function fitBackground(pool, { wordsOf }) {
  const counts = new Map();
  for (const { name, description, body } of pool)
    for (const token of new Set(wordsOf(`${name}\n${description}\n${body}`).map((word) => word.token)))
      counts.set(token, (counts.get(token) ?? 0) + 1);
  const rows = new Map([...steps, ...upper].map((step) => [step, []]));
  for (const [token, count] of counts)
    if (count >= leastShare * pool.length) rows.get(nearest((1000 * count) / pool.length)).push(token);
  writeBackground(
    [...rows].map(([step, words]) => [step, words.toSorted(byCode)]).filter(([, words]) => words.length > 0),
  );
  const kept = [...rows.values()].reduce((sum, words) => sum + words.length, 0);
  console.log(`background: ${kept.toLocaleString("en")} of ${counts.size.toLocaleString("en")} words`);
}

function nearest(thousandths) {
  return [...steps, ...upper].findLast((step) => step <= thousandths) ?? steps[0];
}

function byCode(one, other) {
  return one < other ? -1 : 1;
}
