import { printTable } from "../../bench/measure.mjs";
import { bedsOf } from "./beds.mjs";
import { fitLogistic, likelihood } from "./logistic.mjs";

/** What questions of each type count together, in a registry of every size: a guess of what is asked, not a measurement. */
const shares = { positive: 0.6, talk: 0.12, absent: 0.12, negative: 0.08, near: 0.04, absentNegative: 0.04 };
const scale = 1_000;
const mostLikely = 5;
/** What later candidates count beside the first. */
const laterWeight = 0.5;
const folds = 5;

/** Learns how sure it is that a candidate is right, from questions to registries of many sizes. Prints and returns it. */
export function fitConfidence(pool, positive, negative, internals) {
  const names = internals.confidenceNames;
  const decisions = decisionsOf(pool, positive, negative, internals);
  weigh(decisions);
  for (let fold = 0; fold < folds; fold++) {
    const model = fitLogistic(rowsOf(decisions.filter(({ group }) => hashOf(group) % folds !== fold)));
    for (const decision of decisions) if (hashOf(decision.group) % folds === fold) judge(decision, model);
  }
  show(decisions);
  const { intercept, coefficients } = fitLogistic(rowsOf(decisions));
  console.log();
  const fitted = { intercept, ...Object.fromEntries(names.map((name, at) => [name, coefficients[at]])) };
  printTable(
    ["sign", "coefficient"],
    Object.entries(fitted).map(([name, value]) => [name, value.toFixed(4)]),
  );
  return fitted;
}

function decisionsOf(pool, positive, negative, internals) {
  const { buildSegment, createIndex, createShelf, declinedIn, Library, readQuery, rankedIn } = internals;
  const ids = new Map(pool.map(({ id, digest }) => [digest, id]));
  const decisions = [];
  for (const { size, skills, questions } of bedsOf(pool, positive, negative)) {
    const index = createIndex([buildSegment(skills)]);
    const library = new Library(index.parts);
    const shelf = createShelf({ entries: new Map(skills.map(entryOf)), index, triggers: new Map() });
    for (const question of questions) {
      const query = readQuery(question.query, library);
      const declined = declinedIn(shelf, { text: question.query, paths: [] });
      const options = { limit: 50, allows: (digest) => !declined.has(digest) };
      const clusters = internals.clustersOf(library, query.terms.length === 0 ? [] : rankedIn(library, query, options));
      const features = internals.confidenceFeatures(question.query, library, clusters);
      const answers = clusters.slice(0, mostLikely).map((cluster, at) => {
        const members = cluster.map(({ candidate }) => ids.get(library.digestOf(candidate.row)));
        return { features: features[at], isRight: rightness(question, members) };
      });
      decisions.push({ size, type: question.type, group: question.group, answers });
    }
  }
  return decisions;
}

function entryOf({ digest, name, description }) {
  return [digest, { id: digest, digest, name, description, trust: "untrusted" }];
}

/** Undefined where nobody knows: another skill may well be right where the one that must not be chosen is not. */
function rightness({ type, expected, not }, members) {
  if (type === "positive") return members.some((id) => expected.includes(id));
  return type === "negative" && !not.includes(members[0]) ? undefined : false;
}

function weigh(decisions) {
  const counts = new Map();
  for (const decision of decisions)
    if (isKnown(decision)) counts.set(keyOf(decision), (counts.get(keyOf(decision)) ?? 0) + 1);
  for (const decision of decisions)
    decision.weight = (scale * shares[decision.type]) / (counts.get(keyOf(decision)) ?? 1);
}

function isKnown({ answers: [first] }) {
  return first !== undefined && first.isRight !== undefined;
}

function keyOf({ size, type }) {
  return `${size} ${type}`;
}

function rowsOf(decisions) {
  return decisions.flatMap(({ answers, weight }) =>
    answers
      .map(({ features, isRight }, at) => ({ features, isRight, weight: weight * (at === 0 ? 1 : laterWeight) }))
      .filter(({ isRight }) => isRight !== undefined),
  );
}

