import { describe, expect, test } from "vitest";
import { handScope } from "../../../test/scope/hand-scope.ts";
import { gateAiTools } from "./ai-tools.ts";
import { createGate, type GateOptions, ToolDenied } from "./gated.ts";

const options = { toolCallId: "1" };
const commandOf = ({ command }: { command: string }) => ({ command });

function gateOf(allowed: "*" | readonly string[], more: Partial<GateOptions> = {}) {
  return createGate({ scope: handScope(allowed), ...more });
}

describe("SC-7: tools of the AI SDK behind the gate", () => {
  test("T33: are of their own: what is added or replaced later is not in them", async () => {
    const tools: Record<string, { execute: () => string }> = { read: { execute: () => "first" } };
    const gated = gateAiTools(tools, gateOf("*"));
    tools["late"] = { execute: () => "late" };
    Object.assign(tools["read"] ?? {}, { execute: () => "second" });
    expect(Object.keys(gated)).toEqual(["read"]);
    expect(gated["read"]?.execute()).toBe("first");
    expect(() => Object.assign(gated, { late: tools["late"] })).toThrow(TypeError);
    expect(() => Object.assign(gated["read"] ?? {}, { execute: () => "third" })).toThrow(TypeError);
    expect(gated["constructor"]).toBeUndefined();
  });

  test("SC-6: those that no call can pass are left out, unless the model is to read why", async () => {
    const tools = { read: { execute: async () => "read" }, write: { execute: async () => "written" } };
    const gate = gateOf(["read"]);
    expect(Object.keys(gateAiTools(tools, gate))).toEqual(["read"]);
    const kept = gateAiTools(tools, gate, { hide: false });
    expect(Object.keys(kept)).toEqual(["read", "write"]);
    await expect(kept.write.execute()).rejects.toThrow(ToolDenied);
    expect(await kept.read.execute()).toBe("read");
  });

  test("what else a tool has stays, and it is run as itself", async () => {
    const needsApproval = () => true;
    const read = {
      description: "Reads.",
      needsApproval,
      greeting: "hello",
      execute(input: { name: string }, { toolCallId }: { toolCallId: string }) {
        return `${this.greeting} ${input.name} ${toolCallId}`;
      },
    };
    const gated = gateAiTools({ read }, gateOf("*"));
    expect(gated.read).toMatchObject({ description: "Reads.", needsApproval, greeting: "hello" });
    expect(gated.read.execute({ name: "you" }, options)).toBe("hello you 1");
  });

  test("a tool that runs elsewhere is refused, or left out with those that no call can pass", () => {
    const tools: Record<string, { execute?: () => string }> = { web_search: {}, read: { execute: () => "read" } };
    expect(() => gateAiTools(tools, gateOf("*"))).toThrow(
      expect.objectContaining({
        code: "usage.invalid",
        message: expect.stringContaining("web_search has no `execute`"),
      }),
    );
    expect(Object.keys(gateAiTools(tools, gateOf(["read"])))).toEqual(["read"]);
  });
});

describe("SC-7: a command that a pattern let through", () => {
  const ran: unknown[] = [];
  const shell = { execute: async ({ command }: { command: string }) => ran.push(command) };

  test("is run as its words, never by the tool itself", async () => {
    const commands = { shell: (argv: readonly string[], input: { command: string }) => [argv, input] };
    const gated = gateAiTools({ shell }, gateOf(["Bash(git:*)"]), { subjects: { shell: commandOf }, commands });
    const command = "git log 'a b'";
    expect(await gated.shell.execute({ command })).toEqual([["git", "log", "a b"], { command }]);
    await expect(gated.shell.execute({ command: "git log | sh" })).rejects.toThrow(ToolDenied);
    expect(ran).toEqual([]);
  });

  test("is denied when the host cannot run words", async () => {
    const denied: string[] = [];
    const gate = gateOf(["Bash(git:*)"], { onDenied: (_, { why }) => denied.push(why) });
    const gated = gateAiTools({ shell }, gate, { subjects: { shell: commandOf } });
    await expect(gated.shell.execute({ command: "git status" })).rejects.toThrow("without a shell");
    expect([ran, denied.length]).toEqual([[], 1]);
  });

  test("without a subject nobody knows the command, and it is denied", async () => {
    const gated = gateAiTools({ shell }, gateOf(["Bash(git:*)"]));
    await expect(gated.shell.execute({ command: "git status" })).rejects.toThrow(ToolDenied);
    expect(ran).toEqual([]);
  });

  test("a scope that allows the whole shell leaves it to the tool", async () => {
    const gated = gateAiTools({ shell }, gateOf(["Bash"]), { subjects: { shell: commandOf } });
    await gated.shell.execute({ command: "git log | head" });
    expect(ran).toEqual(["git log | head"]);
  });
});

