// The smallest chat with an agent, streamed as it comes: `node examples/chat-with-an-agent.mjs`
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, scriptedModel } from "skillward/agent";

// Instead of a real model, one that needs no key. For a real one: `givenModel(openai("gpt-5"))`, with the AI SDK.
const model = scriptedModel({
  rules: [
    { when: "Hello", reply: "Hello. What shall we look at?" },
    { when: "What is here?", reply: "I look first. ", calls: [{ tool: "list", input: { path: "." } }] },
    { reply: "Nothing yet: the folder is empty." },
  ],
});

// The folder it works in. Whatever an agent keeps lies in the home of whoever runs it; here, in one for this example.
const place = await mkdtemp(join(tmpdir(), "chat-with-an-agent-"));
const home = await mkdtemp(join(tmpdir(), "chat-with-an-agent-home-"));
const agent = await createAgent({ folder: place, home, model });

for (const line of ["Hello!", "What is here?", "/skills"]) {
  console.log(`> ${line}`);
  // Nothing is thrown here: what goes wrong is an event as well, and the conversation goes on.
  for await (const event of agent.say(line)) {
    if (event.type === "text") process.stdout.write(event.text);
    else if (event.type === "tool.started") process.stdout.write(`(${event.tool} ${event.input}) `);
    else if (event.type === "model.failed") process.stdout.write(`(${event.code}: ${event.message})`);
    else if (event.type === "turn.ended") console.log("\n");
    // A command is answered by the agent itself: no model hears of it.
    else if (event.type === "reply") console.log(event.reply.notes?.join("\n"));
  }
}

await agent.close();
for (const folder of [place, home]) await rm(folder, { recursive: true });
