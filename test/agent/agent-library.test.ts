import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AgentEvent, type AgentOptions, createAgent, type PrimaryAgent, scriptedModel } from "../../src/agent.ts";
import { hostTools } from "../../src/scope/tools/tools.ts";
import { usualAgentLimits } from "../../src/agent/agent-host.ts";
import { skillMd, typed } from "./agent-room.ts";
import { sectionOf } from "../support/page.ts";

let place = "";
let agents: PrimaryAgent[] = [];

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "skillward-library-")));
  for (const name of ["work", "home"]) await mkdir(join(place, name));
});

afterEach(async () => {
  for (const agent of agents) await agent.close();
  agents = [];
  await rm(place, { recursive: true });
});

const done = scriptedModel({ rules: [{ reply: "Done." }] });

async function open(options: Partial<AgentOptions> = {}): Promise<PrimaryAgent> {
  const agent = await createAgent({ folder: join(place, "work"), home: join(place, "home"), model: done, ...options });
  agents.push(agent);
  return agent;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(place, "work", path)), { recursive: true });
  await writeFile(join(place, "work", path), text);
}

async function heard(agent: PrimaryAgent, line: string, signal?: AbortSignal): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.say(line, signal === undefined ? {} : { signal })) events.push(event);
  return events;
}

/** A model that answers when it is told to, and heeds no signal. */
function waitingModel() {
  let answer = () => {};
  let onAsked: (signal: AbortSignal | undefined) => void = () => {};
  const asked = new Promise<AbortSignal | undefined>((resolve) => (onAsked = resolve));
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const model: AgentOptions["model"] = {
    answer: async ({ signal }) => {
      onAsked(signal);
      await answered;
      return { text: "Late.", finish: "stop", tokens: { input: null, output: null } };
    },
  };
  return { model, asked, answer: () => answer() };
}

const tool = (name: string, run = async () => "ran") => ({
  name,
  description: "A tool.",
  inputSchema: { type: "object" },
  run,
});

