import { dot, scaleOf, standardised } from "./adam.mjs";

const penalty = 3;
const mostSteps = 12;

/** Logistic regression by Newton's method on standardised columns. Rows are `{ features, isRight, weight }`. */
export function fitLogistic(rows) {
  const scale = scaleOf(
    rows.map(({ features }) => features),
    rows.map(({ weight }) => weight),
  );
  const inputs = rows.map(({ features }) => [1, ...standardised(features, scale)]);
  const size = inputs[0].length;
  const weights = new Float64Array(size);
  for (let step = 0; step < mostSteps; step++) {
    const change = solve(...derivatives(weights, inputs, rows, size));
    for (let at = 0; at < size; at++) weights[at] += change[at];
    if (change.every((each) => Math.abs(each) < 1e-7)) break;
  }
  const coefficients = Array.from(scale.spreads, (spread, at) => weights[at + 1] / spread);
  return { intercept: weights[0] - dot(coefficients, scale.means), coefficients };
}

function derivatives(weights, inputs, rows, size) {
  const gradient = new Float64Array(size);
  const curvature = Array.from({ length: size }, () => new Float64Array(size));
  for (const [at, { isRight, weight }] of rows.entries()) {
    const input = inputs[at];
    const likely = 1 / (1 + Math.exp(-dot(weights, input)));
    const pull = weight * ((isRight ? 1 : 0) - likely);
    const bend = weight * likely * (1 - likely);
    for (let one = 0; one < size; one++) {
      gradient[one] += pull * input[one];
      for (let other = 0; other < size; other++) curvature[one][other] += bend * input[one] * input[other];
    }
  }
  for (let at = 1; at < size; at++) {
    gradient[at] -= penalty * weights[at];
    curvature[at][at] += penalty;
  }
  curvature[0][0] += 1e-6;
  return [curvature, gradient];
}

/** Solves a system of linear equations by elimination. */
function solve(matrix, right) {
  const rows = matrix.map((row, at) => [...row, right[at]]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows.reduce(
      (best, row, at) => (at >= column && Math.abs(row[column]) > Math.abs(rows[best][column]) ? at : best),
      column,
    );
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let below = column + 1; below < size; below++) {
      const factor = rows[below][column] / rows[column][column];
      for (let at = column; at <= size; at++) rows[below][at] -= factor * rows[column][at];
    }
  }
  const result = new Float64Array(size);
  for (let at = size - 1; at >= 0; at--) {
    const known = rows[at].slice(at + 1, size).reduce((sum, value, offset) => sum + value * result[at + 1 + offset], 0);
    result[at] = (rows[at][size] - known) / rows[at][at];
  }
  return result;
}

export function likelihood({ intercept, coefficients }, features) {
  return 1 / (1 + Math.exp(-(intercept + dot(coefficients, features))));
}
