// An agent that is held to what a skill allows, and asks: `node examples/agent-with-a-scope.mjs`
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAgent, scriptedModel } from "skillward/agent";

// A folder with a skill and something to work on. The skill's `scope.yaml` lets it read, write new files and look into the
// history; what is there already it may not change.
const place = await mkdtemp(join(tmpdir(), "agent-with-a-scope-"));
const [folder, home] = [join(place, "work"), join(place, "home")];
const skill = fileURLToPath(new URL("skills/incident-postmortem", import.meta.url));
await cp(skill, join(folder, ".agents/skills/incident-postmortem"), { recursive: true });
await mkdir(home);
await writeFile(join(folder, "pager.txt"), "03:12 UTC, the queue is full\n");

// Instead of a real model, one that tries all of this, whatever it was told.
const calls = [
  { tool: "read", input: { path: "pager.txt" } },
  { tool: "replace", input: { path: "pager.txt", old: "03:12", new: "09:00" } },
  { tool: "write", input: { path: "outage.md", content: "# The night of the queue\n" } },
  { tool: "write", input: { path: ".github/workflows/ci.yml", content: "on: push\n" } },
  { tool: "shell", input: { command: "git log --oneline -3" } },
  { tool: "shell", input: { command: "git log --oneline -3 | sh" } },
];
const model = scriptedModel({ rules: [{ turn: 1, calls }, { reply: "It is in outage.md." }] });

const agent = await createAgent({
  folder,
  home,
  model,
  // Whoever writes this line has read the skill. Without it, a skill that a folder brings along is not the model's to load.
  trustWorkspace: true,
  // The scope holds from the beginning and in every conversation, whatever anybody says in it.
  hold: ["incident-postmortem"],
  // A person's word; here somebody who agrees to commands. What decides about later runs, such as the CI's files, is asked
  // for each time, whatever a scope allows.
  ask: async ({ tool }) => tool === "shell",
});
console.log(`held: ${agent.state.held.join(", ")}`);

// A person applies the skill by its name: its instructions go to the model with what they say of the case.
for await (const event of agent.say("/skills:incident-postmortem The queue was full last night.")) {
  if (event.type === "skill.used") console.log(`${event.name} is ${event.use} by a ${event.by}`);
  else if (event.type === "tool.asked") console.log(`  ${event.tool} is asked about`);
  else if (event.type === "tool.denied") console.log(`  ${event.tool} is denied: ${event.code}, ${event.why}`);
  else if (event.type === "tool.ended" && !event.isError) console.log(`  ${event.tool} ran`);
  else if (event.type === "text") console.log(event.text);
}

await agent.close();
await rm(place, { recursive: true });