describe("AG-6: options of an agent", () => {
  it.each([
    [{ holds: ["tea"] }, /"holds": there is no such option; did you mean hold\?/],
    [{ alow: [] }, /"alow": there is no such option; did you mean allow\?/],
    [{ zzz: 1 }, /"zzz": there is no such option; there are folder, model, /],
    // What only the command line may say is no option of a program.
    [{ stored: null }, /"stored": there is no such option/],
    [{ hold: "tea" }, /^hold: expected a list of names/],
    [{ allow: "Bash(npm test)" }, /^allow: expected a list of tools/],
    [{ allow: ["Bash(("] }, /Bash\(\(/],
    [{ ask: true }, /^ask: expected a function/],
    [{ model: "gpt-5" }, /^model: expected a model with answer\(\); givenModel/],
    [{ folder: undefined }, /^folder: expected the path of a folder/],
    [{ trustWorkspace: "yes" }, /^trustWorkspace: expected true or false/],
    [{ inject: "all" }, /^inject: expected "catalogue" or "bodies"/],
    [{ tools: [{ name: "look" }] }, /^tools: expected a list of tools/],
    [{ commands: [{ name: "/look" }] }, /^commands: expected a list of commands/],
    [{ home: "relative" }, /^home: expected the absolute path/],
    [{ resume: true }, /^resume: only with keep/],
    [{ limits: { call: 1 } }, /^limits: there is no "call"; did you mean calls\?/],
    [{ limits: { calls: -1 } }, /^limits\.calls: expected a whole number/],
    [{ spawnLimits: { depht: 1 } }, /depht/],
  ])("refuses %j, and writes nothing to the folder", async (wrong, message) => {
    await expect(Reflect.apply(open, undefined, [wrong])).rejects.toMatchObject({
      code: "usage.invalid",
      message: expect.stringMatching(message),
    });
    expect(await readdir(join(place, "work"))).toEqual([]);
  });

  it("refuses what is no object of options", async () => {
    for (const wrong of [undefined, null, "folder"])
      await expect(Reflect.apply(createAgent, undefined, [wrong])).rejects.toMatchObject({ code: "usage.invalid" });
  });

  it("rejects for a skill to be held that is not there", async () => {
    await expect(open({ hold: ["tea"] })).rejects.toMatchObject({ code: "record.missing" });
  });

  it.each(hostTools)("AG-7: refuses a tool that is called %s, as one of its own is", async (name) => {
    await expect(open({ tools: [tool(name)] })).rejects.toMatchObject({ code: "usage.invalid" });
  });

  it("AG-7: knows all names of its own tools, and refuses a name twice", async () => {
    const names: string[] = [];
    const model = scriptedModel(
      { rules: [{ reply: "Done." }] },
      { onRequest: ({ tools = [] }) => names.push(...tools.map(({ name }) => name)) },
    );
    await heard(await open({ model, tools: [tool("look")] }), "Hello.");
    expect(names.toSorted()).toEqual([...hostTools, "look"].toSorted());
    await expect(open({ tools: [tool("look"), tool("look")] })).rejects.toThrow(/"look" is another one's name/);
  });
});

describe("AG-7: a program's own tool", () => {
  it("passes the gate as all do: a skill that does not list it takes it away", async () => {
    await put("tea/SKILL.md", skillMd("tea", "Brews tea.", "Boil."));
    await put("tea/scope.yaml", "version: '1.0.0'\nallowed_tools: [read]\nexecution_protocol: []\n");
    let runs = 0;
    const look = tool("look", async () => `ran ${++runs}`);
    const model = scriptedModel({ rules: [{ when: "Go.", calls: [{ tool: "look" }] }, { reply: "Done." }] });
    const free = await heard(await open({ model, tools: [look] }), "Go.");
    expect(typed(free, "tool.ended")).toMatchObject([{ content: "ran 1", isError: false }]);
    const held = await heard(await open({ model, tools: [look], hold: ["tea"], trustWorkspace: true }), "Go.");
    expect(typed(held, "tool.denied")).toMatchObject([{ tool: "look", code: "TOOL_NOT_ALLOWED" }]);
    expect(runs).toBe(1);
  });
});

describe("AG-8: one line at a time", () => {
  it("answers a second line with an error, and the first one goes on", async () => {
    const { model, asked, answer } = waitingModel();
    const agent = await open({ model });
    const first = heard(agent, "First.");
    await asked;
    const second = await heard(agent, "Second.");
    const notes = ["the agent is still at work; one line at a time"];
    expect(second).toEqual([{ type: "reply", command: "", reply: { isError: true, notes } }]);
    answer();
    expect((await first).at(-1)).toEqual({ type: "turn.ended", end: "finished" });
    expect(agent.state.messages).toBe(2);
  });

  it("is cancelled by who stops reading, and takes the next line", async () => {
    const { model, asked, answer } = waitingModel();
    const agent = await open({ model });
    for await (const { type } of agent.say("First.")) if (type === "model.asked") break;
    expect((await asked)?.aborted).toBe(true);
    answer();
    expect((await heard(agent, "Second.")).at(-1)).toEqual({ type: "turn.ended", end: "finished" });
  });

  it("is cancelled by a signal", async () => {
    const { model, asked } = waitingModel();
    const agent = await open({ model });
    const cancel = new AbortController();
    const turn = heard(agent, "First.", cancel.signal);
    await asked;
    cancel.abort();
    expect((await turn).at(-1)).toEqual({ type: "turn.ended", end: "cancelled" });
  });

  it("is cancelled by closing, after which nothing is answered", async () => {
    const { model, asked } = waitingModel();
    const agent = await open({ model });
    const turn = heard(agent, "First.");
    const signal = await asked;
    await agent.close();
    expect((await turn).at(-1)).toEqual({ type: "turn.ended", end: "cancelled" });
    expect(signal?.aborted).toBe(true);
    expect(typed(await heard(agent, "Second."), "reply")[0]?.reply.notes).toEqual(["the agent is closed"]);
    expect(await agent.spawn({ task: "Third." })).toMatchObject({ status: "forbidden" });
  });
});

describe("AG-8: listeners", () => {
  it("SC-5: hear of sub-agents between turns; one that throws changes nothing for anybody", async () => {
    const agent = await open();
    const types: string[] = [];
    agent.onEvent(() => {
      throw new Error("a listener of the program");
    });
    const stop = agent.onEvent((event) => types.push(event.type === "sub-agent" ? event.event.type : event.type));
    const spawned = await agent.spawn({ task: "Look around." });
    expect(spawned.status === "accepted" && (await spawned.done)).toMatchObject({ end: "finished", text: "Done." });
    expect(types).toEqual(["spawn.started", "model.asked", "model.answered", "spawn.ended"]);
    stop();
    await heard(agent, "Hello.");
    expect(types).toHaveLength(4);
  });
});

describe("docs/agents.md, An agent of your own", async () => {
  const section = sectionOf(await readFile("docs/agents.md", "utf8"), "An agent of your own");
  const source = await readFile("src/agent-options.ts", "utf8");
  const events = await readFile("src/agent/agent-event.ts", "utf8");

  it("AG-6: has every option", () => {
    const [, declared = ""] = /export interface AgentOptions \{\n([^]*?)\n\}/.exec(source) ?? [];
    const names = [...declared.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    expect(names).toHaveLength(19);
    expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  it("AG-8: has every event", () => {
    const types = [...events.matchAll(/\breadonly type: "([\w.-]+)"/g)].map(([, type]) => type);
    expect(types.length).toBeGreaterThan(10);
    expect(types.filter((type) => !section.includes(`\`${type}\``))).toEqual([]);
  });

  it("AG-8: has the true limits", () => {
    const rows = [...section.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)];
    const shown = rows.map(([, name, value = ""]) => [name, Number(value.replaceAll(",", ""))]);
    expect(Object.fromEntries(shown)).toEqual(usualAgentLimits);
  });
});
