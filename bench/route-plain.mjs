/**
 * Textbook ranking to be measured against: BM25, k1 1.2 and b 0.75, over words in lower case without stop words and
 * without the s of a plural, on typed arrays.
 */
const fields = ["name", "description", "body"];
const word = /[\p{L}\p{N}]+/gu;
const stopWords = new Set(
  `a an the and or of to in on for with by from as at is are be it this that i me my we our you your do does can could
  should would will please want need how what which when where why`.split(/\s+/),
);
const k1 = 1.2;
const b = 0.75;

/** Indexes documents that come one by one. `weights` say what a word in each field counts. */
export function createPlain(documents, weights) {
  const postings = new Map();
  const lengths = [];
  for (const document of documents) addDocument(document, weights, postings, lengths);
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const norms = Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / average));
  for (const [term, { rows, counts }] of postings)
    postings.set(term, { rows: Uint32Array.from(rows), counts: Float32Array.from(counts) });
  return { size: lengths.length, postings, norms, scores: new Float64Array(lengths.length) };
}

function addDocument(document, weights, postings, lengths) {
  const row = lengths.length;
  const counts = new Map();
  let length = 0;
  for (const field of fields) {
    const weight = weights[field] ?? 0;
    if (weight === 0) continue;
    for (const found of termsOf(document[field])) {
      counts.set(found, (counts.get(found) ?? 0) + weight);
      length += weight;
    }
  }
  for (const [term, count] of counts) {
    const entry = postings.get(term) ?? { rows: [], counts: [] };
    entry.rows.push(row);
    entry.counts.push(count);
    postings.set(term, entry);
  }
  lengths.push(length);
}

function termsOf(text) {
  const words = (text.toLowerCase().match(word) ?? []).filter((each) => !stopWords.has(each));
  return words.map((each) =>
    each.length > 3 && each.endsWith("s") && !each.endsWith("ss") ? each.slice(0, -1) : each,
  );
}

/** The score of every document; the list is written anew by the next question. */
export function scoresOf({ size, postings, norms, scores }, query) {
  scores.fill(0);
  for (const term of new Set(termsOf(query))) {
    const entry = postings.get(term);
    if (entry === undefined) continue;
    const { rows, counts } = entry;
    const rarity = Math.log(1 + (size - rows.length + 0.5) / (rows.length + 0.5));
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at];
      scores[row] += (rarity * counts[at] * (k1 + 1)) / (counts[at] + norms[row]);
    }
  }
  return scores;
}

/** Rows of the best, the best first. */
export function topOf(scores, limit) {
  const best = [];
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row];
    if (score <= 0 || (best.length === limit && score <= scores[best[limit - 1]])) continue;
    let at = best.length;
    while (at > 0 && scores[best[at - 1]] < score) at--;
    best.splice(at, 0, row);
    if (best.length > limit) best.pop();
  }
  return best;
}

/** Two ways of looking, each by its own best: the first whole, the second half. */
export function fusedTop(all, own, query, limit) {
  const one = scoresOf(all, query);
  const other = scoresOf(own, query);
  const [most, mostOwn] = [maximum(one), maximum(other)];
  return topOf(
    one.map((score, row) => score / most + (0.5 * other[row]) / mostOwn),
    limit,
  );
}

function maximum(scores) {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most === 0 ? 1 : most;
}
