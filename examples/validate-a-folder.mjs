// Every skill in a folder, as `skillward validate` does: `node examples/validate-a-folder.mjs examples/skills`
import { blocks, validateSkills } from "skillward";

const report = await validateSkills(process.argv.slice(2), { profile: "registry" });

for (const { name, kind, support, findings } of report.skills) {
  console.log(`${name}: ${kind}, ${support}, ${findings.filter(blocks).length} blocking`);
}
process.exitCode = report.passes ? 0 : 1;