describe("T33: what is judged is what runs", () => {
  test("an input that changes while a person is asked", async () => {
    const input = { paths: ["docs/a.md"] };
    const seen: unknown[] = [];
    const read = { execute: async (given: { paths: string[] }) => seen.push(given.paths) };
    const ask = async () => {
      input.paths[0] = "/etc/passwd";
      return true;
    };
    const gate = gateOf(["Read(docs/**)"], { policy: () => "ask", ask });
    await gateAiTools({ read }, gate, { subjects: { read: ({ paths }) => ({ paths }) } }).read.execute(input);
    expect(seen).toEqual([["docs/a.md"]]);
  });

  test("an input that reads differently the second time", async () => {
    const reads = ["git status", "rm -rf /"];
    const input = {
      get command() {
        return reads.shift() ?? "rm -rf /";
      },
    };
    const seen: string[] = [];
    const shell = { execute: async ({ command }: { command: string }) => seen.push(command) };
    const policy = ({ command }: { command?: string | undefined }) =>
      command === "git status" ? ("allow" as const) : ("deny" as const);
    const gated = gateAiTools({ shell }, gateOf("*", { policy }), { subjects: { shell: commandOf } });
    await gated.shell.execute(input);
    expect(seen).toEqual(["git status"]);
  });

  test.each([
    ["its subject fails", { nothing: true }],
    ["it is nested too deep", JSON.parse(`{"command":"git status","x":${"[".repeat(500)}${"]".repeat(500)}}`)],
  ])("an input is denied when %s", async (_, input) => {
    const denied: string[] = [];
    const gate = gateOf("*", { onDenied: ({ tool }) => denied.push(tool) });
    const shell = { execute: async (_given: { command: string }) => "ran" };
    const subject = (given: { command: string }) => ({ command: given.command.trim() });
    const gated = gateAiTools({ shell }, gate, { subjects: { shell: subject } });
    await expect(gated.shell.execute(input)).rejects.toThrow("cannot be read");
    expect(denied).toEqual(["shell"]);
  });
});

describe("SC-7: a call that is given up while a person is asked", () => {
  /** Somebody who takes their time. */
  function newPerson() {
    let answer: (word: boolean) => void = () => {};
    const word = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    return { ask: () => word, answer };
  }

  /** A tool of each kind, and a person who agrees when they are told to. */
  function asked() {
    const ran: string[] = [];
    const { ask, answer } = newPerson();
    const gate = gateOf("*", { policy: () => "ask", ask });
    const abort = new AbortController();
    const tools = {
      write: { execute: async (_input: object, _options: unknown) => ran.push("write") },
      async: {
        async *execute(_input: object, _options: unknown) {
          yield ran.push("async");
        },
      },
    };
    return { ran, agree: () => answer(true), abort, tools: gateAiTools(tools, gate) };
  }

  test("is over at once, and does not run when they agree later", async () => {
    const { ran, agree, abort, tools } = asked();
    const call = tools.write.execute({}, { abortSignal: abort.signal });
    const stream = tools.async.execute({}, { abortSignal: abort.signal });
    abort.abort(new Error("given up"));
    await expect(call).rejects.toThrow("given up");
    await expect(stream.next()).rejects.toThrow("given up");
    agree();
    await new Promise(setImmediate);
    expect(ran).toEqual([]);
  });

  test("does not run either when it was given up before, or as they agree", async () => {
    const { ran, agree, abort, tools } = asked();
    const early = tools.write.execute({}, { abortSignal: AbortSignal.abort() });
    const late = tools.write.execute({}, { abortSignal: abort.signal });
    agree();
    abort.abort();
    await expect(early).rejects.toThrow("aborted");
    await expect(late).rejects.toThrow("aborted");
    expect(ran).toEqual([]);
  });

  test("runs when it was not, with a signal or without", async () => {
    const { ran, agree, abort, tools } = asked();
    const calls = [abort.signal, undefined].map((abortSignal) => tools.write.execute({}, { abortSignal }));
    agree();
    await Promise.all(calls);
    expect(ran).toEqual(["write", "write"]);
  });

  test("a denial that comes after it ends no process", async () => {
    const { ask, answer } = newPerson();
    const denied: string[] = [];
    const gate = gateOf("*", { policy: () => "ask", ask, onDenied: ({ tool }) => denied.push(tool) });
    const { write } = gateAiTools({ write: { execute: async (_input: object, _options: unknown) => "" } }, gate);
    await expect(write.execute({}, { abortSignal: AbortSignal.abort() })).rejects.toThrow("aborted");
    answer(false);
    await expect.poll(() => denied).toEqual(["write"]);
  });
});

describe("a tool that streams", () => {
  const count = {
    async *execute() {
      yield 1;
      yield 2;
    },
  };
  const hidden = { execute: () => count.execute() };
  const asking = { policy: () => "ask" as const, ask: async () => true };

  async function partsOf(stream: AsyncIterable<number>): Promise<number[]> {
    const parts: number[] = [];
    for await (const part of stream) parts.push(part);
    return parts;
  }

  test("goes on streaming, also when a person is asked first", async () => {
    expect(await partsOf(gateAiTools({ count }, gateOf("*")).count.execute())).toEqual([1, 2]);
    expect(await partsOf(gateAiTools({ hidden }, gateOf("*")).hidden.execute())).toEqual([1, 2]);
    expect(await partsOf(gateAiTools({ count }, gateOf("*", asking)).count.execute())).toEqual([1, 2]);
  });

  test("of a stream that nobody could foresee the last part is the answer when a person was asked", async () => {
    const answer: unknown = gateAiTools({ hidden }, gateOf("*", asking)).hidden.execute();
    expect(await answer).toBe(2);
  });

  test("T33: yields nothing when it is denied, and an unread denial ends no process", async () => {
    const gated = gateAiTools({ count }, gateOf([]), { hide: false });
    gated.count.execute();
    await expect(partsOf(gated.count.execute())).rejects.toThrow(ToolDenied);
  });
});
