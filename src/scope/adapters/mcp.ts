import { AppError } from "../../core/error.ts";
import { isRecord } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import { callOf, type CallSubject, type Gate, ToolDenied } from "./gated.ts";

/** What is used of a client of MCP, of any version. */
export interface McpClient {
  listTools(...rest: unknown[]): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { readonly name: string }, ...rest: unknown[]): Promise<unknown>;
}

export interface GateMcpOptions {
  /** What the server is called in `mcp__server__tool`: the host's own word, whatever the server says of itself. */
  readonly server: string;
  /** By tool, as the server names it: the command and the paths of its arguments, for the host's policy to see. */
  readonly subjects?: { readonly [tool: string]: (input: unknown) => CallSubject };
}

/**
 * The tools of an MCP server behind the gate, each under the name `mcp__server__tool`. `listTools` answers with those
 * that some call of may pass; a denied `callTool` answers with an error for the model, and nothing is sent. These two are
 * all there is: a client has other ways to its server's tools (`request`, tasks), and they are not handed on.
 */
export function gateMcp<Client extends McpClient>(
  client: Client,
  gate: Gate,
  options: GateMcpOptions,
): Pick<Client, "listTools" | "callTool">;
export function gateMcp(client: McpClient, gate: Gate, options: GateMcpOptions): McpClient {
  const prefix = `mcp__${demandServer(options.server)}__`;
  const subjects = new Map(Object.entries(options.subjects ?? {}));
  return Object.freeze({
    listTools: async (...rest: unknown[]) => {
      const list = await client.listTools(...rest);
      return { ...list, tools: namedTools(list).filter(({ name }) => gate.mayAllow(prefix + name)) };
    },
    callTool: async (given: { readonly name: string }, ...rest: unknown[]) => {
      try {
        const params = await admit(given);
        return await client.callTool(params, ...rest);
      } catch (error) {
        if (error instanceof ToolDenied) return { isError: true, content: [{ type: "text", text: error.message }] };
        throw error;
      }
    },
  });

  async function admit(given: { readonly name: string }): Promise<{ readonly name: string }> {
    const params = readParams(given);
    if (params === null) return gate.refuse({ tool: prefix }, "it cannot be read");
    const call = callOf(prefix + params.name, params["arguments"], subjects.get(params.name));
    if (call === null) return gate.refuse({ tool: prefix + params.name }, "what it is about cannot be read");
    const { argv } = await gate.admit(call);
    // A server runs commands as it likes: words that have to run without a shell are not for it.
    return argv === null ? params : gate.refuse(call, "it may only run as separate words without a shell");
  }
}

/** Two servers must never share a name: without `__` inside and `_` at an end it is clear where it ends. */
const serverName = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,62}(?<!_)$/;

function demandServer(server: unknown): string {
  if (typeof server === "string" && serverName.test(server)) return server;
  throw new AppError(
    "usage.invalid",
    `server: "${safeLine(String(server), 80)}" is not up to 63 letters, digits, hyphens and single underscores inside`,
  );
}

/** What a server lists is its own word: what has no text as its name cannot be called, and is left out. */
function namedTools(list: unknown): readonly { readonly name: string }[] {
  const tools: unknown = isRecord(list) ? list["tools"] : [];
  return Array.isArray(tools) ? tools.filter(isNamed) : [];
}

type Params = { readonly name: string; readonly [key: string]: unknown };

/** What will be sent, read once: the text that goes over the wire says the same whoever changes the given one later. */
function readParams(given: unknown): Params | null {
  try {
    const params: unknown = JSON.parse(JSON.stringify(given));
    return isNamed(params) ? params : null;
  } catch {
    return null;
  }
}

function isNamed(value: unknown): value is Params {
  return isRecord(value) && typeof value["name"] === "string";
}
