// Approved skills over MCP, read and verified by the official client: `npm install @modelcontextprotocol/client`, then
// `node examples/mcp-client.mjs`
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

// A registry of its own, in which somebody has approved the example skills.
const home = mkdtempSync(join(tmpdir(), "skillward-example-"));
const env = { PATH: process.env.PATH ?? "", HOME: home, USER: "ada" };
const cli = fileURLToPath(import.meta.resolve("skillward").replace(/index\.js$/, "cli.js"));
const skillward = (...args) => execFileSync(process.execPath, [cli, ...args], { env, stdio: "pipe" });
skillward("source", "add", fileURLToPath(new URL("skills", import.meta.url)), "--id", "examples");
skillward("review", "--approve-clean");

// What a host does: it starts the command and speaks MCP with it.
let changed = () => {};
const listChanged = { resources: { autoRefresh: false, onChanged: () => changed() } };
const client = new Client({ name: "example", version: "1.0.0" }, { listChanged });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, "mcp"], env }));

const skills = new SkillsClient(client);
const { skills: entries } = await skills.list();
for (const { uri, resources } of entries) console.log(`${uri}, files: ${resources.length}`);

// Every file is held against the digest that was approved.
const audit = entries.find(({ frontmatter }) => frontmatter.name === "web-accessibility-audit");
for (const { uri } of audit.resources) {
  const { bytes, verified } = await skills.read(audit, uri);
  console.log(`${verified ? "verified" : "not verified"}: ${bytes.length} bytes of ${uri.replace(/.*audit\//, "")}`);
}

// A host that does not know the extension has three tools instead.
for (const query of ["Scale my focaccia recipe from 8 to 60 people.", "Thanks, that is all!"]) {
  const { content } = await client.callTool({ name: "find_skill", arguments: { query } });
  console.log(`\n${query}\n  ${/id \S+(?=,)/.exec(content[0].text)?.[0] ?? content[0].text}`);
}

// Somebody takes one back, in another process.
const told = new Promise((done) => (changed = done));
skillward("review", "examples:recipe-scaling", "--disable");
await told;
console.log(`\nthe list has changed: ${(await skills.list()).skills.length} skills`);

await client.close();
rmSync(home, { recursive: true });
