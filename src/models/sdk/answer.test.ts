import { afterEach, describe, expect, test } from "vitest";
import { handTimer, pairsOf, until } from "../../../test/support/loopback.ts";
import { access, hello, secret, spoken } from "../../../test/support/sdk-services.ts";
import { AppError } from "../../core/error.ts";
import type { ModelAnswer, ModelRequest, ToolSpec } from "../../core/model.ts";
import type { Transport } from "../../core/transport.ts";
import { providerLimits } from "../../net/limits.ts";
import { providerPolicy } from "../../net/policy.ts";
import { createTransport } from "../../net/transport.ts";
import type { Upstream, UpstreamScript } from "../../testing/upstream/script.ts";
import { startUpstream } from "../../testing/upstream/upstream.ts";
import { sdkModel } from "./sdk.ts";

type Spoken = (typeof spoken)[number];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function upstreamWith(...scripts: UpstreamScript[]): Promise<Upstream> {
  const upstream = await startUpstream();
  closing.push(() => upstream.close());
  for (const script of scripts) upstream.next(script);
  return upstream;
}

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const usage = { input_tokens: 3, output_tokens: 2 };

/** A stream in each protocol: how it opens, says something, calls something and ends. */
const streams: Readonly<
  Record<
    Spoken,
    {
      readonly open: string;
      readonly end: string;
      readonly say: (text: string) => string;
      readonly call: (input: readonly string[]) => string;
    }
  >
> = {
  openai: {
    open: event({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] }),
    say: (content) => event({ choices: [{ index: 0, delta: { content } }] }),
    call: ([first = "", ...rest]) => {
      const called = (one: object) => event({ choices: [{ index: 0, delta: { tool_calls: [one] } }] });
      const opening = called({ index: 0, id: "c", type: "function", function: { name: "weather", arguments: first } });
      return opening + rest.map((part) => called({ index: 0, function: { arguments: part } })).join("");
    },
    end:
      event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
      event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }) +
      "data: [DONE]\n\n",
  },
  anthropic: {
    open:
      event({ type: "message_start", message: { id: "m", type: "message", model: "x", content: [], usage } }) +
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    say: (text) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    call: (input) => {
      const deltas = input.map((part) => ({ type: "input_json_delta", partial_json: part }));
      const block = { type: "tool_use", id: "c", name: "weather", input: {} };
      return [
        { type: "content_block_stop", index: 0 },
        { type: "content_block_start", index: 1, content_block: block },
        ...deltas.map((delta) => ({ type: "content_block_delta", index: 1, delta })),
        { type: "content_block_stop", index: 1 },
      ]
        .map(event)
        .join("");
    },
    end:
      event({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage }) +
      event({ type: "message_stop" }),
  },
  google: {
    open: "",
    say: (text) => event({ candidates: [{ content: { role: "model", parts: [{ text }] } }] }),
    call: (input) => {
      const functionCall = { id: "c", name: "weather", args: JSON.parse(input.join("")) as unknown };
      return event({ candidates: [{ content: { role: "model", parts: [{ functionCall }] } }] });
    },
    end: event({
      candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    }),
  },
};

function streamOf(protocol: Spoken, texts: readonly string[], between = ""): string {
  const { open, say, end } = streams[protocol];
  return open + texts.map(say).join("") + between + end;
}

interface Outcome {
  readonly told: string[];
  readonly answer: ModelAnswer | undefined;
  readonly error: unknown;
}

async function ask(
  protocol: Spoken,
  upstream: Upstream,
  more: Partial<ModelRequest> = {},
  transport = wayTo(upstream),
): Promise<Outcome> {
  const told: string[] = [];
  const model = await sdkModel(access(protocol, upstream.url, { transport }));
  const asked = { ...hello, onText: (text: string) => void told.push(text), ...more };
  const [answer, error] = await model.answer(asked).then(
    (value) => [value, undefined] as const,
    (why: unknown) => [undefined, why] as const,
  );
  return { told, answer, error };
}

/** The way out as it is in use, to the one service. */
function wayTo({ url }: Upstream, limits = providerLimits): Transport {
  const privatePairs = pairsOf({ [new URL(url).host]: "127.0.0.1/32" });
  const policy = providerPolicy(privatePairs);
  const transport = createTransport({ policy, privatePairs, limits, timer: handTimer() });
  closing.push(() => transport.close());
  return transport;
}

const tools: readonly ToolSpec[] = [{ name: "weather", description: "", inputSchema: { type: "object" } }];

