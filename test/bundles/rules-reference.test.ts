import { expect, test } from "vitest";
import { explanations as all } from "../../src/scan/rules.ts";

const intro = `# Rules of the scanner

What \`skillward scan\`, a sync, \`add\` and \`update\` look for, one row for each code. Generated from the rules themselves:
\`npx vitest run test/bundles/rules-reference.test.ts -u\` writes it. What rules can and cannot do, measured: [security](security.md#the-scanner).

\`high\` and \`critical\` block until a person overrides the finding with a reason. Where a text only speaks of such a thing
(quotes it, warns of it, says how to detect it) the finding is *medium* or less. Found in text that was encoded, it is one
level heavier. Every rule is a file of its own under \`src/scan/rules/\`, with texts that it must find and texts that it
must not.
`;

const families: readonly (readonly [family: string, title: string])[] = [
  ["inject", "Orders to the model"],
  ["agent", "The agent's own memory and settings"],
  ["hidden", "Hidden text"],
  ["lure", "Bait and false pretences"],
  ["fetch", "Where things are fetched from"],
  ["run", "What is run"],
  ["secrets", "Secrets"],
  ["leak", "Data that leaves"],
  ["persist", "What stays behind"],
  ["destroy", "Destruction"],
  ["unread", "What could not be analysed"],
];

test("RV-6: docs/rules.md says what the rules say", async () => {
  const sections = families.map(([family, title]) => {
    const own = all.filter(({ id }) => id.startsWith(`${family}.`));
    expect(own.length).toBeGreaterThan(0);
    const rows = own.map(
      ({ id, level, title: what, why }) => `| \`${id}\` | ${level} | ${cell(what)} | ${cell(why)} |`,
    );
    return `\n## ${title}\n\n| code | level | what | why it matters, and what to do |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  expect(all.filter(({ id }) => !families.some(([family]) => id.startsWith(`${family}.`)))).toEqual([]);
  await expect(`${intro}${sections.join("")}`).toMatchFileSnapshot("../../docs/rules.md");
});

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
