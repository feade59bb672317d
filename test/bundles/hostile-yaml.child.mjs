// Parses every case it is given on standard input, twice over, in this one process, and prints the verdicts.
import { text } from "node:stream/consumers";
import { createBundle, parse } from "../../dist/skill.js";

const cases = JSON.parse(await text(process.stdin));
const runs = [
  { run: "workspace", profile: "workspace", limits: {} },
  { run: "ingest", profile: "ingest", limits: {} },
  // With the bounds in bytes out of the way, so that the reader itself has to withstand the large ones.
  { run: "unbounded", profile: "workspace", limits: { headerBytes: 1 << 20, fileBytes: 1 << 21 } },
];

const verdicts = [];
for (const round of [1, 2])
  for (const { run, profile, limits } of runs)
    for (const { id, file } of cases) verdicts.push({ id, run, round, ...verdictOn(file, profile, limits) });

const polluted = {}.polluted !== undefined || [].polluted !== undefined || (() => {}).polluted !== undefined;
process.stdout.write(JSON.stringify({ verdicts, polluted, taken: globalThis.taken !== undefined }));

function verdictOn(file, profile, limits) {
  const bundle = createBundle("plain", [["SKILL.md", Buffer.from(file)]]);
  const { skill, findings } = parse(bundle, profile, limits);
  const codes = findings.map(({ code }) => code);
  if (skill === undefined) return { loaded: false, codes };
  const { manifest, frontmatter, body } = skill;
  return { loaded: true, codes, manifest, frontmatter: described(frontmatter), body };
}

/** A value with what JSON cannot show: whether a map has a prototype. */
function described(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(described);
  const entries = Object.entries(value).map(([key, each]) => [key, described(each)]);
  return { bare: Object.getPrototypeOf(value) === null, entries };
}
