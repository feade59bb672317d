import { afterEach } from "vitest";
import type { Transport } from "../../src/core/transport.ts";
import type { Protocol } from "../../src/models/protocols.ts";
import { type Loopback, loopbackTransport, sendJson, startService } from "./model-loopback.ts";

export const secret = "sk-this-is-the-secret-0123456789";
const opened: Loopback[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** Closed after the test. */
export function open<Server extends Loopback>(server: Server): Server {
  opened.push(server);
  return server;
}

const answers: Readonly<Record<string, unknown>> = {
  openai: {
    id: "c",
    choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  },
  anthropic: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "claude-x",
    content: [{ type: "text", text: "hello" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
  google: {
    candidates: [{ content: { role: "model", parts: [{ text: "hello" }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
  },
};

export const spoken = ["openai", "anthropic", "google"] as const;

/** A model service that always answers the same. */
export function service(protocol: Protocol, answer: unknown = answers[protocol], status = 200, headers = {}) {
  return startService((_, response) => sendJson(response, answer, status, headers)).then(open);
}

export const access = (
  protocol: Protocol,
  url: string,
  more: { secret?: string | null; transport?: Transport } = {},
) => ({
  provider: { protocol, origin: url },
  model: "model-1",
  secret,
  transport: loopbackTransport(),
  ...more,
});

export const hello = { messages: [{ role: "user", content: "hi" }], parameters: {} } as const;
