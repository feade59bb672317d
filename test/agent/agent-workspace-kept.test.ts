import { existsSync } from "node:fs";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentPlaces, protectedPlacesOf, withHome } from "../../src/features/agent/agent-places.ts";
import { type AgentOptions, openAgent } from "../../src/features/agent/open-agent.ts";
import { type Environment, parseEnvironment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import type { ToolInput } from "../../src/agent/tool.ts";
import { createWorkspaceTools } from "../../src/agent/tools/workspace-tools.ts";
import type { ScriptedCall } from "../../src/models/scripted-rules.ts";
import { createCapabilities } from "../../src/scope/registry.ts";
import { AgentRoom, eventsOf, typed } from "./agent-room.ts";

const world = createWorld();
const { files, processes } = world;
const signal = new AbortController().signal;
const context = { id: "agent", argv: null, capabilities: createCapabilities().view(), signal };

let room: AgentRoom;
beforeEach(async () => {
  room = await AgentRoom.make();
});
afterEach(() => room.close());

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(room.home, path)), { recursive: true });
  await writeFile(join(room.home, path), text);
}

const mark = "0".repeat(64);
const created = (path: string) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+forged\n`;

describe("T33: an agent in the home of its person does not reach what is Skillward's own", () => {
  const trust = `.config/skillward/trust/${mark}`;
  const line = ".local/share/skillward/conversations/a.jsonl";
  const calls: readonly ScriptedCall[] = [
    { tool: "write", input: { path: trust, content: "forged" } },
    { tool: "write", input: { path: line, content: "forged" } },
    { tool: "write", input: { path: ".local/share/skillward/chat-lines", content: "forged" } },
    { tool: "patch", input: { patch: created("a.txt") + created(trust) } },
    { tool: "replace", input: { path: ".config/skillward/config.yaml", old: "secret", new: "forged" } },
    { tool: "read", input: { path: ".config/skillward/config.yaml" } },
    { tool: "list", input: { path: ".config/skillward" } },
    { tool: "search", input: { path: ".config/skillward", text: "secret" } },
  ];

  it("AG-7: whatever its person says yes to: each call is denied, and nothing is there", async () => {
    await put(".config/skillward/config.yaml", "# secret\n");
    const asked: string[] = [];
    const ask: AgentOptions["ask"] = async ({ tool }) => asked.push(tool) > 0;
    const agent = await room.open([{ turn: 1, calls }, { reply: "done" }], {
      folder: room.home,
      allow: ["write", "read"],
      ask,
      keep: false,
    });
    const events = await eventsOf(agent, "go");
    expect(typed(events, "tool.denied").map(({ tool }) => tool)).toEqual(calls.map(({ tool }) => tool));
    expect(asked).toEqual([]);
    expect((await readdir(join(room.home, ".config/skillward"))).toSorted()).toEqual(["compose.key", "config.yaml"]);
    expect([line, ".local", "a.txt"].filter((path) => existsSync(join(room.home, path)))).toEqual([]);
    expect(room.allOf(-1)).not.toContain("# secret");
  });

  it.each([".config/skillward", ".config/skillward/trust", ".local/share/skillward"])(
    "AG-7: no agent is opened in %s",
    async (folder) => {
      await mkdir(join(room.home, folder), { recursive: true });
      await symlink(join(room.home, folder), join(room.home, "link"));
      for (const named of [folder, "link"])
        await expect(room.open([], { folder: join(room.home, named) })).rejects.toMatchObject({
          code: "usage.invalid",
          message: expect.stringContaining("keeps its own files"),
        });
    },
  );

  it("T44: nor in a folder of data that was named", async () => {
    const data = join(room.home, "kept");
    await mkdir(data);
    await expect(room.open([], { folder: data, data })).rejects.toMatchObject({ code: "usage.invalid" });
    const environment: Environment = { ...withHome(parseEnvironment({}), room.home), data };
    const model = { name: "none", model: { answer: () => Promise.reject(new Error("not asked")) }, parameters: {} };
    await expect(openAgent(world, environment, { folder: data, model })).rejects.toMatchObject({
      code: "usage.invalid",
    });
  });
});

describe("T33: which places these are", () => {
  const placesIn = (environment: Environment, data?: string) =>
    protectedPlacesOf(files, room.workspace, environment, agentPlaces(environment, data));

  it("AG-7: the usual ones and every one that was named, by their real paths, also before they are there", async () => {
    await mkdir(join(room.home, "dots"));
    await symlink("dots", join(room.home, ".config"));
    await symlink("elsewhere.db", join(room.home, "store.db"));
    await put("elsewhere.db", "");
    const environment: Environment = {
      ...withHome(parseEnvironment({}), room.home),
      config: join(room.home, "my.yaml"),
      data: join(room.home, "data"),
      keys: join(room.home, "my-keys.json"),
      store: join(room.home, "store.db"),
    };
    const { kept } = await placesIn(environment, join(room.home, "other-data"));
    expect(kept.map((path) => path.slice(room.home.length + 1)).toSorted()).toEqual([
      ".local/share/skillward",
      "data",
      "dots/skillward",
      "elsewhere.db",
      "elsewhere.db-journal",
      "elsewhere.db-shm",
      "elsewhere.db-wal",
      "my-keys.json",
      "my.yaml",
      "other-data",
    ]);
  });

  it("AG-7: a server's store is no place, nor is what is no full path", async () => {
    const home = withHome(parseEnvironment({}), room.home);
    const { kept } = await placesIn({ ...home, store: "postgres://db/x", config: "c.yaml", keys: "k" });
    expect(kept.map((path) => path.slice(room.home.length))).toEqual(
      [".config", ".local/share"].map((at) => `/${at}/skillward`),
    );
  });

  it("AG-7: the folder that .git names is among what is asked about", async () => {
    await room.write(".git", "gitdir: meta\n");
    const asked: ToolInput[] = [];
    const ask: AgentOptions["ask"] = async ({ input, everyTime }) => {
      if (everyTime === true) asked.push(input);
      return false;
    };
    const input = { path: "meta/info/attributes", content: "" };
    const rules = [{ turn: 1, calls: [{ tool: "write", input }] }, { reply: "done" }];
    const agent = await room.open(rules, { ask, allow: ["write"], keep: false });
    await eventsOf(agent, "go");
    expect([asked, existsSync(join(room.workspace, "meta"))]).toEqual([[input], false]);
  });
});

describe("T33: the tools themselves do not go there", () => {
  const kept = () => [join(room.home, "own"), join(room.home, "part/keys.json")];
  const run = (name: string, input: ToolInput) => {
    const tools = createWorkspaceTools({ root: room.home, files, processes, kept: kept() });
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.run(input, context);
  };

  beforeEach(async () => {
    await put("own/trust/a", "secret\n");
    await put("part/keys.json", "secret\n");
    await put("part/own/a", "secret\n");
  });

  it("AG-7: without a gate each refuses what is at or below them", async () => {
    for (const path of ["own/trust/a", "own", "own/new", "part/keys.json"])
      for (const [name, input] of [
        ["read", { path }],
        ["list", { path }],
        ["search", { path, text: "secret" }],
        ["write", { path, content: "forged" }],
        ["replace", { path, old: "secret", new: "forged" }],
        ["patch", { patch: created("b") + created(path) }],
      ] as const)
        await expect(run(name, input)).rejects.toThrow(/is Skillward's own/);
    expect(await readdir(room.home, { recursive: true })).toHaveLength(7);
  });

  it("AG-7: walks go around them, and say so", async () => {
    expect((await run("list", { depth: 16 })).split("\n")).toEqual([
      "own/ (what is in it is not shown)",
      "part/",
      "part/keys.json",
      "part/own/",
      "part/own/a",
    ]);
    expect(await run("search", { text: "secret" })).toBe(
      "part/own/a:1: secret\n[1 line found in 1 file]\n[not looked at: what is Skillward's own (2)]",
    );
  });
});
