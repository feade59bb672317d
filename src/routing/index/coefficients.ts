/** Fitted by scripts/fit-routing.mjs: data only. */

/** What each feature of a candidate counts (see `featureNames`). */
export const rankingCoefficients: Readonly<Record<string, number>> = {
  wholeShare: 1.8949,
  surfaceShare: 0.70577,
  bodyShare: 1.2049,
  wholeRank: -0.26836,
  surfaceRank: -0.12455,
  bodyRank: -0.081246,
  wholeScore: 1.5077,
  termShare: 1.5461,
  rareShare: 1.9124,
  nameSaid: 1.1257,
  nameShare: -0.68629,
  passageCovered: 1.6935,
  passageAlike: 0.74481,
  pairs: 3.0434,
  bodyLength: 0.92275,
  codeLength: -0.19467,
};

/** What each sign of being right counts (see `confidenceNames`). */
export const confidenceCoefficients: Readonly<Record<string, number>> = {
  intercept: -6.9831,
  foundShare: 2.9981,
  surfaceShare: 1.3154,
  found: 0.44702,
  queryLength: 0.87524,
  worthOfWord: -0.90819,
  registrySize: -0.38948,
  scoreMargin: 1.1268,
  surfaceMargin: 1.0999,
  rankSoftmax: 3.485,
  bodyOnly: 1.7273,
  excepted: -3.4925,
  negated: -2.3748,
  asksForKnowledge: -0.25003,
  speaksOfSkills: -2.7238,
};