describe("AG-8: an answer that is told as it comes", () => {
  test.each(["openai", "anthropic"] as const)("AG-8: %s: it is the answer that comes at once", async (protocol) => {
    const script = { text: "Let me look at it.", toolCall: { name: "weather", input: { city: "Zürich" } } };
    const upstream = await upstreamWith(script, script);
    const { told, answer } = await ask(protocol, upstream, { tools });
    const { answer: atOnce } = await ask(protocol, upstream, { tools, onText: undefined });
    expect(told).toEqual(["Let ", "me ", "look ", "at ", "it."]);
    expect(answer).toMatchObject({
      text: "Let me look at it.",
      calls: [{ tool: "weather", input: '{"city":"Zürich"}' }],
      finish: "stop",
      tokens: { input: expect.any(Number), output: atOnce?.tokens.output },
    });
    expect({ ...atOnce, calls: atOnce?.calls?.length, tokens: 0 }).toEqual({ ...answer, calls: 1, tokens: 0 });
    expect(upstream.requests.map((request) => request.header("accept"))).toEqual([
      "text/event-stream",
      "application/json",
    ]);
    expect(upstream.requests.map(({ text }) => text.includes('"stream":true'))).toEqual([true, false]);
  });

  test.each(spoken)("AG-8: %s: text, a call and the tokens arrive", async (protocol) => {
    const call = streams[protocol].call(['{"city":', '"Bern"}']);
    const upstream = await upstreamWith({ chunks: [streamOf(protocol, ["It ", "rai", "ns."], call)] });
    const { told, answer } = await ask(protocol, upstream, { tools });
    expect(told).toEqual(["It ", "rai", "ns."]);
    expect(answer).toEqual({
      text: "It rains.",
      calls: [{ id: "c", tool: "weather", input: '{"city":"Bern"}' }],
      finish: "stop",
      tokens: { input: 3, output: 2 },
    });
  });

  test.each(spoken)("AG-8: %s: each piece is told when it comes, not at the end", async (protocol) => {
    const { open, say, end } = streams[protocol];
    const upstream = await upstreamWith({ chunks: [open + say("one"), say("two"), end] });
    const told: string[] = [];
    const model = await sdkModel(access(protocol, upstream.url, { transport: wayTo(upstream) }));
    const asked = model.answer({ ...hello, onText: (text) => void told.push(text) });
    await until(() => told.length === 1);
    await upstream.step();
    await until(() => told.length === 2);
    await upstream.step();
    expect([(await asked).text, told]).toEqual(["onetwo", ["one", "two"]]);
  });

  test.each(["openai", "anthropic"] as const)(
    "T33: %s: an input that is no JSON stays as it came",
    async (protocol) => {
      const call = streams[protocol].call(["{no ", "JSON"]);
      const upstream = await upstreamWith({ chunks: [streamOf(protocol, [], call)] });
      const { told, answer } = await ask(protocol, upstream, { tools });
      expect([told, answer?.calls]).toEqual([[], [{ id: "c", tool: "weather", input: "{no JSON" }]]);
    },
  );

  test.each<() => unknown>([
    () => {
      throw new Error("the terminal is gone");
    },
    async () => Promise.reject(new Error("later")),
  ])("AG-8: who listens cannot break the answer (%#)", async (onText) => {
    const upstream = await upstreamWith({ text: "It rains." });
    const { answer } = await ask("openai", upstream, { onText });
    expect(answer?.text).toBe("It rains.");
  });

  test("AG-8: what was finished is whole, whatever becomes of the connection", async () => {
    const upstream = await upstreamWith({ chunks: [streamOf("anthropic", ["It rains."])], resetAfter: 1 });
    const { told, answer } = await ask("anthropic", upstream);
    expect([told, answer?.text]).toEqual([["It rains."], "It rains."]);
  });
});

