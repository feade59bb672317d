import { printTable } from "../../bench/measure.mjs";
import { descend, dot, scaleOf, standardised } from "./adam.mjs";
import { foldsOf, weightsOf } from "./folds.mjs";

/** So many candidates of a question are learnt from: those that the views like best, and the right ones. */
const mostCandidates = 40;
const settings = { steps: 90, rate: 0.08, penalty: 0.1 };

/**
 * Learns what features count in ranking: the right candidates of a question against all others (listwise softmax).
 * A question is `{ rows, isRight, weight }`. Returns one coefficient for each feature, on their own scales.
 */
function fitRanking(questions) {
  const scale = scaleOf(questions.flatMap(({ rows }) => rows));
  const learnt = questions.filter(({ isRight }) => isRight.includes(true)).map((question) => sample(question, scale));
  const total = learnt.reduce((sum, { weight }) => sum + weight, 0);
  const count = scale.means.length;
  const weights = descend(count, (current) => gradient(current, learnt, total, count), settings);
  return weights.map((weight, at) => weight / scale.spreads[at]);
}

function sample({ rows, isRight, weight }, scale) {
  const liked = (at) => rows[at][0] + 0.5 * rows[at][1];
  const order = [...rows.keys()].toSorted((one, other) => liked(other) - liked(one));
  const kept = order.filter((at, rank) => rank < mostCandidates || isRight[at]);
  return { weight, rows: kept.map((at) => standardised(rows[at], scale)), isRight: kept.map((at) => isRight[at]) };
}

function gradient(weights, questions, total, count) {
  const sum = new Float64Array(count);
  for (const { rows, isRight, weight } of questions) {
    const scores = rows.map((row) => dot(weights, row));
    const top = Math.max(...scores);
    const shares = scores.map((score) => Math.exp(score - top));
    const all = shares.reduce((left, share) => left + share, 0);
    const right = shares.reduce((left, share, at) => left + (isRight[at] ? share : 0), 0) || 1e-30;
    for (const [at, row] of rows.entries()) {
      const pull = ((shares[at] / all - (isRight[at] ? shares[at] / right : 0)) * weight) / total;
      for (let feature = 0; feature < count; feature++) sum[feature] += pull * row[feature];
    }
  }
  return sum;
}

/** The rank of the first right candidate, counted from 1; 0 when there is none. */
function rankBy(coefficients, { rows, isRight }) {
  const scores = rows.map((row) => dot(coefficients, row));
  const best = Math.max(...scores.filter((_, at) => isRight[at]), Number.NEGATIVE_INFINITY);
  return best === Number.NEGATIVE_INFINITY ? 0 : 1 + scores.filter((score) => score > best).length;
}

const folds = 5;

/** Fits, prints what cross-validation says, and returns the coefficients by name. */
export function showRanking(pool, positive, { buildSegment, createIndex, featureNames, Library, rankedIn, readQuery }) {
  const ids = new Map(pool.map(({ id, digest }) => [digest, id]));
  const library = new Library(createIndex([buildSegment(pool)]).parts);
  const groups = positive.map(({ group }) => group);
  const weights = weightsOf(groups);
  const questions = positive.map(({ query, expected }, at) => {
    const ranked = rankedIn(library, readQuery(query, library), { limit: 1, allows: () => true });
    return {
      weight: weights[at],
      rows: ranked.map(({ features }) => features),
      isRight: ranked.map(({ candidate }) => expected.includes(ids.get(library.digestOf(candidate.row)))),
    };
  });
  const coefficients = fitRanking(questions);
  const found = questions.filter(({ isRight }) => isRight.includes(true)).length;
  console.log(
    `\n${positive.length} questions, ${new Set(groups).size} groups; the answer is a candidate of ${found}\n`,
  );
  showRanks(positive, {
    "first view alone": questions.map((question) => rankBy([1], question)),
    [`ranker, ${folds} folds by skill`]: crossValidated(questions, foldsOf(groups, folds)),
    "ranker, fitted on all": questions.map((question) => rankBy(coefficients, question)),
  });
  console.log();
  const rows = featureNames.map((name, at) => [name, coefficients[at].toFixed(4)]);
  printTable(["feature", "coefficient"], rows);
  return Object.fromEntries(featureNames.map((name, at) => [name, coefficients[at]]));
}

function crossValidated(questions, foldOf) {
  const ranks = [];
  for (let fold = 0; fold < folds; fold++) {
    const coefficients = fitRanking(questions.filter((_, at) => foldOf[at] !== fold));
    for (const [at, question] of questions.entries())
      if (foldOf[at] === fold) ranks[at] = rankBy(coefficients, question);
  }
  return ranks;
}

function showRanks(positive, contenders) {
  const kinds = ["all", ...new Set(positive.flatMap(({ kind }) => kind ?? []))];
  const isOf = (kind, at) => kind === "all" || positive[at].kind === kind;
  const rows = Object.entries(contenders).map(([name, ranks]) =>
    [name].concat(kinds.flatMap((kind) => measures(ranks.filter((_, at) => isOf(kind, at))))),
  );
  printTable(["P@1 and MRR@10, %", ...kinds.flatMap((kind) => [`${kind} P@1`, "MRR"])], rows);
}

function measures(ranks) {
  const share = (sum) => ((100 * sum) / ranks.length).toFixed(1);
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 && rank <= 10 ? 1 / rank : 0), 0);
  return [share(ranks.filter((rank) => rank === 1).length), share(reciprocal)];
}
