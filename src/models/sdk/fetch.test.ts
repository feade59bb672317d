import { expect, test } from "vitest";
import type { Outgoing, Transport } from "../../core/transport.ts";
import { fetchFor } from "./fetch.ts";

const provider = { protocol: "openai", origin: "https://api.example.com/v1" } as const;

test.each([
  "https://evil.example/v1/chat/completions",
  "https://api.example.com/v1/../admin",
  "https://api.example.com/v1/%2e%2e/admin",
  "https://api.example.com/v1evil",
  "https://api.example.com@evil.example/v1/",
  "http://api.example.com/v1/chat/completions",
])("T43: the secret does not go to %s", async (url) => {
  const sent: Outgoing[] = [];
  const transport: Transport = { send: (request) => (sent.push(request), Promise.reject(new Error("sent"))) };
  const fetch = fetchFor({ provider, model: "m", secret: "the secret", transport }, {});
  await expect(fetch(url, { method: "POST", body: "{}" })).rejects.toMatchObject({ code: "egress.refused" });
  expect(sent).toEqual([]);
});
