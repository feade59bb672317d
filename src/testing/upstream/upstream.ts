import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { closeServer, listenOnLoopback } from "../loopback.ts";
import { type Answer, apiFor } from "./scripted-exchange.ts";
import { deliver } from "./delivery.ts";
import { answerByScript } from "./faults.ts";
import { type Changes, createChanges, createGate, type Gate } from "./gate.ts";
import { createRecording, type Exchange, type Recording } from "./recording.ts";
import type { Upstream, UpstreamOptions, UpstreamRequest, UpstreamScript } from "./script.ts";

interface House {
  readonly options: UpstreamOptions;
  readonly closing: AbortController;
  readonly recording: Recording;
  readonly gate: Gate;
  readonly queue: UpstreamScript[];
  always: (request: UpstreamRequest) => UpstreamScript;
}

/**
 * A model service on the loopback interface, over real HTTP: OpenAI's and Anthropic's protocols in their documented
 * shapes, plain and streamed, so that the official clients work against it. It keeps every request as it came, answers
 * by script, and does nothing by the clock: what waits, waits for the test.
 *
 * ```ts
 * const upstream = await startUpstream({ secret: "sk-upstream" });
 * upstream.next({ status: 429, headers: { "retry-after-ms": "1" } });
 * upstream.always({ text: "Bonjour." });
 *
 * const client = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: "sk-upstream" });
 * await client.chat.completions.create({ model: "any", messages: [{ role: "user", content: "Greet me." }] });
 *
 * const { path, text } = await upstream.received(2); // the client tried again
 * await upstream.close();
 * ```
 */
export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const changes = createChanges();
  const [recording, gate] = [createRecording(changes), createGate(changes)];
  const server = createServer();
  const house: House = { options, closing: new AbortController(), recording, gate, queue: [], always: () => ({}) };
  server.on("request", (incoming, response) => void serve(house, incoming, response));
  return {
    url: await listen(server),
    requests: recording.requests,
    next: (script) => void house.queue.push(script),
    always: (script) => void (house.always = typeof script === "function" ? script : () => script),
    step: () => gate.step(),
    received: (n) => recording.received(n),
    gone: (n) => recording.gone(n),
    close: () => close(server, house.closing, changes),
  };
}

function listen(server: Server): Promise<string> {
  // Clients keep connections open as long as they like: none is closed because of the time.
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  return listenOnLoopback(server);
}

async function serve(house: House, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const leaving = new AbortController();
  const client = AbortSignal.any([leaving.signal, house.closing.signal]);
  response.once("close", () => leaving.abort());
  const exchange = await house.recording.record(incoming);
  const leave = (): void => exchange.end(leaving.signal.aborted ? "left" : "cut");
  client.addEventListener("abort", leave);
  // A request that did not arrive whole is answered by nothing, so it uses up no script.
  if (client.aborted || exchange.request.aborted) return leave();
  const { script, answer } = answerTo(house, exchange);
  await deliver({ response, exchange, script, gate: house.gate, client }, answer);
}

function answerTo(house: House, { number, request }: Exchange): { script: UpstreamScript; answer: Answer } {
  const { secret, models = ["test-model"] } = house.options;
  const isRefused = secret !== undefined && !hasKey(request, secret);
  const script = isRefused ? { status: 401 } : (house.queue.shift() ?? house.always(request));
  return { script, answer: answerByScript({ number, request, script, models }) };
}

/** Whether the key is where the protocol has it. Anthropic takes it in both places: clients of 1.0 and later moved. */
function hasKey(request: UpstreamRequest, secret: string): boolean {
  const isBearer = request.header("authorization") === `Bearer ${secret}`;
  return isBearer || (apiFor(request).name === "anthropic" && request.header("x-api-key") === secret);
}

/** Answers end before their connections: a client that is cut off now did not go away. */
async function close(server: Server, closing: AbortController, changes: Changes): Promise<void> {
  closing.abort();
  await closeServer(server);
  changes.end();
}
