// Skills of a folder in front of a prompt, without a store: `node examples/compose-a-prompt.mjs`
import { fileURLToPath } from "node:url";
import { compose, inject, loadSkills } from "skillward/compose";

const folder = fileURLToPath(new URL("skills", import.meta.url));
const { skills } = await loadSkills(folder, { names: ["recipe-scaling", "terminology-brief", "fennel-staging"] });

// A secret of your own, or `await loadCompositionKey()`: the same key gives the same bytes, so prompt caches keep warm.
const composition = compose(skills, { key: "the secret of this example", trust: "verified", budget: 9500 });
const prompt = inject("Scale my focaccia from one tray to three.", composition);

for (const { name, trust, bytes } of composition.included) console.log(`included ${name}: ${trust}, ${bytes} bytes`);
for (const { entry, why } of composition.dropped) console.log(`dropped ${entry}: ${why}`);
for (const { level, code, at } of composition.findings) console.log(`${level} ${code} at ${at.file}`);

console.log(`\n${composition.bytes} bytes in front of the prompt; its own lines:`);
for (const line of prompt.split("\n")) if (line.startsWith("[[skillward:")) console.log(line);
console.log(prompt.slice(composition.block.length));
