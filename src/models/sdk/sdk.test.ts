import { describe, expect, test } from "vitest";
import { type Seen, sendJson, startCounter, startService } from "../../../test/support/model-loopback.ts";
import { access, hello, open, secret, service, spoken } from "../../../test/support/sdk-services.ts";
import type { Message } from "../../core/model.ts";
import { sdkEmbedder, sdkModel } from "./sdk.ts";

const conversation: readonly Message[] = [
  { role: "system", content: "  Be brief.\r\n" },
  { role: "system", content: "<system block>" },
  {
    role: "user",
    content: [
      { type: "text", text: "<block>" },
      { type: "text", text: "hi" },
      { type: "image", url: "data:image/png;base64,AAAA" },
    ],
  },
  { role: "assistant", content: "yes?" },
  { role: "user", content: "go on\n" },
];

describe("CO-14: a model behind a provider's protocol", () => {
  test.each([
    ["openai", "/v1/chat/completions"],
    ["anthropic", "/v1/messages"],
    ["google", "/v1beta/models/model-1:generateContent"],
  ] as const)("CO-14: %s is asked at %s and answers", async (protocol, path) => {
    const { url, seen } = await service(protocol);
    const model = await sdkModel(access(protocol, url));
    expect(await model.answer(hello)).toEqual({ text: "hello", finish: "stop", tokens: { input: 3, output: 1 } });
    expect(seen.map((one) => one.path)).toEqual([path]);
  });

  test("T30: texts arrive as they are, each system message for itself, in OpenAI's protocol", async () => {
    const { url, seen } = await service("openai");
    await (await sdkModel(access("openai", url))).answer({ messages: conversation, parameters: {} });
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(seen[0]?.body["messages"]).toEqual([
      ...conversation.slice(0, 2),
      { role: "user", content: [{ type: "text", text: "<block>" }, { type: "text", text: "hi" }, image] },
      ...conversation.slice(3),
    ]);
  });

  test("T30: the same in Anthropic's", async () => {
    const { url, seen } = await service("anthropic");
    await (await sdkModel(access("anthropic", url))).answer({ messages: conversation, parameters: {} });
    const { system, messages } = seen[0]?.body ?? {};
    expect(system).toEqual([
      { type: "text", text: "  Be brief.\r\n" },
      { type: "text", text: "<system block>" },
    ]);
    const source = { type: "base64", media_type: "image/png", data: "AAAA" };
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "<block>" },
          { type: "text", text: "hi" },
          { type: "image", source },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "yes?" }] },
      { role: "user", content: [{ type: "text", text: "go on\n" }] },
    ]);
  });

  test("T30: the same in Google's", async () => {
    const { url, seen } = await service("google");
    await (await sdkModel(access("google", url))).answer({ messages: conversation, parameters: {} });
    const { systemInstruction, contents } = seen[0]?.body ?? {};
    expect(systemInstruction).toEqual({ parts: [{ text: "  Be brief.\r\n" }, { text: "<system block>" }] });
    const inlineData = { mimeType: "image/png", data: "AAAA" };
    expect(contents).toEqual([
      { role: "user", parts: [{ text: "<block>" }, { text: "hi" }, { inlineData }] },
      { role: "model", parts: [{ text: "yes?" }] },
      { role: "user", parts: [{ text: "go on\n" }] },
    ]);
  });

  const parameters = {
    temperature: 1.5,
    topP: 0.5,
    max_tokens: 7,
    seed: 1,
    stop: "END",
    reasoning_effort: "low",
    top_k: 3,
  };

  test("CO-13: parameters reach the body by the names that the protocol has for them", async () => {
    const bodies = new Map<string, Seen["body"]>();
    for (const protocol of spoken) {
      const { url, seen } = await service(protocol);
      await (await sdkModel(access(protocol, url))).answer({ ...hello, parameters });
      bodies.set(protocol, seen[0]?.body ?? {});
    }
    const common = { temperature: 1.5, seed: 1, reasoning_effort: "low" };
    expect(bodies.get("openai")).toMatchObject({
      ...common,
      model: "model-1",
      top_p: 0.5,
      max_tokens: 7,
      stop: "END",
      top_k: 3,
    });
    expect(bodies.get("anthropic")).toMatchObject({
      ...common,
      top_p: 0.5,
      max_tokens: 7,
      stop_sequences: ["END"],
      top_k: 3,
    });
    const generationConfig = { ...common, topP: 0.5, maxOutputTokens: 7, stopSequences: ["END"], topK: 3 };
    expect(bodies.get("google")).toMatchObject({ generationConfig });
  });

  test.each(["model", "MESSAGES", "tools", "__proto__"])(
    "RV-13: %s is no parameter, and nothing is sent",
    async (name) => {
      const { url, seen } = await service("openai");
      const model = await sdkModel(access("openai", url));
      const given = Object.fromEntries([[name, "gpt-expensive"]]);
      await expect(model.answer({ ...hello, parameters: given })).rejects.toMatchObject({ code: "usage.invalid" });
      expect(seen).toEqual([]);
    },
  );

  test.each([
    [
      "openai",
      { choices: [{ message: { content: "hel" }, finish_reason: "length" }] },
      { text: "hel", finish: "length" },
    ],
    [
      "openai",
      { choices: [{ message: { content: "" }, finish_reason: "content_filter" }] },
      { text: "", finish: "filter" },
    ],
    ["openai", { choices: [{ message: { content: "hel" } }] }, { text: "hel", finish: "other" }],
    ["google", { candidates: [{ finishReason: "SAFETY" }] }, { text: "", finish: "filter" }],
  ] as const)("CO-14: %s: what ended the answer is said (%#)", async (protocol, answer, expected) => {
    const { url } = await service(protocol, answer);
    const given = await (await sdkModel(access(protocol, url))).answer(hello);
    expect(given).toMatchObject({ ...expected, tokens: { input: null } });
  });
});

