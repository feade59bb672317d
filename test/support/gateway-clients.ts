import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { composeStored } from "../../src/features/configurations/compositions.ts";
import type { Composition } from "../../src/compose/composition.ts";
import type { GatewayHome } from "./gateway-home.ts";

type Fetch = typeof globalThis.fetch;

/** How a client is set up beside its address. */
interface ClientWishes {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: Fetch;
  readonly maxRetries?: number;
  readonly timeout?: number;
}

/** The official client of OpenAI at a gateway: under plain `/v1`, or under one configuration. */
export function openaiAt(home: GatewayHome, base = "", wishes: ClientWishes = {}): OpenAI {
  return new OpenAI({ baseURL: `${home.url}${base}/v1`, ...settings(home, wishes) });
}

/** The official client of Anthropic; its base is without `/v1`. */
export function anthropicAt(home: GatewayHome, base = "", wishes: ClientWishes = {}): Anthropic {
  return new Anthropic({ baseURL: home.url + base, ...settings(home, wishes) });
}

function settings({ key: ownKey }: GatewayHome, { key = ownKey, headers = {}, maxRetries = 0, ...rest }: ClientWishes) {
  return { apiKey: key, defaultHeaders: headers, maxRetries, ...rest };
}

/** A `fetch` that keeps the very bytes of each body before it sends them. */
export function recordingFetch(): { readonly sent: Buffer[]; readonly fetch: Fetch } {
  const sent: Buffer[] = [];
  const fetch: Fetch = async (input, init) => {
    const request = new Request(input, init);
    // The client also asks its `fetch` for what it can do.
    if (request.method !== "POST") return globalThis.fetch(request);
    const body = Buffer.from(await request.arrayBuffer());
    sent.push(body);
    return globalThis.fetch(request.url, { ...init, headers: request.headers, body });
  };
  return { sent, fetch };
}

/** Sends bytes as they are, without any client. */
export function post(
  home: GatewayHome,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  const own = { authorization: `Bearer ${home.key}`, "content-type": "application/json" };
  return fetch(home.url + path, { method: "POST", headers: { ...own, ...headers }, body: Buffer.from(body) });
}

/** What a request would be given now, put together beside the gateway. */
export async function compositionOf(home: GatewayHome, configuration: string, task?: string): Promise<Composition> {
  return (await composeStored(home.app, { configuration, task })).composition;
}

/** A text as it stands within a JSON string. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What is left of a body without one text, which it must hold exactly once. */
export function without(body: Uint8Array, text: string): string {
  const parts = Buffer.from(body).toString("latin1").split(Buffer.from(text).toString("latin1"));
  if (parts.length !== 2) throw new Error(`the text is there ${parts.length - 1} times`);
  return parts.join("");
}

export function latin1(body: Uint8Array): string {
  return Buffer.from(body).toString("latin1");
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

/** What a promise was rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("nothing failed");
}
