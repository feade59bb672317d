import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { serve } from "@hono/node-server";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createGate, type GateOptions } from "../../src/scope/adapters/gated.ts";
import { gateMcp } from "../../src/scope/adapters/mcp.ts";
import { handScope } from "./hand-scope.ts";

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

/** A server of three tools that keeps what was asked of it. */
function notes() {
  const server = new McpServer({ name: "mail", version: "1.0.0" });
  const ran: string[] = [];
  for (const name of ["find", "delete", "send"])
    server.registerTool(name, { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => {
      ran.push(`${name} ${text}`);
      return { content: [{ type: "text", text: `${name}: ${text}` }] };
    });
  return { server, ran };
}

/** A client, its server's deeds, and how many requests to call a tool arrived at all. */
interface Connection {
  readonly client: Client;
  readonly ran: readonly string[];
  readonly requests: () => number;
}

async function inMemory(): Promise<Connection> {
  const { server, ran } = notes();
  const client = new Client({ name: "host", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  let requests = 0;
  const send = near.send.bind(near);
  near.send = (message, options) => {
    if ("method" in message && message.method === "tools/call") requests++;
    return send(message, options);
  };
  await Promise.all([server.connect(far), client.connect(near)]);
  ending.push(() => client.close());
  return { client, ran, requests: () => requests };
}

async function overHttp(): Promise<Connection> {
  const { server, ran } = notes();
  let requests = 0;
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => "one" });
  await server.connect(transport);
  const fetch = async (request: Request) => {
    if ((await request.clone().text()).includes('"tools/call"')) requests++;
    return transport.handleRequest(request);
  };
  const port = await new Promise<number>((resolve) => {
    const listening = serve({ fetch, port: 0, hostname: "127.0.0.1" }, (address) => resolve(address.port));
    ending.push(() => new Promise((closed) => listening.close(closed)));
  });
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/`)));
  ending.push(() => server.close());
  ending.push(() => client.close());
  return { client, ran, requests: () => requests };
}

const scope = handScope(["mcp__notes__find", "mcp__notes__send"], ["mcp__notes__send"]);

describe.each([
  ["in memory", inMemory],
  ["over HTTP", overHttp],
])("SC-7: a real MCP server behind the gate, %s", (_, connect) => {
  async function gated(options: Partial<GateOptions> = {}) {
    const connection = await connect();
    const denied: string[] = [];
    const gate = createGate({ scope, onDenied: ({ tool }, { code }) => denied.push(`${tool} ${code}`), ...options });
    return { ...connection, denied, tools: gateMcp(connection.client, gate, { server: "notes" }) };
  }

  test("SC-6: lists only what may pass", async () => {
    const { client, tools } = await gated();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["find", "delete", "send"]);
    expect((await tools.listTools()).tools.map(({ name }) => name)).toEqual(["find"]);
  });

  test("what is allowed runs", async () => {
    const { tools, ran, requests } = await gated();
    const { content, isError } = await tools.callTool({ name: "find", arguments: { text: "milk" } });
    expect([content, isError]).toEqual([[{ type: "text", text: "find: milk" }], undefined]);
    expect([ran, requests()]).toEqual([["find milk"], 1]);
  });

  test("T33: what is not is answered for the model, and no request leaves", async () => {
    const { tools, ran, requests, denied } = await gated();
    for (const name of ["delete", "send", "Find", "find ", "mcp__notes__find", "notes__find", "", "*"]) {
      const { content, isError } = await tools.callTool({ name, arguments: { text: "milk" } });
      expect(isError).toBe(true);
      expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^TOOL_(NOT_ALLOWED|FORBIDDEN): /) }]);
    }
    expect([ran, requests()]).toEqual([[], 0]);
    expect(denied).toHaveLength(8);
    expect(denied.slice(0, 2)).toEqual(["mcp__notes__delete TOOL_NOT_ALLOWED", "mcp__notes__send TOOL_FORBIDDEN"]);
  });

  test("T33: a tool that the server adds later is denied when the catalogue does not have it", async () => {
    const { tools, ran, requests } = await gated({ scope: null, catalogue: ["mcp__notes__find"] });
    expect((await tools.listTools()).tools.map(({ name }) => name)).toEqual(["find"]);
    expect(await tools.callTool({ name: "delete", arguments: { text: "x" } })).toMatchObject({ isError: true });
    expect([ran, requests()]).toEqual([[], 0]);
  });

  test("T33: what is changed while a person is asked is not what is sent", async () => {
    const params = { name: "find", arguments: { text: "milk" } };
    const ask = async () => {
      params.name = "delete";
      params.arguments.text = "everything";
      return true;
    };
    const { tools, ran } = await gated({ policy: () => "ask", ask });
    await tools.callTool(params);
    expect(ran).toEqual(["find milk"]);
  });
});