describe("invariant 4: nothing else leaves", () => {
  test.each(spoken)("CO-9: %s: an image is handed on by its address and fetched by nobody here", async (protocol) => {
    const pictures = open(await startCounter());
    const { url, seen } = await service(protocol);
    const address = `${pictures.url.replace("http:", "https:")}/secret.png`;
    const content = [{ type: "image", url: address }] as const;
    await (await sdkModel(access(protocol, url))).answer({ messages: [{ role: "user", content }], parameters: {} });
    expect(JSON.stringify(seen[0]?.body)).toContain(address);
    expect(pictures.hits()).toBe(0);
  });

  test.each([
    "http://127.0.0.1/a.png",
    "file:///etc/passwd",
    "data:text/html;base64,AAAA",
    "data:image/png,x",
    "https://",
    "",
  ])("CO-9: an image at %j is refused", async (url) => {
    const server = await service("openai");
    const model = await sdkModel(access("openai", server.url));
    const asked = { messages: [{ role: "user", content: [{ type: "image", url }] }], parameters: {} } as const;
    await expect(model.answer(asked)).rejects.toMatchObject({ code: "usage.invalid" });
    expect(server.seen).toEqual([]);
  });

  test.each(spoken)("T43: %s: the secret goes in its own header, and only when there is one", async (protocol) => {
    const { url, seen } = await service(protocol);
    const own = { openai: "authorization", anthropic: "x-api-key", google: "x-goog-api-key" }[protocol];
    // Keys of the environment are somebody else's.
    const names = ["ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENAI_API_KEY"];
    for (const name of names) process.env[name] = "from-the-environment";
    try {
      await (await sdkModel(access(protocol, url))).answer(hello);
      await (await sdkModel(access(protocol, url, { secret: null }))).answer(hello);
    } finally {
      for (const name of names) delete process.env[name];
    }
    expect(seen[0]?.headers[own]).toContain(secret);
    expect(seen[1]?.headers[own]).toBeUndefined();
    expect(JSON.stringify(seen)).not.toContain("from-the-environment");
    expect(JSON.stringify(seen.map(({ body, path }) => [body, path]))).not.toContain(secret);
  });

  test.each(["../../evil", "a/../../b", "x?key=1", "x#y", "a//b", ".", "a%2fb"])(
    "T43: Google's protocol has the model in the address: %j is refused",
    async (model) => {
      const { url, seen } = await service("google");
      const asked = sdkModel({ ...access("google", url), model });
      await expect(asked).rejects.toMatchObject({ code: "model.refused" });
      expect(seen).toEqual([]);
    },
  );

  test("T41: a service that promises ever more is not asked without end", async () => {
    const more = {
      candidates: [{ content: { parts: [{ text: "a" }] }, finishReason: "CONTINUATION", continuationToken: "t" }],
    };
    const { url, seen } = await service("google", more);
    const model = await sdkModel(access("google", url));
    await expect(model.answer(hello)).rejects.toMatchObject({ code: "upstream.invalid" });
    expect(seen).toHaveLength(8);
  });
});

describe("CO-9: embeddings", () => {
  const texts = Array.from({ length: 150 }, (_, index) => `text ${index}`);
  const vector = (text: unknown) => [Number(String(text).slice(5)), 1];

  test("CO-9: OpenAI's protocol gets the texts as they are", async () => {
    const { url, seen } = await startService(({ body }, response) =>
      sendJson(response, { data: (body["input"] as string[]).map((text) => ({ embedding: vector(text) })) }),
    ).then(open);
    const embedder = await sdkEmbedder(access("openai", url));
    expect(await embedder.embed(texts)).toEqual(texts.map(vector));
    expect(seen).toMatchObject([{ path: "/v1/embeddings", body: { input: texts, model: "model-1" } }]);
    expect(await embedder.embed([])).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  test("CO-9: Google's takes a hundred at once, and all are in order", async () => {
    const { url, seen } = await startService(({ body }, response) => {
      const requests = body["requests"] as { content: { parts: { text: string }[] } }[];
      sendJson(response, { embeddings: requests.map(({ content }) => ({ values: vector(content.parts[0]?.text) })) });
    }).then(open);
    expect(await (await sdkEmbedder(access("google", url))).embed(texts)).toEqual(texts.map(vector));
    expect(seen).toHaveLength(2);
  });

  test("CO-9: fewer vectors than texts are refused, and it is not tried for ever", async () => {
    const { url, seen } = await service("openai", { data: [] });
    const embedder = await sdkEmbedder(access("openai", url));
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "upstream.invalid" });
    expect(seen).toHaveLength(1);
  });

  test("CO-9: Anthropic has none", async () => {
    await expect(sdkEmbedder(access("anthropic", "http://127.0.0.1:1"))).rejects.toMatchObject({
      code: "usage.invalid",
    });
  });
});
