import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { SKILL_LIMITS, SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { mcpBounds } from "../../src/server/mcp/sessions.ts";
import { demandBuilt, skillward } from "../support/cli.ts";
import { CliHome } from "../support/cli-home.ts";
import { type Era, eras } from "./mcp-eras.ts";
import { fenced, sectionOf } from "../support/page.ts";

const home = new CliHome();
const keys: Record<string, string> = {};
beforeAll(() => {
  const place = home.skills("skills", { writing: "Write plainly.", drawing: "Draw boldly.", fresh: "Nobody looked." });
  home.json(["source", "add", place, "--id", "team"]);
  for (const name of ["writing", "drawing"]) approve(name);
  home.json(["provider", "add", "echo", "--protocol", "echo", "--model", "*"]);
  home.json(["config", "add", "house", "--provider", "echo", "--model", "any"]);
  home.json(["attach", "house", "team:writing"]);
  for (const [name, ...more] of [["limited", "--configuration", "house"], ["revoked"]] as const)
    keys[name] = home.json(["key", "add", name, "--role", "reader", ...more]).key;
});
afterAll(() => home.remove());

function approve(name: string): void {
  const { digest } = home.json(["review", `team:${name}`]).revision;
  home.json(["review", `team:${name}`, "--approve", "--digest", digest]);
}

function environment(key?: string): Record<string, string> {
  const own = { PATH: process.env["PATH"] ?? "", HOME: home.folder };
  return key === undefined ? own : { ...own, SKILLWARD_API_KEY: key };
}

/** An official client that has started the built program, as a host does. */
async function connect(args: readonly string[], options: { key?: string; era?: Era; changed?: () => void } = {}) {
  const { key, era = "2025-11-25", changed = () => {} } = options;
  const listChanged = { resources: { onChanged: changed, autoRefresh: false, debounceMs: 1 } };
  const client = new Client({ name: "test", version: "1.0.0" }, { ...eras[era], listChanged });
  const command = { command: process.execPath, args: [demandBuilt(), "mcp", ...args], env: environment(key) };
  await client.connect(new StdioClientTransport({ ...command, stderr: "pipe" }));
  onTestFinished(() => client.close());
  return client;
}

/** A process of its own takes the time that it takes. */
function untilSo(isSo: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 30_000 });
}

async function namesBy(client: Client): Promise<string[]> {
  const { skills } = await new SkillsClient(client).list();
  return skills.map(({ frontmatter }) => frontmatter.name).toSorted();
}

describe("SV-5: skillward mcp", () => {
  test.each(Object.keys(eras) as Era[])(
    "SV-5, RV-10: verified, and told what another process approves, %s",
    async (era) => {
      let told = 0;
      const client = await connect([], { era, changed: () => void told++ });
      expect(client.getNegotiatedProtocolVersion()).toBe(era);
      expect(await namesBy(client)).toEqual(["drawing", "writing"]);
      const skills = new SkillsClient(client);
      for (const skill of (await skills.list()).skills) expect((await skills.read(skill)).verified).toBe(true);
      home.json(["review", "team:drawing", "--disable"]);
      await untilSo(() => told === 1);
      expect(await namesBy(client)).toEqual(["writing"]);
      approve("drawing");
      await untilSo(() => told === 2);
    },
  );

  test("RV-12: as the holder of a key, for as long as it is one; `--configuration` narrows it further", async () => {
    const [limited, narrowed, revoked] = await Promise.all([
      connect([], { key: keys["limited"] ?? "" }),
      connect(["--configuration", "house"]),
      connect([], { key: keys["revoked"] ?? "" }),
    ]);
    expect(await namesBy(limited)).toEqual(["writing"]);
    expect(await namesBy(narrowed)).toEqual(["writing"]);
    expect(await namesBy(revoked)).toEqual(["drawing", "writing"]);
    home.json(["key", "revoke", "revoked"]);
    await expect(namesBy(revoked)).rejects.toThrow("the API key is not valid");
    const { isError, content } = await revoked.callTool({ name: "load_skill", arguments: { skill: "writing" } });
    expect([isError, JSON.stringify(content).includes("plainly")]).toEqual([true, false]);
  });

  test("RV-12: what cannot be served is said on standard error, and standard output stays empty", () => {
    for (const [args, key, message] of [
      [["--configuration", "nowhere"], undefined, 'there is no configuration "nowhere"'],
      [["--configuration", "other"], keys["limited"], 'configuration "other" is not one of them'],
      [[], "swk_nobody", "the API key is not valid"],
    ] as const) {
      const { code, out, err } = skillward(["mcp", ...args], { env: environment(key) });
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(message);
    }
  });

  test("SV-5: standard output carries the protocol and nothing else; it ends at the end of its input, and by a signal", async () => {
    for (const ending of ["input", "signal"] as const) {
      const child = spawn(process.execPath, [demandBuilt(), "mcp"], { env: environment() });
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on("line", (line) => void lines.push(line));
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
      const messages = [
        { id: 1, method: "initialize", params },
        { method: "notifications/initialized" },
        { id: 2, method: "tools/call", params: { name: "find_skill", arguments: { query: "write plainly" } } },
        { id: 3, method: "nonsense" },
      ];
      for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      child.stdin.write("this is no message\n");
      await untilSo(() => lines.length >= 3);
      if (ending === "input") child.stdin.end();
      else child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(new Set(lines.map((line) => JSON.parse(line).id))).toEqual(new Set([1, 2, 3]));
      expect(lines).toHaveLength(3);
    }
  });
});

const page = readFileSync("docs/mcp.md", "utf8");

describe("docs/mcp.md", () => {
  test("SV-5: what a host is configured with starts exactly this", () => {
    const [stdio = ""] = fenced(sectionOf(page, "A host on the same machine"), "json");
    const { command, args } = JSON.parse(stdio).mcpServers.skillward;
    expect([command, ...args]).toEqual(["npx", "-y", "skillward", "mcp"]);
    const [http = ""] = fenced(sectionOf(page, "A host that reaches a server"), "json");
    expect(JSON.parse(http).mcpServers.skillward).toMatchObject({ type: "http", url: "http://127.0.0.1:8787/mcp" });
  });

  test("T41: has the true limits", () => {
    const bounds = sectionOf(page, "Bounds");
    const { messageBytes, messageValues, sessionsEach, sessions, idleMs, streamsEach } = mcpBounds;
    expect(bounds).toContain(`| a message | ${messageBytes / 2 ** 20} MiB, and one message in a request |`);
    expect(bounds).toContain(`| values in a message | ${messageValues.toLocaleString("en")}, 64 deep |`);
    expect(bounds).toContain(`${sessionsEach} of one user or key, ${sessions.toLocaleString("en")} on a node`);
    expect(bounds).toContain(`| ${idleMs / 60_000} minutes |`);
    expect(bounds).toContain(`| ${streamsEach} of one user or key |`);
    expect(sectionOf(page, "What is left out")).toContain(
      `${SKILL_LIMITS.files} files or ${SKILL_LIMITS.bytes / 2 ** 20} MiB`,
    );
  });
});
