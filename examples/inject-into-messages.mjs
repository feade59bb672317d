// One composition into a chat and into an Anthropic request: `node examples/inject-into-messages.mjs`
import { fileURLToPath } from "node:url";
import { compose, inject, loadSkills } from "skillward/compose";

const folder = fileURLToPath(new URL("skills", import.meta.url));
const { skills } = await loadSkills(folder, { names: ["tidewater-warehouse"] });
const key = "the secret of this example";

const chat = [
  { role: "system", content: "You answer with SQL." },
  { role: "user", content: "How many crossings were cancelled in May?" },
  { role: "assistant", content: "SELECT count(*) FROM crossings …" },
  { role: "user", content: "And in June?" },
];
const { messages } = inject(chat, compose(skills, { key }));
show("a chat", messages);

// Skills that are trusted enough may stand in the system prompt, behind what is there.
const system = compose(skills, { key, trust: "first_party", placement: "system" });
const request = { model: "any", max_tokens: 500, system: "You answer with SQL.", messages: [chat[1]] };
const { request: injected } = inject({ shape: "anthropic-messages", request }, system);
show("a request", [{ role: "system", content: injected.system }, ...injected.messages]);

// Nothing is put where nobody asked: that is a finding, never silence.
const { findings } = inject([{ role: "assistant", content: "Hello." }], system);
for (const { level, code, message } of findings) console.log(`${level} ${code}: ${message}`);

function show(title, turns) {
  console.log(`${title}:`);
  for (const { role, content } of turns) {
    const shown = content.length > 60 ? `${content.slice(0, 22)} … ${content.slice(-41)}` : content;
    console.log(`  ${role} (${content.length}): ${JSON.stringify(shown)}`);
  }
}
