import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { isRecord } from "../../core/json/json.ts";
import type { Serving } from "../../features/serving.ts";
import { safeLine } from "../../core/text.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { type Door, personOf, type Wire } from "../door.ts";
import { ConcurrencyLimit } from "../../features/http/concurrency-limit.ts";
import { whoAsks } from "../guard/guard.ts";
import { mcpCounter } from "../logs/measures.ts";
import { holderOf, type McpBounds, mcpBounds, type Session, Sessions } from "./sessions.ts";
import { Changes } from "./changes.ts";
import { Library } from "./library.ts";
import { invalidRequest, readMessage, refuse, unknownSession } from "./message.ts";
import { createSkillServer } from "./skill-server.ts";

/** SV-5: `/mcp`, streamable HTTP, of both kinds: with sessions (2025-11-25 and before) and without (2026-07-28). */
export function createMcp(door: Door, serving: Serving, bounds: McpBounds = mcpBounds): Hono<Wire> {
  const mcp = new McpDoor(door, serving, bounds);
  const routes = new Hono<Wire>();
  for (const method of ["POST", "GET", "DELETE"]) routes.on(method, "/mcp", (context) => mcp.answer(context));
  return routes;
}

/** One request that somebody who is known has made. */
interface Call {
  readonly env: Wire["Bindings"];
  readonly request: Request;
  readonly person: Person;
  readonly message: unknown;
}

class McpDoor {
  readonly #door: Door;
  readonly #library: Library;
  readonly #changes: Changes;
  readonly #sessions: Sessions;
  readonly #streams: ConcurrencyLimit;
  readonly #bounds: McpBounds;
  readonly #count: ReturnType<typeof mcpCounter>;
  /** Of requests without a session that are being answered. */
  readonly #handlers = new Set<McpHttpHandler>();

  constructor(door: Door, serving: Serving, bounds: McpBounds) {
    this.#door = door;
    this.#bounds = bounds;
    this.#count = mcpCounter(door.metrics);
    this.#library = new Library(serving, door.log);
    this.#changes = new Changes(this.#library, door.timer);
    const count = door.metrics.gauge("skillward_mcp_sessions", "MCP sessions that are open.");
    this.#sessions = new Sessions({ ...door, bounds, onCount: (sessions) => count.set(sessions) });
    this.#streams = new ConcurrencyLimit(bounds.streamsEach);
    const unheard = serving.live.listen(({ is }) => (is === "generation" ? this.#changes.wake() : undefined));
    door.stopping.addEventListener("abort", () => {
      unheard();
      this.#close();
    });
  }

  async answer({ env, req }: Context<Wire>): Promise<Response> {
    const person = personOf(env.exchange);
    const { messageBytes, messageValues: values } = this.#bounds;
    const most = { bytes: Math.min(this.#door.bodyBytes, messageBytes), values };
    const read = env.incoming.method === "POST" ? await readMessage(env, most) : { message: undefined };
    if ("answer" in read) return read.answer;
    const { message } = read;
    const method = methodOf(message) ?? "stream";
    env.exchange.notes["mcp"] = method;
    this.#count(method, fieldOf(fieldOf(message, "params"), "name"));
    env.exchange.span.set("mcp.method.name", method);
    const call = { env, request: req.raw, person, message };
    return (await isLegacyRequest(req.raw, message)) ? this.#inSession(call) : this.#alone(call);
  }

  /** 2026-07-28: every request says all there is to say, and nothing is kept of it. */
  async #alone(call: Call): Promise<Response> {
    const { env, request, person, message } = call;
    const handler = createMcpHandler(() => this.#serverFor(person), { legacy: "reject" });
    this.#handlers.add(handler);
    onceOver(env, () => this.#handlers.delete(handler));
    if (methodOf(message) === "subscriptions/listen") return this.#listen(handler, call);
    return handler.fetch(request, { parsedBody: message });
  }

  /** A stream on which a host is told that what it may read has changed. */
  async #listen(handler: McpHttpHandler, { env, request, person, message }: Call): Promise<Response> {
    const refusal = `${this.#bounds.streamsEach} streams of this key are open; close one of them`;
    onceOver(env, this.#streams.demand(person.name, refusal));
    const who = () => whoAsks(this.#door, env);
    const known = await this.#changes.now(who);
    const answer = await handler.fetch(request, { parsedBody: message });
    const listening = await this.#changes.listen(who, known, {
      changed: () => handler.notify.resourcesChanged(),
      refused: () => void handler.close(),
    });
    onceOver(env, () => listening.stop());
    return answer;
  }

  async #inSession(call: Call): Promise<Response> {
    const { env, person, message, request } = call;
    const id = env.incoming.headers["mcp-session-id"];
    if (id === undefined && isInitializeRequest(message)) return this.#open(call);
    if (typeof id !== "string")
      return refuse(env.outgoing, 400, invalidRequest, "mcp-session-id: open a session first");
    const session = this.#sessions.find(id, holderOf(env, person));
    if (session === undefined)
      return refuse(env.outgoing, 404, unknownSession, "there is no such session; open a new one");
    const asked = requestIdOf(message);
    // The transport would give both answers to the later one, and leave the other waiting.
    if (asked !== undefined && session.asked.has(asked))
      return refuse(env.outgoing, 400, invalidRequest, "id: a request with the same one is being answered");
    onceOver(env, this.#sessions.use(session, asked));
    const answer = await session.transport.handleRequest(request, { parsedBody: message });
    if (env.incoming.method === "GET" && answer.status === 200) await this.#hear(session, call);
    return answer;
  }

  async #open({ env, person, request, message }: Call): Promise<Response> {
    const seen = await this.#changes.now(async () => person);
    const session = await this.#sessions.open(holderOf(env, person), this.#serverFor(person), seen);
    onceOver(env, this.#sessions.use(session));
    const answer = await session.transport.handleRequest(request, { parsedBody: message });
    // It was no opening after all.
    if (session.transport.sessionId === undefined) await session.server.close();
    return answer;
  }

  /** The stream of a session. What changed while none was open is told as it opens. */
  async #hear(session: Session, { env }: Call): Promise<void> {
    const who = () => whoAsks(this.#door, env);
    const listening = await this.#changes.listen(who, session.seen, {
      changed: () => session.server.sendResourceListChanged(),
      refused: () => void session.server.close(),
    });
    onceOver(env, () => {
      session.seen = listening.last;
      listening.stop();
    });
  }

  #serverFor(person: Person) {
    // The guard has known this person a moment ago, and does so again for the next request.
    return createSkillServer(this.#library, async () => person);
  }

  /** Streams have no end of their own. */
  #close(): void {
    for (const handler of this.#handlers) void handler.close();
    this.#sessions.close();
    this.#changes.close();
  }
}

function methodOf(message: unknown): string | undefined {
  const method = fieldOf(message, "method");
  return typeof method === "string" ? safeLine(method, 40) : undefined;
}

function requestIdOf(message: unknown): string | number | undefined {
  const id = methodOf(message) === undefined ? undefined : fieldOf(message, "id");
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Once the answer has ended, or its client has left; at once when that is so already. */
function onceOver({ outgoing, exchange }: Wire["Bindings"], act: () => void): void {
  if (exchange.isGone || outgoing.closed) act();
  else outgoing.once("close", act);
}
