import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../../src/routing/index/", import.meta.url);
const head = "/** Fitted by scripts/fit-routing.mjs: data only. */\n\n";

/** Writes both models; each is `{ name: number }`. */
export function writeCoefficients({ ranking, confidence }) {
  writeFileSync(
    fileURLToPath(new URL("coefficients.ts", folder)),
    `${head}/** What each feature of a candidate counts (see \`featureNames\`). */
export const rankingCoefficients: Readonly<Record<string, number>> = ${literal(ranking)};

/** What each sign of being right counts (see \`confidenceNames\`). */
export const confidenceCoefficients: Readonly<Record<string, number>> = ${literal(confidence)};
`,
  );
}

function literal(numbers) {
  const lines = Object.entries(numbers).map(([name, value]) => `  ${name}: ${Number(value.toPrecision(5))},\n`);
  return `{\n${lines.join("")}}`;
}

/** Writes rows of `[thousandths, words]`. */
export function writeBackground(rows) {
  const lines = rows.map(([share, words]) => `  [${share}, ${JSON.stringify(words.join(" "))}],\n`);
  writeFileSync(
    fileURLToPath(new URL("background.ts", folder)),
    `${head}/** Words (as tokens) that many skills have, by the share of skills that have them, in thousandths. */
export const backgroundWords: readonly (readonly [number, string])[] = [
${lines.join("")}];
`,
  );
}
