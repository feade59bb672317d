/**
 * Skills as people write them, made up from the words below: the same ones for the same number on every machine.
 * Headers come in the styles that are common in the wild; bodies have 1 to 8 KB of Markdown.
 */

/** Skill number `index`. `header` is the YAML between the fences, `text` the whole SKILL.md. */
export function generateSkill(index) {
  const random = createRandom(index);
  const folder = `${random.of(verbs)}-${random.of(things)}-${index}`;
  const header = headerOf(random, folder);
  return { folder, header, text: `---\n${header}---\n\n${bodyOf(random, folder)}` };
}

/** Mulberry32: small, even, and the same everywhere. */
function createRandom(seed) {
  let state = (seed + 1) * 0x9e3779b1;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound) => Math.floor(next() * bound);
  const of = (list) => list[below(list.length)];
  const some = (list, count) => Array.from({ length: count }, () => of(list));
  /** One of the choices, each as likely as its weight says. */
  const weighted = (choices) => {
    let left = below(choices.reduce((sum, [weight]) => sum + weight, 0));
    return choices.find(([weight]) => (left -= weight) < 0)[1];
  };
  return { below, of, some, weighted, chance: (percent) => below(100) < percent };
}

const verbs = ["review", "draft", "convert", "audit", "plan", "migrate", "summarise", "deploy", "test", "translate"];
const things = ["invoices", "recipes", "releases", "schemas", "reports", "tickets", "dashboards", "contracts", "maps"];
const areas = ["a small web shop", "a PostgreSQL database", "the design system", "a mobile app", "the quarterly books"];
const moments = [
  "the user asks for a second opinion",
  "a pull request touches more than one service",
  "numbers from two sources do not agree",
  "a deadline is near and the scope is unclear",
  "someone mentions a spreadsheet, a CSV file or an export",
];
const sentences = [
  "Read the whole input once before changing anything, and note what is missing.",
  "Prefer the smallest change that makes the failing case pass, then look again.",
  "Ask one question at a time; three short answers beat one long form.",
  "Keep the units of the source and convert only in the last column.",
  "When two records disagree, show both with their dates instead of choosing.",
  "A table with more than six columns is read by nobody; split it by purpose.",
  "Names of people stay as they are written, accents included (Zoë, Łukasz, Müller).",
  "Stop when the budget is used up – and say what was left out.",
];
const tools = ["Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "Bash(git add *)", "Bash(npm run test:*)", "Task"];
const labels = ["finance", "writing", "quality", "operations", "data", "web"];

function headerOf(random, folder) {
  const lines = [`name: ${random.chance(15) ? `"${folder}"` : folder}`, descriptionOf(random, folder)];
  if (random.chance(30)) lines.push(`license: ${random.of(["MIT", "Apache-2.0", "Complete terms in LICENSE.txt"])}`);
  if (random.chance(10)) lines.push("compatibility: Needs Node.js 20 and network access");
  if (random.chance(40)) lines.push(toolsOf(random));
  if (random.chance(45)) lines.push(metadataOf(random, folder));
  if (random.chance(15)) lines.push(`version: ${1 + random.below(3)}.${random.below(20)}`);
  if (random.chance(10)) lines.push(`tags: [${random.some(labels, 3).join(", ")}]`);
  if (random.chance(8)) lines.push("user-invocable: true # shown as a command");
  return `${lines.join("\n")}\n`;
}

function descriptionOf(random, folder) {
  const [verb, thing] = folder.split("-");
  const parts = [`Helps to ${verb} ${thing} for ${random.of(areas)}.`, `Use when ${random.of(moments)}.`];
  if (random.chance(50)) parts.push(random.of(sentences));
  if (random.chance(20)) parts.push(`Not for ${random.of(things)} that "belong" to ${random.of(areas)}.`);
  const text = parts.join(" ");
  const indented = parts.map((part) => `  ${part}`).join("\n");
  return random.weighted([
    [55, `description: ${text}`],
    [20, `description: ${JSON.stringify(text)}`],
    [5, `description: '${text.replaceAll("'", "''")}'`],
    [10, `description: >-\n${indented}`],
    [5, `description: |\n${indented}`],
    [5, `description:\n${indented}`],
  ]);
}

function toolsOf(random) {
  const chosen = [...new Set(random.some(tools, 1 + random.below(6)))];
  return random.weighted([
    [80, `allowed-tools: ${chosen.join(", ")}`],
    [10, `allowed-tools: ${chosen.join(" ")}`],
    [5, `allowed-tools:\n${chosen.map((tool) => `  - ${tool}`).join("\n")}`],
    [5, `allowed-tools: [${chosen.map((tool) => JSON.stringify(tool)).join(", ")}]`],
  ]);
}

function metadataOf(random, folder) {
  const lines = ["metadata:", `  author: ${random.of(["Northwind Tools", "fennel-team", '"A. Example"'])}`];
  lines.push(`  version: "${1 + random.below(4)}.${random.below(10)}"`);
  if (random.chance(40)) lines.push(`  category: ${random.of(labels)}`);
  if (random.chance(25)) lines.push(`  triggers: ${folder.split("-").slice(0, 2).join(" ")}, ${random.of(things)}`);
  return lines.join("\n");
}

function bodyOf(random, folder) {
  const wanted = 1024 + random.below(7 * 1024);
  const parts = [`# ${folder.replaceAll("-", " ")}\n`];
  for (let size = 0; size < wanted; size += parts.at(-1).length) parts.push(sectionOf(random, parts.length));
  return parts.join("\n").slice(0, wanted);
}

function sectionOf(random, number) {
  const lines = random.some(sentences, 3 + random.below(3));
  return random.weighted([
    [4, `## Step ${number}\n\n${lines.join(" ")}\n`],
    [4, `${lines.map((line) => `- ${line}`).join("\n")}\n`],
    [2, `${lines.map((line, at) => `${at + 1}. **${random.of(things)}**: ${line}`).join("\n")}\n`],
    [2, `\`\`\`sh\nnpm run ${random.of(verbs)} -- --input data/${random.of(things)}.csv\n\`\`\`\n`],
    [
      1,
      `| Field | Meaning |\n|---|---|\n${random
        .some(things, 4)
        .map((thing) => `| \`${thing}\` | ${random.of(areas)} |`)
        .join("\n")}\n`,
    ],
    [1, `See \`references/${random.of(things)}.md\` and run \`scripts/${random.of(verbs)}.py\`.\n`],
  ]);
}