function judge(decision, model) {
  const likely = decision.answers.map(({ features }) => likelihood(model, features));
  const sum = likely.reduce((left, value) => left + value, 0);
  decision.first = (likely[0] ?? 0) / Math.max(1, sum);
  decision.any = Math.min(1, sum);
}

function hashOf(text) {
  let hash = 7;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

function show(decisions) {
  const sizes = [...new Set(decisions.map(({ size }) => size))];
  console.log(`\n${decisions.length.toLocaleString("en")} decisions; ${folds} folds by skill\n`);
  printTable(
    [
      "skills",
      "AUC",
      "Brier",
      "ECE",
      "right first",
      "floor on",
      "at coverage 80 %",
      "false fires",
      "negatives",
      "talk",
      "absent",
    ],
    sizes.flatMap((size) => {
      const own = decisions.filter((decision) => decision.size === size);
      const known = own.filter(isKnown);
      const quality = [areaUnder(known), brier(known), calibrationError(known)].map((value) => value.toFixed(3));
      const positive = own.filter(({ type }) => type === "positive");
      const right = share(positive, ({ answers: [first] }) => first?.isRight === true);
      return ["first", "any"].map((by) =>
        [size.toLocaleString("en")].concat(quality, right, by, atCoverage(own, by, 0.8)),
      );
    }),
  );
  for (const floor of [0.2, 0.25, 0.3, 0.35, 0.4]) {
    console.log(`\nfloor ${floor} on the sum of the first ${mostLikely}`);
    printTable(
      ["skills", "coverage", "right of answered", "false fires", "negatives", "talk", "absent"],
      sizes.map((size) => {
        const own = decisions.filter((decision) => decision.size === size);
        const answered = own.filter(({ type, any }) => type === "positive" && any >= floor);
        const right = share(answered, ({ answers: [first] }) => first?.isRight === true);
        const [, coverage, ...others] = rates(own, "any", floor);
        return [size.toLocaleString("en"), coverage, right].concat(others);
      }),
    );
  }
}

function atCoverage(decisions, by, coverage) {
  const positive = decisions.filter(({ type }) => type === "positive").map((decision) => decision[by]);
  const floor = positive.toSorted((one, other) => other - one)[Math.ceil(coverage * positive.length) - 1];
  const [at, , ...others] = rates(decisions, by, floor);
  return [at, ...others];
}

function rates(decisions, by, floor) {
  const answered = (type) =>
    share(
      decisions.filter((decision) => decision.type === type),
      (decision) => decision[by] >= floor && decision.answers.length > 0,
    );
  const fires = share(
    decisions.filter(({ type }) => type === "negative"),
    (decision) => decision[by] >= floor && decision.answers[0]?.isRight === false,
  );
  return [floor.toFixed(3), answered("positive"), fires, answered("negative"), answered("talk"), answered("absent")];
}

function share(list, has) {
  return list.length === 0 ? "-" : `${((100 * list.filter(has).length) / list.length).toFixed(1)} %`;
}

/** How often a right first answer has a higher confidence than a wrong one, by weight. */
function areaUnder(decisions) {
  let [wrong, won, right] = [0, 0, 0];
  for (const { answers, weight } of decisions.toSorted((one, other) => one.first - other.first)) {
    if (answers[0].isRight) {
      won += weight * wrong;
      right += weight;
    } else wrong += weight;
  }
  return won / (wrong * right);
}

function brier(decisions) {
  const total = decisions.reduce((sum, { weight }) => sum + weight, 0);
  return (
    decisions.reduce(
      (sum, { answers, first, weight }) => sum + weight * (first - (answers[0].isRight ? 1 : 0)) ** 2,
      0,
    ) / total
  );
}

/** How far confidences are from what comes true, by tenths. */
function calibrationError(decisions) {
  const bins = Array.from({ length: 10 }, () => ({ said: 0, came: 0 }));
  let total = 0;
  for (const { answers, first, weight } of decisions) {
    const bin = bins[Math.min(9, Math.floor(first * 10))];
    bin.said += weight * first;
    bin.came += weight * (answers[0].isRight ? 1 : 0);
    total += weight;
  }
  return bins.reduce((sum, { said, came }) => sum + Math.abs(said - came), 0) / total;
}
