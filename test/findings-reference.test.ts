import { expect, test } from "vitest";
import { faults } from "../src/ingest/skill/faults.ts";
import { sourceFaults } from "../src/ingest/source/source-faults.ts";
import { reviewFaults } from "../src/review/review-faults.ts";
import { routeFaults } from "../src/use/route/route-faults.ts";

const intro = `# Findings

What \`skillward validate\` can say, one row for each code. Generated from the tables of faults: \`npx vitest run
test/findings-reference.test.ts -u\` writes it.

\`high\` and \`critical\` block: a skill with one fails every profile. *Refused in* names the profiles that refuse the
skill for this alone, whatever the level. \`workspace\` there means the skill cannot be loaded at all.

| code | level | refused in | what it means, and what to do |
|---|---|---|---|
`;

const sources = `
## Sources

What a sync can say besides, of a source and of the commit it stands on ([Sources](sources.md)).

| code | level | what it means, and what to do |
|---|---|---|
`;

const review = `
## Review

What a review and an attachment can say besides. What the scanner looks for in a skill is in [Rules](rules.md).

| code | level | what it means, and what to do |
|---|---|---|
`;

const routing = `
## Routing

What choosing skills can say ([Routing](routing.md)).

| code | level | what it means, and what to do |
|---|---|---|
`;

test("docs/findings.md says what the tables of faults say", async () => {
  const rows = Object.entries(faults).map(
    ([code, { level, fails, why }]) => `| \`${code}\` | ${level} | ${fails.join(", ")} | ${why} |`,
  );
  const ofSources = Object.entries(sourceFaults).map(([code, { level, why }]) => `| \`${code}\` | ${level} | ${why} |`);
  const ofReview = Object.entries(reviewFaults).map(([code, { level, why }]) => `| \`${code}\` | ${level} | ${why} |`);
  const ofRouting = Object.entries(routeFaults).map(([code, { level, why }]) => `| \`${code}\` | ${level} | ${why} |`);
  const sections = [
    intro + rows.join("\n"),
    sources + ofSources.join("\n"),
    review + ofReview.join("\n"),
    routing + ofRouting.join("\n"),
  ];
  await expect(`${sections.join("\n")}\n`).toMatchFileSnapshot("../docs/findings.md");
});
