import { expect, test } from "vitest";
import { faults } from "../../src/skill/faults.ts";
import { sourceFaults } from "../../src/sources/source-faults.ts";
import { reviewFaults } from "../../src/scan/scan-faults.ts";
import { publishFaults } from "../../src/workspace/publish-faults.ts";
import { routeFaults } from "../../src/routing/route-faults.ts";
import { agentFaults, spawnFaults } from "../../src/agent/agent-faults.ts";
import { contractFaults } from "../../src/scope/contract/contract.ts";
import { scopeFaults } from "../../src/scope/scope-faults.ts";

const intro = `# Findings

What \`skillward validate\` can say, one row for each code. Generated from the tables of faults: \`npx vitest run
test/bundles/findings-reference.test.ts -u\` writes it.

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

const scopes = `
## Scopes

What capability skills and sets of them can say: \`skillward scope check\`. The codes in capitals are errors: such a set
is not used.

| code | level | what it means, and what to do |
|---|---|---|
`;

const agents = `
## Sub-agents and contracts

What a spawn and the contracts around it can say ([Agents](agents.md)).

| code | level | what it means, and what to do |
|---|---|---|
`;

const publishing = `
## Publishing

Why a skill that is switched on for publishing is not served: \`skillward skill published\` ([Publishing](publishing.md)).

| code | level | what it means, and what to do |
|---|---|---|
`;

const atTheTerminal = `
## The agent

What an agent, the skills of its workspace and their evaluations can say ([The agent](agent.md)).

| code | level | what it means, and what to do |
|---|---|---|
`;

test("docs/findings.md says what the tables of faults say", async () => {
  const rows = Object.entries(faults).map(
    ([code, { level, fails, why }]) => `| \`${code}\` | ${level} | ${fails.join(", ")} | ${why} |`,
  );
  const sections = [
    intro + rows.join("\n"),
    sources + rowsOf(sourceFaults),
    review + rowsOf(reviewFaults),
    routing + rowsOf(routeFaults),
    scopes + rowsOf(scopeFaults),
    agents + rowsOf({ ...spawnFaults, ...contractFaults }),
    atTheTerminal + rowsOf(agentFaults),
    publishing + rowsOf(publishFaults),
  ];
  await expect(`${sections.join("\n")}\n`).toMatchFileSnapshot("../../docs/findings.md");
});

function rowsOf(table: Readonly<Record<string, { readonly level: string; readonly why: string }>>): string {
  return Object.entries(table)
    .map(([code, { level, why }]) => `| \`${code}\` | ${level} | ${why} |`)
    .join("\n");
}
