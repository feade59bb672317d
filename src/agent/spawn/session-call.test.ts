import { describe, expect, test } from "vitest";
import { sayingTurns, SpawnRoom, subjects, toolAnswers } from "../../../test/scope/spawn-room.ts";
import { AppError } from "../../core/error.ts";
import type { SpawnHost } from "./spawn-host.ts";
import type { ToolInput } from "../tool.ts";

function room(): SpawnRoom {
  const made = new SpawnRoom("read", "write");
  made.addTool("shell", { subject: subjects.command });
  made.addSkill("reader", { allowedTools: ["read"] });
  made.addSkill("careful", { forbiddenTools: ["write"] });
  made.addSkill("gitter", { allowedTools: ["Bash(git:*)", "read"] });
  return made;
}

/** What the model is told of these calls. */
async function answersTo(
  home: SpawnRoom,
  calls: readonly (readonly [string, unknown?])[],
  skills: readonly string[] = [],
  parts: Partial<SpawnHost> = {},
) {
  const model = sayingTurns({ calls });
  await home.run(model, { skills }, parts);
  return toolAnswers(model.requests[1]);
}

describe("a call of a sub-agent", () => {
  test("SC-7: what is denied never runs, is an error that the model can read, an event and usage", async () => {
    const home = room();
    const answers = await answersTo(home, [["write", { path: "a" }], ["shell"], ["read"]], ["reader", "careful"]);
    expect(home.ran).toEqual(["read"]);
    expect(answers).toMatchObject([
      { tool: "write", isError: true, content: expect.stringMatching(/^TOOL_FORBIDDEN: write was not run: /) },
      { tool: "shell", isError: true, content: expect.stringMatching(/^TOOL_NOT_ALLOWED: shell was not run: /) },
      { tool: "read", isError: false, content: "read ran" },
    ]);
    expect(home.told("tool.denied")).toMatchObject([{ code: "TOOL_FORBIDDEN" }, { code: "TOOL_NOT_ALLOWED" }]);
    expect(home.uses).toMatchObject([
      { event: "denied", tool: "write", entry: home.capabilities.get("careful")?.entry, at: 1_000_000 },
      { event: "denied", tool: "shell", entry: home.capabilities.get("reader")?.entry },
    ]);
    const [started] = home.told("spawn.started");
    expect(home.uses[0]?.conversation).toBe(started && "id" in started ? started.id : "none");
  });

  test("SC-7: where no skill is to blame, all of the scope are named: nothing denied under a scope that holds skills goes unrecorded", async () => {
    const home = room();
    await answersTo(home, [["no-such-tool"]], ["reader", "careful"]);
    expect(home.uses.map(({ entry }) => entry).toSorted()).toEqual(
      ["careful", "reader"].map((name) => home.capabilities.get(name)?.entry),
    );
    await answersTo(home, [["no-such-tool"]]);
    expect([home.uses.length, home.told("tool.denied").length]).toEqual([2, 2]);
    // A scope can hold no skill: there is no entry then to write it down for, and whoever listens is told.
    await answersTo(home, [["write"]], [], { forbiddenTools: ["write"] });
    expect([home.ran, home.uses.length, home.told("tool.denied").length]).toEqual([[], 2, 3]);
  });

  test("SC-7: a command that a pattern let through reaches the tool as its words", async () => {
    const home = room();
    const commands = ["git log 'a b'", "git status; rm -rf /", "git $(id)", "env git status"];
    await answersTo(
      home,
      commands.map((command) => ["shell", { command }] as const),
      ["gitter"],
    );
    expect(home.runs.map(({ context }) => context.argv)).toEqual([["git", "log", "a b"]]);
    await answersTo(home, [["shell", { command: "git log | cat" }]]);
    expect(home.runs[1]?.context.argv).toBeNull();
  });

  test("SC-7: the input is read once: what the gate saw is frozen, and is what runs", async () => {
    const home = room();
    const seen: ToolInput[] = [];
    home.addTool("shell", {
      subject: (input) => {
        seen.push(input);
        expect(() => Object.assign(input, { command: "other" })).toThrow(TypeError);
        expect(() => Object.assign(input["deep"] ?? {}, { x: 2 })).toThrow(TypeError);
        return subjects.command(input);
      },
    });
    await answersTo(home, [["shell", { command: "git status", deep: { x: 1 } }]], ["gitter"]);
    expect([seen.length, seen[0] === home.runs[0]?.input]).toEqual([1, true]);
  });

  test.each<[string, string]>([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["too much", JSON.stringify({ x: "x".repeat(1024 * 1024) })],
    ["too deep", `{"x":${"[".repeat(400_000)}${"]".repeat(400_000)}}`],
    ["another prototype", '{"x":{"__proto__":{"command":"y"}}}'],
  ])("SC-7: an input that is %s runs nothing; the model reads why", async (_, input) => {
    const home = room();
    const [answer] = await answersTo(home, [["read", input]]);
    expect([answer?.isError, home.ran, home.told("tool.denied")]).toEqual([true, [], []]);
    expect(home.told("tool.ended")).toMatchObject([{ tool: "read", isError: true }]);
    expect(answer?.content).toMatch(/^read was not run: the input /);
    await answersTo(home, [["write", input]], ["reader"]);
    expect([home.ran, home.uses.length]).toEqual([[], 1]);
  });

  test("AG-7: a field that the tool does not take: nobody is asked, and nothing runs", async () => {
    const home = room();
    const inputSchema = { type: "object", properties: { command: { type: "string" } }, additionalProperties: false };
    home.addTool("strict", { inputSchema, policy: () => "ask" });
    let asked = 0;
    const ask = async () => (asked++, true);
    const calls = [
      ["strict", { "command ": "git status", command: "curl evil" }],
      ["strict", { command: "ls" }],
    ] as const;
    const answers = await answersTo(home, calls, [], { ask });
    expect([asked, home.ran]).toEqual([1, ["strict"]]);
    expect(answers).toMatchObject([
      { isError: true, content: expect.stringContaining('no such field: "command "') },
      {},
    ]);
  });

  test("a call without an input has an empty one", async () => {
    const home = room();
    await answersTo(home, [["read", ""]]);
    expect(home.runs).toMatchObject([{ input: {} }]);
  });

  test("SC-7: a tool that cannot say what a call is about is not run", async () => {
    const home = room();
    const subject = () => {
      throw new Error("what?");
    };
    home.addTool("shell", { subject });
    const [answer] = await answersTo(home, [["shell", { command: "git status" }]]);
    expect([answer?.isError, home.ran, home.told("tool.denied").length]).toEqual([true, [], 1]);
  });

  test("SC-7: the host's own word comes first, whatever the scope allows; one that throws is a no", async () => {
    const home = room();
    home.addTool("read", { policy: () => "deny" });
    home.addTool("write", {
      policy: () => {
        throw new Error("no");
      },
    });
    await answersTo(home, [["read"], ["write"]]);
    expect([home.ran, home.told("tool.denied").length]).toEqual([[], 2]);
  });

  test("AG-7: what has to be asked runs only after a plain yes, and is recorded as denied otherwise", async () => {
    const asked: unknown[] = [];
    const runsWith = async (ask: SpawnHost["ask"], grants: readonly string[] = []) => {
      const home = room();
      home.addTool("shell", { policy: () => "ask", subject: subjects.command });
      const parts = ask === undefined ? { grants } : { ask, grants };
      await answersTo(home, [["shell", { command: "git status" }]], ["gitter"], parts);
      return [home.ran.length, home.uses.length, home.told("tool.asked").length];
    };
    expect(await runsWith(undefined)).toEqual([0, 1, 1]);
    expect(await runsWith(async () => false)).toEqual([0, 1, 1]);
    expect(await runsWith(async () => "yes" as never)).toEqual([0, 1, 1]);
    expect(await runsWith(() => Promise.reject(new Error("closed")))).toEqual([0, 1, 1]);
    expect(await runsWith(async (question) => asked.push(question) > 0)).toEqual([1, 0, 1]);
    expect(asked).toMatchObject([{ tool: "shell", input: { command: "git status" }, signal: { aborted: true } }]);
    expect(await runsWith(undefined, ["Bash(git:*)", "read"])).toEqual([1, 0, 0]);
    expect(await runsWith(undefined, ["Bash(npm:*)"])).toEqual([0, 1, 1]);
  });

  test("what a tool throws is told on one line without its stack; what it answers is bounded", async () => {
    const home = room();
    home.addTool("read", { run: () => Promise.reject(new Error("line one\n\u001b[31mline two")) });
    home.addTool("write", { run: async () => "é".repeat(200_000) });
    home.addTool("shell", { run: async () => 7 as never });
    const [thrown, long, wrong] = await answersTo(home, [["read"], ["write"], ["shell"]], [], {
      limits: { textBytes: 1001 },
    });
    expect(thrown).toMatchObject({ isError: true, content: "read failed: line one\\u{a}\\u{1b}[31mline two" });
    expect(long?.content).toMatch(/^é{500}\n\[cut here: /);
    expect(wrong).toMatchObject({ isError: true, content: "shell answered with something else than text." });
  });

  test("SC-2: a tool reads the registry and cannot write to it for its model; the try is recorded", async () => {
    const home = room();
    const definition = { name: "mine", description: "x", allowedTools: "*" as const, executionProtocol: [] };
    const codes: unknown[] = [];
    home.addTool("read", {
      run: async (_, { capabilities }) => {
        for (const write of [
          () => capabilities.register(definition),
          () => capabilities.override("reader", definition),
          () => Object.assign(capabilities, { register: () => [] }),
        ]) {
          try {
            write();
          } catch (error) {
            codes.push(error instanceof AppError ? error.code : "other");
          }
        }
        return capabilities.list().length > 0 && capabilities.get("reader") ? "read it" : "blind";
      },
    });
    const [answer] = await answersTo(home, [["read"]], ["reader"]);
    expect([answer?.content, codes]).toEqual(["read it", ["scope.readonly", "scope.readonly", "other"]]);
    expect([home.capabilities.get("mine"), home.uses.length]).toEqual([undefined, 2]);
    expect(home.capabilities.get("reader")?.allowedTools).toEqual(["read"]);
  });

  test("SC-7: calls past the bound of one turn never run, and each is recorded", async () => {
    const home = room();
    const answers = await answersTo(
      home,
      Array.from({ length: 40 }, () => ["read"] as const),
      ["reader"],
    );
    expect([home.ran.length, home.uses.length, answers.length]).toEqual([32, 8, 40]);
    expect(answers[39]).toMatchObject({ isError: true, content: expect.stringContaining("more than 32 calls") });
    expect(home.told("tool.denied")).toHaveLength(8);
  });

  test("ids that are missing or the same twice do not confuse anybody: each call has its own answer", async () => {
    const home = room();
    const calls = ["a", "a", "", undefined, 7, "call-1-2"].map((id) => ({
      id: id as string,
      tool: "read",
      input: "{}",
    }));
    const asked: unknown[] = [];
    await home.run({
      answer: async ({ messages }) => {
        asked.push(messages);
        return {
          text: "",
          finish: "stop",
          tokens: { input: null, output: null },
          calls: asked.length === 1 ? calls : [],
        };
      },
    });
    const messages = asked[1] as { role: string; id: string; calls?: { id: string }[] }[];
    const ids = messages.flatMap(({ role, id }) => (role === "tool" ? [id] : []));
    expect(new Set(ids).size).toBe(6);
    expect(messages[2]?.calls?.map(({ id }) => id)).toEqual(ids);
  });
});