describe("AG-8: a stream that fails", () => {
  test.each(
    spoken.flatMap((protocol) => [
      [protocol, 401, "upstream.refused", "set the provider's secret anew"] as const,
      [protocol, 429, "upstream.invalid", "(retry-after: 7)"] as const,
      [protocol, 500, "upstream.invalid", "answered 500"] as const,
    ]),
  )("CO-16: %s answers %i: %s", async (protocol, status, code, message) => {
    const body = JSON.stringify({
      error: { type: "x", status: "x", code: 1, message: `bad ${secret}` },
      type: "error",
    });
    const upstream = await upstreamWith({ status, body, headers: { "retry-after": "7" } });
    const { told, error } = await ask(protocol, upstream);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String(error)).not.toContain(secret);
    expect([told, upstream.requests.length]).toEqual([[], 1]);
  });

  test.each(spoken)("AG-8: %s: a reset in the middle fails after what was told", async (protocol) => {
    const { open, say } = streams[protocol];
    const upstream = await upstreamWith({ chunks: [open + say("It rai")], resetAfter: 1 });
    const { told, error } = await ask(protocol, upstream);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "upstream.unreachable" });
    expect(told).toEqual(["It rai"]);
  });

  test.each(spoken)("AG-8: %s: an end in the middle is no answer, nor is what is no stream", async (protocol) => {
    const { open, say } = streams[protocol];
    const whole = { body: JSON.stringify({ choices: [{ message: { content: "hi" } }] }) };
    const upstream = await upstreamWith({ chunks: [open + say("It rai")] }, whole, { body: "<html>busy</html>" });
    const { told, error } = await ask(protocol, upstream);
    expect([told, error]).toEqual([["It rai"], expect.objectContaining({ code: "upstream.invalid" })]);
    for (const _ of [1, 2])
      expect(await ask(protocol, upstream)).toMatchObject({ told: [], error: { code: "upstream.invalid" } });
  });

  const escaped = `\\u0073${secret.slice(1)}`;
  test.each(
    spoken.flatMap((protocol) => [
      [protocol, `data: {"broken ${secret} ${escaped}\n\n`] as const,
      [protocol, `data: {"type":"odd","candidates":"${escaped}","choices":3}\n\n`] as const,
    ]),
  )("CO-16: %s: an event that cannot be read fails, and nobody learns what was in it (%#)", async (protocol, odd) => {
    const { open, say } = streams[protocol];
    const goingOn = [odd, open + say("It rai") + odd].map((chunk) => ({ chunks: [chunk, "never sent"] }));
    const upstream = await upstreamWith(...goingOn);
    const first = await ask(protocol, upstream);
    const later = await ask(protocol, upstream);
    expect([first.told, later.told]).toEqual([[], ["It rai"]]);
    for (const { error } of [first, later]) {
      expect(error).toMatchObject({
        code: "upstream.invalid",
        message: expect.stringContaining("form of its protocol"),
      });
      expect(String(error)).not.toContain(secret.slice(1));
    }
    await Promise.all([upstream.gone(1), upstream.gone(2)]);
  });

  test.each([
    ["openai", { error: { message: `busy: ${secret}`, name: "AI_InvalidPromptError", statusCode: 401 } }],
    ["anthropic", { type: "error", error: { type: "overloaded_error", message: `busy: ${secret}`, statusCode: 401 } }],
    ["google", { error: { code: 503, status: "UNAVAILABLE", message: `busy: ${secret}` } }],
  ] as const)("CO-16: %s: a failure that is told in the stream is the service's", async (protocol, failure) => {
    const { open, say } = streams[protocol];
    const upstream = await upstreamWith({ chunks: [open + say("It rai") + event(failure), "never sent"] });
    const { told, error } = await ask(protocol, upstream);
    expect(told).toEqual(["It rai"]);
    expect(error).toMatchObject({ code: "upstream.invalid", message: expect.stringContaining("busy: (secret)") });
    await upstream.gone(1);
  });

  test.each(spoken)("AG-8: %s: one who gives up gets their own reason, and the service sees it", async (protocol) => {
    const { open, say } = streams[protocol];
    const upstream = await upstreamWith({ chunks: [open + say("It rai"), "never sent"] });
    const giving = new AbortController();
    const onText = (): void => giving.abort(new Error("enough"));
    const { error } = await ask(protocol, upstream, { onText, signal: giving.signal });
    expect(error).toMatchObject({ message: "enough" });
    await upstream.gone(1);
  });

  test("T41: a body without end ends at the bound of the way out", async () => {
    const { open, say } = streams.openai;
    const upstream = await upstreamWith({ chunks: [open + say("x".repeat(40_000)), "never sent"] });
    const { told, error } = await ask("openai", upstream, {}, wayTo(upstream, { ...providerLimits, body: 20_000 }));
    expect([told, error]).toEqual([[], expect.objectContaining({ code: "upstream.invalid" })]);
    await upstream.gone(1);
  });
});

describe("T26: a service that wants ever more called", () => {
  test("T26: is stopped before it costs the square of what it sent", async () => {
    const { open, call } = streams.openai;
    const upstream = await upstreamWith({ chunks: [open + call(["{}"]).repeat(2100), "never sent"] });
    const { error } = await ask("openai", upstream, { tools });
    expect(error).toMatchObject({ code: "upstream.invalid", message: expect.stringContaining("2048 calls") });
    await upstream.gone(1);
  });
});

describe("CO-16: a service that sends the secret back in a stream", () => {
  const cut = ["you sent ", secret.slice(0, 5), secret.slice(5, 20), `${secret.slice(20)}, and `, "sk"];

  test.each(spoken)("CO-16: %s: it is in no piece, nor in the pieces together", async (protocol) => {
    const upstream = await upstreamWith({ chunks: [streamOf(protocol, cut)] });
    const { told, answer } = await ask(protocol, upstream);
    expect(told).toEqual(["you sent ", "(secret), and ", "sk"]);
    expect(answer?.text).toBe("you sent (secret), and sk");
  });

  test.each(spoken)("CO-16: %s: nor in what a tool is given", async (protocol) => {
    const call = streams[protocol].call([`{"key":"${secret.slice(0, 9)}`, `${secret.slice(9)}"}`]);
    const upstream = await upstreamWith({ chunks: [streamOf(protocol, [], call)] });
    const { answer } = await ask(protocol, upstream, { tools });
    expect(answer?.calls?.map(({ input }) => input)).toEqual(['{"key":"(secret)"}']);
  });

  test("CO-16: nor is what waited told when the stream fails", async () => {
    const { open, say } = streams.openai;
    const upstream = await upstreamWith({ chunks: [open + say(`you sent ${secret.slice(0, -1)}`)], resetAfter: 1 });
    const { told, error } = await ask("openai", upstream);
    expect([told, error]).toEqual([["you sent "], expect.any(AppError)]);
  });
});
