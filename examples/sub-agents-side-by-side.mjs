// Sub-agents at the same time, each with skills of its own: `node examples/sub-agents-side-by-side.mjs`
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAgent, scriptedModel } from "skillward/agent";

// Instead of a real model, one that does by the task what each of them would do.
const model = scriptedModel({
  rules: [
    {
      when: "Write up the outage.",
      calls: [
        { tool: "search", input: { pattern: "root cause" } },
        { tool: "replace", input: { path: "evidence.txt", old: "a", new: "b" } },
      ],
    },
    {
      when: "Decide the terms.",
      calls: [
        { tool: "list", input: { path: "." } },
        { tool: "write", input: { path: "terms.md", content: "" } },
      ],
    },
    {
      when: "What is this folder?",
      calls: [
        { tool: "list", input: { path: "." } },
        { tool: "shell", input: { command: "git push" } },
      ],
    },
    { reply: "That is all I could do." },
  ],
});

const home = await mkdtemp(join(tmpdir(), "sub-agents-side-by-side-"));
const folder = fileURLToPath(new URL("skills", import.meta.url));
// Whoever writes `trustWorkspace` vouches for the skills of the folder; those that nobody confirmed start nobody.
const agent = await createAgent({ folder, home, model, trustWorkspace: true });

// Their events come in whatever order they work. Each says which one it is about.
const told = new Map();
agent.onEvent((heard) => {
  if (heard.type !== "sub-agent") return;
  const { event } = heard;
  if (event.type === "spawn.started") told.set(event.id, []);
  else if (event.type === "tool.ended" && !event.isError) told.get(event.id)?.push(`${event.tool} ran`);
  else if (event.type === "tool.denied") told.get(event.id)?.push(`${event.tool}: ${event.code}, ${event.why}`);
});

const requests = [
  { agent: "historian", task: "Write up the outage.", skills: ["incident-postmortem"] },
  { agent: "translator", task: "Decide the terms.", skills: ["terminology-brief", "catalogue-translation"] },
  // Without skills it has what the agent itself has: nobody can be asked here, so that it gets no shell.
  { agent: "visitor", task: "What is this folder?" },
  // Half of a pair: nothing is started.
  { agent: "planner", task: "Decide the terms.", skills: ["terminology-brief"] },
];

// `spawn` answers as soon as one is at work, and does not wait for its end: from here on they work side by side.
const started = [];
for (const request of requests) started.push({ name: request.agent, spawned: await agent.spawn(request) });

// One that is refused or fails leaves the others alone, and `done` never rejects.
const results = await Promise.all(
  started.map(async ({ name, spawned }) => {
    if (spawned.status !== "accepted") return `${name}: ${spawned.status}, ${spawned.error}`;
    const { end, text } = await spawned.done;
    const skills = spawned.scope?.skills.map(({ id }) => id).join(" and ") ?? "what the agent itself may";
    const calls = told.get(spawned.id)?.join("\n  ");
    return `${name}, under ${skills}: ${end}, "${text}"\n  ${calls}`;
  }),
);
console.log(results.join("\n\n"));

await agent.close();
await rm(home, { recursive: true });
