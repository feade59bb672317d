/** Steps down a gradient: Adam with an L2 penalty, slower towards the end. `gradientOf(weights)` is of a mean loss. */
export function descend(count, gradientOf, { steps, rate, penalty }) {
  const weights = new Float64Array(count);
  const first = new Float64Array(count);
  const second = new Float64Array(count);
  for (let step = 1; step <= steps; step++) {
    const gradient = gradientOf(weights);
    const pace = rate * (step > steps * 0.7 ? 0.3 : 1);
    for (let at = 0; at < count; at++) {
      const slope = gradient[at] + penalty * weights[at];
      first[at] = 0.9 * first[at] + 0.1 * slope;
      second[at] = 0.99 * second[at] + 0.01 * slope * slope;
      const mean = first[at] / (1 - 0.9 ** step);
      weights[at] -= (pace * mean) / (Math.sqrt(second[at] / (1 - 0.99 ** step)) + 1e-8);
    }
  }
  return weights;
}

/** The mean and the spread of each column, all rows alike or by their weights. */
export function scaleOf(rows, weights = rows.map(() => 1)) {
  const count = rows[0]?.length ?? 0;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const means = new Float64Array(count);
  const spreads = new Float64Array(count);
  const each = (act) =>
    rows.forEach((row, at) => row.forEach((value, column) => act(value, column, weights[at] / total)));
  each((value, column, share) => {
    means[column] += share * value;
  });
  each((value, column, share) => {
    spreads[column] += share * (value - means[column]) ** 2;
  });
  return { means, spreads: spreads.map((spread) => Math.sqrt(spread) || 1) };
}

export function standardised(row, { means, spreads }) {
  return row.map((value, at) => (value - means[at]) / spreads[at]);
}

export function dot(weights, row) {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += weights[at] * row[at];
  return sum;
}
