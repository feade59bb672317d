// Tools of an MCP server that a skill's scope holds back: `npm install @modelcontextprotocol/client
// @modelcontextprotocol/server zod`, then `node examples/gate-mcp-tools.mjs`
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { createCapabilities, createGate, gateMcp } from "skillward/scope";
import { z } from "zod";

// A server with three tools, in this very process. It says when it is asked for something.
const server = new McpServer({ name: "notes", version: "1.0.0" });
for (const name of ["find", "delete", "share"]) {
  server.registerTool(name, { inputSchema: z.object({ title: z.string() }) }, async ({ title }) => {
    console.log(`  the server was asked to ${name} ${JSON.stringify(title)}`);
    return { content: [{ type: "text", text: `${name}: ${title}` }] };
  });
}
const client = new Client({ name: "example", version: "1.0.0" });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);

// Two skills at once: a call has to suit both, and what one of them forbids is forbidden.
const capabilities = createCapabilities();
capabilities.register({
  name: "shopping",
  description: "Looks up shopping lists.",
  allowedTools: ["mcp__notes__find", "mcp__notes__share"],
  executionProtocol: [],
});
capabilities.register({
  name: "discreet",
  description: "Shows nothing to others.",
  allowedTools: "*",
  forbiddenTools: ["mcp__notes__share"],
  executionProtocol: [],
});
const gate = createGate({ scope: capabilities.compose(["shopping", "discreet"]) });
const notes = gateMcp(client, gate, { server: "notes" });

const { tools } = await notes.listTools();
console.log(`the model is told of: ${tools.map(({ name }) => name).join(", ")}`);
for (const name of ["find", "delete", "share", "Find"]) {
  console.log(`\n${name}:`);
  const { isError = false, content } = await notes.callTool({ name, arguments: { title: "groceries" } });
  for (const part of content) if (part.type === "text") console.log(`  ${isError ? "error" : "answer"}: ${part.text}`);
}
await client.close();
