import { describe, expect, test } from "vitest";
import { handScope } from "../../../test/scope/hand-scope.ts";
import { createGate, type GateOptions } from "./gated.ts";
import { gateMcp } from "./mcp.ts";

interface Params {
  readonly name: string;
  readonly arguments?: unknown;
  readonly _meta?: unknown;
}

/** A client that keeps what would have been sent. */
function client(names: readonly string[] = []) {
  const sent: unknown[] = [];
  return {
    sent,
    request: () => "a way around",
    listTools: async (params?: { cursor?: string }) => ({
      tools: names.map((name) => ({ name, inputSchema: {} })),
      nextCursor: `after ${params?.cursor ?? "nothing"}`,
    }),
    callTool: async (...all: [params: Params, ...rest: unknown[]]) => {
      sent.push(all);
      return { isError: false, content: [{ type: "text", text: "done" }] };
    },
  };
}

function gateOf(allowed: "*" | readonly string[], forbidden: readonly string[] = [], more: Partial<GateOptions> = {}) {
  return createGate({ scope: handScope(allowed, forbidden), ...more });
}

describe("SC-7: the tools of an MCP server behind the gate", () => {
  test("are known by the name of their server", async () => {
    const inner = client();
    const gated = gateMcp(inner, gateOf(["mcp__notes__find"]), { server: "notes" });
    expect(await gated.callTool({ name: "find", arguments: { text: "x" } })).toMatchObject({ isError: false });
    const elsewhere = gateMcp(inner, gateOf(["mcp__notes__find"]), { server: "mail" });
    expect(await elsewhere.callTool({ name: "find" })).toMatchObject({ isError: true });
    expect(inner.sent).toEqual([[{ name: "find", arguments: { text: "x" } }]]);
  });

  test("everything else of a call is passed on", async () => {
    const inner = client();
    const signal = new AbortController().signal;
    const params = { name: "find", arguments: {}, _meta: { progressToken: 1 } };
    await gateMcp(inner, gateOf("*"), { server: "notes" }).callTool(params, "schema", { signal });
    expect(inner.sent).toEqual([[params, "schema", { signal }]]);
  });

  test.each(["delete", "Find", "find ", "f\u0456nd", "", "*", "find\n", "x".repeat(200), "constructor"])(
    "T33: %j is answered with an error for the model, and nothing is sent",
    async (name) => {
      const inner = client();
      const denied: string[] = [];
      const gate = gateOf(["mcp__notes__find"], [], { onDenied: (call) => denied.push(call.tool) });
      expect(await gateMcp(inner, gate, { server: "notes" }).callTool({ name })).toEqual({
        isError: true,
        content: [{ type: "text", text: expect.stringContaining("TOOL_NOT_ALLOWED") }],
      });
      expect([inner.sent, denied]).toEqual([[], [`mcp__notes__${name}`]]);
    },
  );

  test("a whole server can be forbidden", async () => {
    const inner = client(["find", "delete"]);
    const gated = gateMcp(inner, gateOf("*", ["mcp__notes__*"]), { server: "notes" });
    expect((await gated.listTools()).tools).toEqual([]);
    expect(await gated.callTool({ name: "find" })).toMatchObject({ isError: true });
    expect(inner.sent).toEqual([]);
  });

  test("SC-6: only those that some call of may pass are listed, page by page", async () => {
    const inner = client(["find", "delete", "not a name", "find"]);
    const gated = gateMcp(inner, gateOf("*", ["mcp__notes__delete"]), { server: "notes" });
    expect(await gated.listTools({ cursor: "2" })).toEqual({
      tools: [
        { name: "find", inputSchema: {} },
        { name: "find", inputSchema: {} },
      ],
      nextCursor: "after 2",
    });
  });

  test.each([null, undefined, "find", 7, {}, { name: null }, { name: 5 }, { name: ["find"] }])(
    "T33: %j in a server's list is left out, and hides no tool",
    async (odd) => {
      const listTools = async () => ({ tools: [odd as { name: string }, { name: "find" }] });
      const gated = gateMcp({ ...client(), listTools }, gateOf("*"), { server: "notes" });
      expect(await gated.listTools()).toEqual({ tools: [{ name: "find" }] });
    },
  );

  test.each([null, "find", {}, { tools: "find" }, { tools: null }])("a list such as %j has no tools", async (list) => {
    const listTools = async () => list as unknown as { tools: { name: string }[] };
    expect(await gateMcp({ ...client(), listTools }, gateOf("*"), { server: "notes" }).listTools()).toMatchObject({
      tools: [],
    });
  });

  test("T33: no other way to the server is handed on, and nothing can be replaced", () => {
    const gated = gateMcp(client(), gateOf("*"), { server: "notes" });
    expect(Object.keys(gated).toSorted()).toEqual(["callTool", "listTools"]);
    expect(Object.isFrozen(gated)).toBe(true);
  });

  test.each(["", "a__b", "_a", "a_", "a b", "a.b", "*", "mcp__a", "\u0430", "a".repeat(64), undefined])(
    "T33: a server cannot be called %j",
    (server) => {
      const options = { server: server as string };
      expect(() => gateMcp(client(), gateOf("*"), options)).toThrow(expect.objectContaining({ code: "usage.invalid" }));
    },
  );

  test.each(["a", "a_b", "A-1", "a".repeat(63)])("a server can be called %j", (server) => {
    expect(() => gateMcp(client(), gateOf("*"), { server })).not.toThrow();
  });
});

