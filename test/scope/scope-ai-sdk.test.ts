import { generateText, jsonSchema, stepCountIs, streamText, type ToolSet, tool } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { describe, expect, test } from "vitest";
import { gateAiTools } from "../../src/scope/adapters/ai-tools.ts";
import { createGate, type GateOptions } from "../../src/scope/adapters/gated.ts";
import { handScope } from "./hand-scope.ts";

type Generated = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Call = readonly [toolName: string, input: unknown];

const usage: Generated["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function callPart([toolName, input]: Call, at: number) {
  return { type: "tool-call" as const, toolCallId: `call-${at}`, toolName, input: JSON.stringify(input) };
}

/** A model that makes these calls, whatever it is told, and then stops. */
function caller(calls: readonly Call[]): MockLanguageModelV3 {
  const parts = calls.map(callPart);
  const ending: Generated = {
    content: [{ type: "text", text: "done" }],
    finishReason: { unified: "stop", raw: "stop" },
    usage,
    warnings: [],
  };
  return new MockLanguageModelV3({
    doGenerate: [{ ...ending, content: parts, finishReason: { unified: "tool-calls", raw: "tool_use" } }, ending],
    doStream: {
      stream: simulateReadableStream({
        chunks: [...parts, { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_use" }, usage }],
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    },
  });
}

/** What the model is given as answers to its calls. */
function answersIn(model: MockLanguageModelV3): string[] {
  const turns = model.doGenerateCalls.at(-1)?.prompt ?? [];
  return turns.flatMap(({ role, content }) => (role === "tool" ? content.map((part) => JSON.stringify(part)) : []));
}

/** Five tools that keep what they did. */
function host() {
  const ran: string[] = [];
  const file = jsonSchema<{ path: string }>({
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  });
  const act = (name: string) => async (input: { path: string }) => `${name} ${ran.push(`${name} ${input.path}`)}`;
  const tools = {
    read: tool({ description: "Reads a file.", inputSchema: file, execute: act("read") }),
    write: tool({ description: "Writes a file.", inputSchema: file, execute: act("write") }),
    Write: tool({ inputSchema: file, execute: act("Write") }),
    WRITE: tool({ inputSchema: file, execute: act("WRITE") }),
    shell: tool({
      inputSchema: jsonSchema<{ command: string }>({ type: "object", properties: { command: { type: "string" } } }),
      execute: async ({ command }): Promise<string> => `sh -c ${ran.push(`sh -c ${command}`)}`,
    }),
  };
  const subjects = {
    read: ({ path }: { path: string }) => ({ paths: [path] }),
    shell: ({ command }: { command: string }) => ({ command }),
  };
  const commands = { shell: (argv: readonly string[]) => `exit ${ran.push(`exec ${JSON.stringify(argv)}`)}` };
  return { ran, tools, subjects, commands };
}

async function converse(tools: ToolSet, calls: readonly Call[]) {
  const model = caller(calls);
  const { steps } = await generateText({ model, tools, prompt: "Go.", stopWhen: stepCountIs(3) });
  return { answers: answersIn(model), model, steps };
}

const scope = handScope(["Read(docs/**)", "Bash(git:*)"], ["write"]);

describe("T33: the loop of the AI SDK with gated tools", () => {
  test("SC-7: what is allowed runs, and nothing else does, however it is called", async () => {
    const { ran, tools, ...options } = host();
    const denied: string[] = [];
    const gate = createGate({ scope, onDenied: ({ tool: name }, { code }) => denied.push(`${name} ${code}`) });
    const { answers } = await converse(gateAiTools(tools, gate, { ...options, hide: false }), [
      ["read", { path: "docs/a.md" }],
      ["read", { path: "docs/../secret.md" }],
      ["read", { path: "/etc/passwd" }],
      ["write", { path: "docs/a.md" }],
      ["Write", { path: "docs/a.md" }],
      ["WRITE", { path: "docs/a.md" }],
    ]);
    expect(ran).toEqual(["read docs/a.md"]);
    expect(denied).toEqual([
      "read TOOL_NOT_ALLOWED",
      "read TOOL_NOT_ALLOWED",
      "write TOOL_FORBIDDEN",
      "Write TOOL_FORBIDDEN",
      "WRITE TOOL_NOT_ALLOWED",
    ]);
    expect(answers[0]).toContain("read 1");
    expect(answers.slice(1).every((answer) => answer.includes('"error-text"'))).toBe(true);
    expect(answers[3]).toContain("TOOL_FORBIDDEN: the call of write did not run");
  });

  test("SC-6: the model is told only of tools that some call of may pass, and guessing the others is no use", async () => {
    const { ran, tools, ...options } = host();
    const guesses = ["write", "Write", "WRITE", "constructor", "__proto__", "toString", "read "];
    const { model, steps } = await converse(
      gateAiTools(tools, createGate({ scope }), options),
      guesses.map((name): Call => [name, { path: "a" }]),
    );
    expect(model.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toEqual(["read", "shell"]);
    expect(steps[0]?.toolResults).toEqual([]);
    expect(answersIn(model)).toHaveLength(guesses.length);
    expect(ran).toEqual([]);
  });

  test("a tool that is put into the set after it was gated is not there", async () => {
    const { ran, tools, ...options } = host();
    const open: ToolSet = { ...tools };
    const gated = gateAiTools(open, createGate({ scope: handScope("*") }), options);
    open["late"] = tools.write;
    const { answers } = await converse(gated, [["late", { path: "a" }]]);
    expect(answers[0]).toContain("unavailable tool");
    expect(ran).toEqual([]);
  });

  test("SC-7: a command runs as its words; what is no simple command does not run", async () => {
    const { ran, tools, ...options } = host();
    const tricks = [
      "git status; rm -rf /",
      "git $(id)",
      "git log | sh",
      "git -c alias.x='!sh' x",
      "env git",
      "git\nid",
    ];
    const { answers } = await converse(gateAiTools(tools, createGate({ scope }), options), [
      ["shell", { command: "git log 'two words'" }],
      ...tricks.map((command): Call => ["shell", { command }]),
    ]);
    expect(ran).toEqual(['exec ["git","log","two words"]']);
    expect(answers.filter((answer) => answer.includes("TOOL_NOT_ALLOWED"))).toHaveLength(tricks.length);
  });

  test("an input that a callback of the host changes while a person is asked runs as it was judged", async () => {
    const { ran, tools, subjects, commands } = host();
    let seen: { path: string } | undefined;
    const read = { ...tools.read, onInputAvailable: ({ input }: { input: { path: string } }) => void (seen = input) };
    const ask: GateOptions["ask"] = async () => {
      if (seen !== undefined) seen.path = "/etc/passwd";
      return true;
    };
    const gate = createGate({ scope, policy: () => "ask", ask });
    await converse(gateAiTools({ ...tools, read }, gate, { subjects, commands }), [["read", { path: "docs/a.md" }]]);
    expect([seen, ran]).toEqual([{ path: "/etc/passwd" }, ["read docs/a.md"]]);
  });

  test("a call that is given up while a person is asked does not run when they agree", async () => {
    const { ran, tools, ...options } = host();
    const abort = new AbortController();
    const ask = async () => {
      abort.abort();
      return true;
    };
    const gated = gateAiTools(tools, createGate({ scope, policy: () => "ask", ask }), options);
    const model = caller([["read", { path: "docs/a.md" }]]);
    await generateText({ model, tools: gated, prompt: "Go.", abortSignal: abort.signal }).catch(() => {});
    expect([model.doGenerateCalls.length, ran]).toEqual([1, []]);
  });

  test("what the model says of itself changes nothing: without a scope for it, everything is denied", async () => {
    const { ran, tools, ...options } = host();
    const gated = gateAiTools(tools, createGate({ scope: handScope([]) }), { ...options, hide: false });
    const { answers } = await converse(gated, [["read", { path: "docs/a.md", approved: true, scope: "*" }]]);
    expect(answers[0]).toContain("TOOL_NOT_ALLOWED");
    expect(ran).toEqual([]);
  });
});

describe("tools of the AI SDK keep what they are", () => {
  test("approval by a person comes first, and the gate after it", async () => {
    const { ran, tools, ...options } = host();
    const read = tool({ ...tools.read, needsApproval: true });
    const gated = gateAiTools({ ...tools, read }, createGate({ scope }), options);
    const { steps } = await converse(gated, [["read", { path: "docs/a.md" }]]);
    expect(steps[0]?.content.map(({ type }) => type)).toContain("tool-approval-request");
    expect(ran).toEqual([]);
  });

  test("how an output is told to the model", async () => {
    const { tools, ...options } = host();
    const toModelOutput = () => ({ type: "text" as const, value: "shortened" });
    const gated = gateAiTools({ ...tools, read: { ...tools.read, toModelOutput } }, createGate({ scope }), options);
    expect((await converse(gated, [["read", { path: "docs/a.md" }]])).answers[0]).toContain("shortened");
  });

  test("a tool that streams goes on streaming, and a denied one streams nothing", async () => {
    const inputSchema = jsonSchema<{ to: number }>({ type: "object" });
    async function* execute({ to }: { to: number }) {
      for (let at = 1; at <= to; at++) yield at;
    }
    const tools = { count: tool({ inputSchema, execute }), tally: tool({ inputSchema, execute }) };
    const gate = createGate({ scope: handScope("*", ["tally"]), policy: () => "ask", ask: async () => true });
    const model = caller([
      ["count", { to: 2 }],
      ["tally", { to: 2 }],
    ]);
    const { fullStream } = streamText({ model, tools: gateAiTools(tools, gate, { hide: false }), prompt: "Go." });
    const seen: unknown[] = [];
    for await (const part of fullStream)
      if (part.type === "tool-result") seen.push([part.toolName, part.output, part.preliminary]);
      else if (part.type === "tool-error") seen.push([part.toolName, String(part.error).slice(0, 26)]);
    expect(seen.filter((part) => Array.isArray(part) && part[0] === "count")).toEqual([
      ["count", 1, true],
      ["count", 2, true],
      ["count", 2, undefined],
    ]);
    expect(seen.filter((part) => Array.isArray(part) && part[0] === "tally")).toEqual([
      ["tally", "ToolDenied: TOOL_FORBIDDEN"],
    ]);
  });
});
