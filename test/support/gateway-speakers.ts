import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { anthropicAt, openaiAt } from "./gateway-clients.ts";
import { type GatewayHome, upstreamModel, upstreamSecret } from "./gateway-home.ts";
import { permitLlm } from "../../src/models/context.ts";

/** What somebody asks in every test of faults. */
export const question = "What is the weather in Zürich?";

/** What an official client makes of a failure. */
interface Seen {
  readonly kind: string;
  readonly status: number | undefined;
  /** OpenAI's clients have one; Anthropic's protocol has none. */
  readonly code: string | null | undefined;
  /** What the error in the body says, or the body. */
  readonly said: string;
  readonly headers: Headers | undefined;
}

/** One of the two protocols, spoken by its official client, which does not try again by itself. */
export interface Speaker {
  readonly name: "openai" | "anthropic";
  /** The configuration of the home that speaks it. */
  readonly configuration: string;
  readonly path: string;
  /** The text of the answer. */
  ask(home: GatewayHome, model?: string): Promise<string>;
  /** The answer as the client's `fetch` has it, its body unread. */
  open(home: GatewayHome, isStream?: boolean, signal?: AbortSignal): Promise<Response>;
  /** Events as the client reads them. */
  stream(home: GatewayHome, signal?: AbortSignal): Promise<AsyncIterable<object>>;
  seen(error: unknown): Seen;
}

const messages = [{ role: "user" as const, content: question }];

const openai: Speaker = {
  name: "openai",
  configuration: "house",
  path: "/v1/chat/completions",
  async ask(home, model = "house") {
    const { choices } = await openaiAt(home).chat.completions.create({ model, messages });
    return choices[0]?.message.content ?? "";
  },
  open: (home, stream = false, signal) =>
    openaiAt(home).chat.completions.create({ model: "house", messages, stream }, { signal }).asResponse(),
  stream: (home, signal) =>
    openaiAt(home).chat.completions.create({ model: "house", messages, stream: true }, { signal }),
  seen(error) {
    if (!(error instanceof OpenAI.APIError)) return other(error);
    const { status, code, headers } = error;
    return { kind: kindOf(error, OpenAI), status, code, said: messageIn(error.error) ?? error.message, headers };
  },
};

const anthropic: Speaker = {
  name: "anthropic",
  configuration: "claude",
  path: "/v1/messages",
  async ask(home, model = "claude") {
    const { content } = await anthropicAt(home).messages.create({ model, messages, max_tokens: 99 });
    return content.map((part) => (part.type === "text" ? part.text : "")).join("");
  },
  open: (home, stream = false, signal) =>
    anthropicAt(home).messages.create({ model: "claude", messages, max_tokens: 99, stream }, { signal }).asResponse(),
  stream: (home, signal) =>
    anthropicAt(home).messages.create({ model: "claude", messages, max_tokens: 99, stream: true }, { signal }),
  seen(error) {
    if (!(error instanceof Anthropic.APIError)) return other(error);
    const { status, headers } = error;
    const inner: unknown = error.error;
    const said = typeof inner === "object" && inner !== null && "error" in inner ? messageIn(inner.error) : undefined;
    return { kind: kindOf(error, Anthropic), status, code: undefined, said: said ?? error.message, headers };
  },
};

export const speakers: readonly Speaker[] = [openai, anthropic];

/** By its own class, which must be one that the client exports. */
function kindOf(error: Error, exported: object): string {
  const { name } = error.constructor;
  if (Reflect.get(exported, name) !== error.constructor) throw new Error(`${name} is not one of the client's`);
  return name;
}

function messageIn(body: unknown): string | undefined {
  const isSaid = typeof body === "object" && body !== null && "message" in body && typeof body.message === "string";
  return isSaid ? String(body.message) : undefined;
}

function other(error: unknown): Seen {
  if (!(error instanceof Error)) throw new Error("not even an error");
  return { kind: error.constructor.name, status: undefined, code: undefined, said: error.message, headers: undefined };
}

/** A server on loopback that is no model service, and what came to it. It goes with the test. */
export interface Place {
  readonly url: string;
  /** Every connection that was ever made. */
  readonly sockets: readonly Socket[];
  close(): Promise<void>;
}

export function httpPlace(answer: RequestListener): Promise<Place> {
  return placeOf(createServer(answer));
}

/** One that does with a connection what it likes. */
export function tcpPlace(take: (socket: Socket) => void): Promise<Place> {
  return placeOf(createTcpServer(take));
}

async function placeOf(server: Server): Promise<Place> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => void sockets.push(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(close);
  return { url, sockets, close };
}

/** A provider of each protocol at another origin, and configurations of it: `<id>-openai`, `<id>-anthropic`. */
export async function addElsewhere({ app }: GatewayHome, id: string, origin: string): Promise<void> {
  for (const protocol of ["openai", "anthropic"]) {
    const name = `${id}-${protocol}`;
    await addProvider(permitLlm(app, "administer"), name, { protocol, origin, models: ["*"] }, upstreamSecret);
    await addConfiguration(permitLlm(app, "operate"), name, { provider: name, model: upstreamModel });
  }
}

/** What nobody caught in this process while the test runs. Nothing may ever be in it. */
export function uncaught(): readonly unknown[] {
  const seen: unknown[] = [];
  const note = (error: unknown): void => void seen.push(error);
  for (const event of ["unhandledRejection", "uncaughtException"]) {
    process.on(event, note);
    onTestFinished(() => void process.off(event, note));
  }
  return seen;
}

export function portOf({ url }: { readonly url: string }): { readonly port: number } {
  return { port: Number(new URL(url).port) };
}
