// A skill from bytes, without touching the disk: `node examples/parse-a-skill.mjs`
import { createBundle, parse, safeName } from "skillward/skill";

const text = `---
name: weekly-report
description: "Writes the weekly status report. Use when a report is due."
allowed-tools: Read, Bash(git log:*)
---
Collect what was merged since last Monday.
`;

const bundle = createBundle("weekly-report", [["SKILL.md", new TextEncoder().encode(text)]]);
const { skill, strict, findings } = parse(bundle, "workspace");

if (skill !== undefined) {
  console.log(`${safeName(skill.manifest.name)}, strict: ${strict}, digest ${skill.digest.slice(0, 12)}`);
  console.log(`asks to have pre-approved: ${skill.manifest.allowedTools?.join(" and ") ?? "nothing"}`);
}
for (const { level, code, message, at } of findings)
  console.log(`${level} ${code} at ${at.file}:${at.line}: ${message}`);
