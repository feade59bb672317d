import { describe, expect, test } from "vitest";
import { sayingTurns, SpawnRoom } from "../../../test/scope/spawn-room.ts";
import type { Model, ModelRequest } from "../../core/model.ts";
import { Messages } from "./messages.ts";

/** Answers with this, of whatever shape, and then with an end. */
function odd(answer: unknown): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const end = { text: "end", finish: "stop", tokens: { input: null, output: null } } as const;
  return { requests, answer: async (request) => (requests.push(request) === 1 ? (answer as typeof end) : end) };
}

describe("what a model said", () => {
  test("ids are unique, also when a model uses the one that would come next", () => {
    const messages = new Messages([]);
    const call = { id: "call-1-2-1", tool: "read", input: "{}" };
    const read = messages.addAnswer({ text: "", calls: [call, call, call] }, 1);
    const ids = typeof read === "string" ? [] : read.calls.map(({ id }) => id);
    expect(ids).toEqual(["call-1-2-1", "call-1-2-2", "call-1-3-2"]);
  });

  test("messages that it is opened with count: for ids and for what is kept", () => {
    const call = { id: "a", tool: "read", input: "{}" };
    const messages = new Messages([{ role: "assistant", content: "", calls: [call] }]);
    expect(messages.addAnswer({ text: "", calls: [call] }, 1)).toMatchObject({ calls: [{ id: "call-1-1-1" }] });
    const half = { role: "user", content: [{ type: "text", text: "x".repeat(8 * 1024 * 1024) }] } as const;
    expect([new Messages([half, half]).isTooLong, new Messages([half, half, half]).isTooLong]).toEqual([false, true]);
  });

  test("a call goes back with its id and its signature as they came: services do not go on without them", async () => {
    const home = new SpawnRoom("read");
    const call = { id: "i".repeat(65_536), tool: "read", input: "{}", signature: "s".repeat(65_536) };
    const strange = [
      { ...call, id: "i".repeat(65_537), signature: "s".repeat(65_537) },
      { ...call, id: "b", signature: 7 },
    ];
    const model = odd({ text: "", calls: [call, ...strange] });
    await home.run(model);
    const [, , said, answered] = model.requests[1]?.messages ?? [];
    const calls = said?.role === "assistant" ? said.calls : [];
    expect(calls?.[0]).toEqual(call);
    expect(calls?.slice(1)).toEqual([
      { id: "call-1-2", tool: "read", input: "{}" },
      { id: "b", tool: "read", input: "{}" },
    ]);
    expect(answered).toMatchObject({ role: "tool", id: call.id });
  });

  test("ids and signatures count as what is kept of a session", async () => {
    const home = new SpawnRoom("read");
    const calls = Array.from({ length: 1000 }, (_, at) => ({
      id: `${at}${"i".repeat(60_000)}`,
      tool: "read",
      input: "",
    }));
    expect(await home.run(odd({ text: "", calls }))).toMatchObject({ findings: [{ code: "spawn.too-long" }] });
  });

  test("calls may be null, or a list with holes: each place that says nothing is a call that is denied", async () => {
    const home = new SpawnRoom("read");
    expect(await home.run(odd({ text: "x", calls: null }))).toMatchObject({ end: "finished", text: "x" });
    const calls = [];
    calls[2] = { id: "a", tool: "read", input: "{}" };
    expect(await home.run(odd({ text: "", calls }))).toMatchObject({ end: "finished", text: "end" });
    expect([home.told("tool.denied").length, home.ran]).toEqual([2, ["read"]]);
  });

  test.each<[string, unknown]>([
    ["a list", []],
    ["text that is none", { text: 3 }],
    ["nothing in it", { calls: [] }],
  ])("an answer with neither text nor calls is none: %s", async (_, answer) => {
    const outcome = await new SpawnRoom().run(odd(answer));
    expect(outcome).toMatchObject({ end: "failed", findings: [{ code: "spawn.model-rubbish" }] });
  });

  test.each(["length", "filter"])("a last answer that its service cut (%s) is said", async (finish) => {
    const home = new SpawnRoom("read");
    const outcome = await home.run(odd({ text: "half of", finish }));
    expect(outcome).toMatchObject({ end: "finished", text: "half of", findings: [{ code: "spawn.model-cut" }] });
    const before = odd({ text: "half of", calls: [{ id: "a", tool: "read", input: "{}" }], finish });
    expect(await home.run(before)).toMatchObject({ end: "finished", findings: [] });
  });
});

describe("T33: whoever tries on and on", () => {
  test("ends after 1,000 denials, with no more than these written down", async () => {
    const home = new SpawnRoom("read");
    home.addSkill("reader", { allowedTools: ["read"] });
    const flood = { calls: Array.from({ length: 1024 }, () => ["write"] as const) };
    const model = sayingTurns(...Array.from({ length: 50 }, () => flood));
    const outcome = await home.run(model, { skills: ["reader"] });
    expect(outcome).toMatchObject({ end: "failed", findings: [{ code: "spawn.denials" }] });
    expect([home.uses.length, home.told("tool.denied").length, model.requests.length]).toEqual([1000, 1000, 1]);
  });

  test("a tool that writes to the registry for it without end is written down no more often", async () => {
    const home = new SpawnRoom();
    const definition = { name: "mine", description: "x", allowedTools: "*" as const, executionProtocol: [] };
    home.addTool("read", {
      run: async (_, { capabilities }) => {
        for (let at = 0; at < 5000; at++) expect(() => capabilities.register(definition)).toThrow(/primary/);
        return "x";
      },
    });
    expect((await home.run(sayingTurns({ calls: [["read"]] }))).findings).toMatchObject([{ code: "spawn.denials" }]);
    expect(home.told("tool.denied")).toHaveLength(1000);
  });

  test("others in the process get on between its turns", async () => {
    const home = new SpawnRoom("read");
    let isOver = false;
    let turns = 0;
    const others = (): void => void (isOver || (turns++, setImmediate(others)));
    setImmediate(others);
    await home.run(sayingTurns(...Array.from({ length: 20 }, () => ({ calls: [["read"] as const] }))));
    isOver = true;
    expect(turns).toBeGreaterThan(15);
  });
});