describe("T33: what is judged is what is sent", () => {
  test("a name and arguments that change while a person is asked", async () => {
    const inner = client();
    const params = { name: "find", arguments: { folder: "notes" } };
    const ask = async () => {
      params.name = "delete";
      params.arguments.folder = "/";
      return true;
    };
    const gate = gateOf(["mcp__notes__find"], [], { policy: () => "ask", ask });
    await gateMcp(inner, gate, { server: "notes" }).callTool(params);
    expect(inner.sent).toEqual([[{ name: "find", arguments: { folder: "notes" } }]]);
  });

  test("an object that writes itself as another one", async () => {
    const inner = client();
    const params = { name: "find", toJSON: () => ({ name: "delete" }) };
    const gated = gateMcp(inner, gateOf(["mcp__notes__find"]), { server: "notes" });
    expect(await gated.callTool(params)).toMatchObject({ isError: true });
    expect(inner.sent).toEqual([]);
  });

  test.each([null, undefined, 7, "find", {}, { name: 7 }, { name: "find", arguments: 1n }])(
    "%s cannot be read",
    async (params) => {
      const inner = client();
      const gated = gateMcp(inner, gateOf("*"), { server: "notes" });
      expect(await gated.callTool(params as Params)).toMatchObject({ isError: true });
      expect(inner.sent).toEqual([]);
    },
  );

  test("the host's policy sees what the arguments are about; what cannot be told is denied", async () => {
    const inner = client();
    const policy: GateOptions["policy"] = ({ paths }) => (paths?.[0] === "open.md" ? "allow" : "deny");
    const subjects = { find: (input: unknown) => ({ paths: [(input as { path: string }).path] }) };
    const gated = gateMcp(inner, gateOf("*", [], { policy }), { server: "notes", subjects });
    expect(await gated.callTool({ name: "find", arguments: { path: "open.md" } })).toMatchObject({ isError: false });
    expect(await gated.callTool({ name: "find", arguments: { path: "shut.md" } })).toMatchObject({ isError: true });
    expect(await gated.callTool({ name: "find" })).toMatchObject({ isError: true });
    expect(inner.sent).toHaveLength(1);
  });

  test("SC-7: a server is no place for a command that has to run as its words", async () => {
    const inner = client();
    const gate = { ...gateOf("*"), admit: () => ({ argv: ["git", "status"] }) };
    expect(await gateMcp(inner, gate, { server: "notes" }).callTool({ name: "find" })).toMatchObject({ isError: true });
    expect(inner.sent).toEqual([]);
  });

  test("a failure of the server is the caller's to see", async () => {
    const callTool = async ({ name }: Params): Promise<never> => {
      throw new Error(`${name} is gone`);
    };
    const broken = { ...client(), callTool };
    await expect(gateMcp(broken, gateOf("*"), { server: "notes" }).callTool({ name: "find" })).rejects.toThrow(
      "is gone",
    );
  });
});
