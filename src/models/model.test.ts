import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loopback, loopbackTransport, serveTransport } from "../../test/support/model-loopback.ts";
import type { Transport } from "../core/transport.ts";
import { echoTransport } from "./echo-transport.ts";
import { createEmbedder, createModel } from "./model.ts";

let server: Loopback;
beforeAll(async () => {
  server = await serveTransport(echoTransport());
});
afterAll(() => server.close());

const closed: Transport = { send: () => Promise.reject(new Error("something left")) };
const asked = { messages: [{ role: "user", content: "hello" }], parameters: {} } as const;
const configuration = { model: "any", parameters: { reply: "always" } };

describe("CO-18: the model of a configuration", () => {
  test("CO-18: echo and scripted answer without a way out", async () => {
    const reach = { secret: null, transport: closed, configuration };
    const echo = await createModel({ ...reach, provider: { protocol: "echo", origin: "" } });
    expect((await echo.answer(asked)).text).toBe("[user]\nhello");
    const scripted = await createModel({ ...reach, provider: { protocol: "scripted", origin: "" } });
    expect((await scripted.answer(asked)).text).toBe("always");
    const embedder = await createEmbedder({ ...reach, model: "any", provider: { protocol: "echo", origin: "" } });
    expect(await embedder.embed(["a"])).toHaveLength(1);
  });

  test.each(["openai", "anthropic"] as const)("CO-18: %s is spoken to over the way out", async (protocol) => {
    const provider = { protocol, origin: server.url };
    const model = await createModel({ provider, configuration, secret: null, transport: loopbackTransport() });
    expect((await model.answer(asked)).text).toBe("[user]\nhello");
    const told: string[] = [];
    const streamed = await model.answer({ ...asked, onText: (text) => void told.push(text) });
    expect([streamed.text, told]).toEqual(["[user]\nhello", ["[user]\nhello"]]);
  });

  test("CO-9: an embedder over the way out", async () => {
    const provider = { protocol: "openai", origin: server.url } as const;
    const embedder = await createEmbedder({ provider, model: "any", secret: null, transport: loopbackTransport() });
    const echo = await createEmbedder({
      provider: { protocol: "echo", origin: "" },
      model: "",
      secret: null,
      transport: closed,
    });
    expect(await embedder.embed(["a", "b"])).toEqual(await echo.embed(["a", "b"]));
  });
});
