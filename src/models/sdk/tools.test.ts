import { afterEach, describe, expect, test } from "vitest";
import { loopbackTransport, sendJson, startService } from "../../../test/support/model-loopback.ts";
import { access, hello, open, secret, service, spoken } from "../../../test/support/sdk-services.ts";
import {
  longestCallInput,
  type Message,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type ToolSpec,
} from "../../core/model.ts";
import { startUpstream } from "../../testing/upstream/upstream.ts";
import { sdkModel } from "./sdk.ts";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools: readonly ToolSpec[] = [{ name: "weather", description: "What it is like.", inputSchema: schema }];
const question: Message = { role: "user", content: "Rain?" };
const given = { city: 'Zürich "north"' };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function upstreamOf() {
  const upstream = await startUpstream({ secret });
  closing.push(() => upstream.close());
  return upstream;
}

const bodies = (requests: readonly { readonly text: string }[]) =>
  requests.map(({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>);

/** Asks, and asks again with what became of every call. */
async function twoTurns(model: Model, result: string, isError = false): Promise<[ModelAnswer, ModelAnswer]> {
  const first = await model.answer({ messages: [question], parameters: {}, tools });
  const calls = first.calls ?? [];
  const results = calls.map(({ id, tool }): Message => ({ role: "tool", id, tool, content: result, isError }));
  const messages = [question, { role: "assistant", content: first.text, calls } as const, ...results];
  return [first, await model.answer({ messages, parameters: {}, tools })];
}

describe("AG-8: a model that calls tools", () => {
  test("SC-7: OpenAI's protocol carries the tools, the call and its result in its own form", async () => {
    const upstream = await upstreamOf();
    upstream.next({ text: "I look.", toolCall: { name: "weather", input: given } });
    upstream.next({ text: "It rains." });
    const [first, second] = await twoTurns(await sdkModel(access("openai", upstream.url)), "wet");
    const call = { id: "call_1", tool: "weather", input: JSON.stringify(given) };
    expect(first).toMatchObject({ text: "I look.", calls: [call], finish: "stop" });
    expect(second).toMatchObject({ text: "It rains.", finish: "stop" });
    expect(second.calls).toBeUndefined();
    const [asked, again] = bodies(upstream.requests);
    const declared = { name: "weather", description: "What it is like.", parameters: schema };
    expect(asked?.["tools"]).toEqual([{ type: "function", function: declared }]);
    const called = { id: "call_1", type: "function", function: { name: "weather", arguments: call.input } };
    expect(again?.["tools"]).toEqual(asked?.["tools"]);
    expect(again?.["messages"]).toEqual([
      question,
      { role: "assistant", content: "I look.", tool_calls: [called] },
      { role: "tool", tool_call_id: "call_1", content: "wet" },
    ]);
  });

  test.each([
    [false, "wet", "wet"],
    [true, "no such city", "no such city"],
    [true, "", "the call failed"],
  ])("SC-7: the same in Anthropic's, an error as an error: %s %j", async (isError, result, content) => {
    const upstream = await upstreamOf();
    upstream.next({ toolCall: { name: "weather", input: given } });
    upstream.next({ text: "It rains." });
    const [first, second] = await twoTurns(await sdkModel(access("anthropic", upstream.url)), result, isError);
    const call = { id: "toolu_1", tool: "weather", input: JSON.stringify(given) };
    expect(first).toMatchObject({ text: "", calls: [call], finish: "stop" });
    expect(second).toMatchObject({ text: "It rains.", finish: "stop" });
    const [asked, again] = bodies(upstream.requests);
    expect(asked?.["tools"]).toEqual([{ name: "weather", description: "What it is like.", input_schema: schema }]);
    const shown = { type: "tool_result", tool_use_id: "toolu_1", content, ...(isError ? { is_error: true } : {}) };
    expect(again?.["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "Rain?" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: given }] },
      { role: "user", content: [shown] },
    ]);
  });

  test("SC-7: the same in Google's, and what its model wants back with a call comes back", async () => {
    const functionCall = { name: "weather", args: given, id: "g1" };
    const parts = [{ functionCall, thoughtSignature: "c2lnbmVk" }, { functionCall: { name: "weather", id: "g2" } }];
    const { url, seen } = await startService((_, response) => {
      const said = seen.length === 1 ? parts : [{ text: "It rains." }];
      sendJson(response, { candidates: [{ content: { role: "model", parts: said }, finishReason: "STOP" }] });
    }).then(open);
    const [first, second] = await twoTurns(await sdkModel(access("google", url)), "wet");
    expect(first).toMatchObject({
      calls: [
        { id: "g1", tool: "weather", input: JSON.stringify(given), signature: "c2lnbmVk" },
        { id: "g2", tool: "weather", input: "{}" },
      ],
      finish: "stop",
    });
    expect(second.text).toBe("It rains.");
    const { contents, tools: declared } = seen[1]?.body ?? {};
    expect(JSON.stringify(declared)).toContain('"functionDeclarations":[{"name":"weather"');
    expect(contents).toMatchObject([
      { role: "user", parts: [{ text: "Rain?" }] },
      {
        role: "model",
        parts: [
          { functionCall: { name: "weather", args: given }, thoughtSignature: "c2lnbmVk" },
          { functionCall: { name: "weather", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [1, 2].map(() => ({ functionResponse: { name: "weather", response: { content: "wet" } } })),
      },
    ]);
  });

  test("SC-7: OpenAI's protocol has a place for what Google's model wants back, too", async () => {
    const called = { id: "c", type: "function", function: { name: "weather", arguments: "{}" } };
    const signed = { ...called, extra_content: { google: { thought_signature: "c2lnbmVk" } } };
    const { url, seen } = await service("openai", answerWith([signed]));
    const [first] = await twoTurns(await sdkModel(access("openai", url)), "wet");
    expect(first.calls).toEqual([{ id: "c", tool: "weather", input: "{}", signature: "c2lnbmVk" }]);
    expect(JSON.stringify(seen[1]?.body)).toContain(JSON.stringify(signed.extra_content));
  });

  test("SC-7: results of one turn go to Anthropic in one message, in front of what the user adds", async () => {
    const { url, seen } = await service("anthropic");
    const calls = ["a", "b"].map((id) => ({ id, tool: "weather", input: "{}" }));
    const results = calls.map(({ id, tool }): Message => ({ role: "tool", id, tool, content: id, isError: false }));
    const assistant = { role: "assistant", content: "", calls } as const;
    const messages: readonly Message[] = [question, assistant, ...results, { role: "user", content: "Well?" }];
    await (await sdkModel(access("anthropic", url))).answer({ messages, parameters: {}, tools });
    const turns = seen[0]?.body["messages"] as { role: string; content: { type: string }[] }[];
    expect(turns.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ["user", ["text"]],
      ["assistant", ["tool_use", "tool_use"]],
      ["user", ["tool_result", "tool_result", "text"]],
    ]);
  });

  test.each(spoken)("CO-14: %s: no tools are sent where there are none", async (protocol) => {
    const { url, seen } = await service(protocol);
    const model = await sdkModel(access(protocol, url));
    await model.answer(hello);
    await model.answer({ ...hello, tools: [] });
    expect(seen.map(({ body }) => "tools" in body)).toEqual([false, false]);
  });
});

/** An answer in OpenAI's protocol. */
function answerWith(calls: readonly unknown[], finish = "tool_calls") {
  return { choices: [{ message: { content: null, tool_calls: calls }, finish_reason: finish }] };
}

const callOf = (name: string, input: string, id: unknown = "c") => ({
  id,
  type: "function",
  function: { name, arguments: input },
});

async function callsIn(answer: unknown, asked: ModelRequest = { ...hello, tools }) {
  const { url } = await service("openai", answer);
  return (await sdkModel(access("openai", url))).answer(asked);
}

describe("T33: whatever a model wants called", () => {
  test("SC-7: it is handed on as it came, also what is no tool, no JSON, no object", async () => {
    const names = ["rm -rf /", "", "weather\u202e", "*", "Bash(git:*)"];
    const inputs = ["{", "", "[1]", "null", '{"__proto__":{"a":1}}'];
    const wanted = names.map((name, at) => callOf(name, inputs[at] ?? "", `c${at}`));
    const { calls } = await callsIn(answerWith(wanted));
    expect(calls?.map(({ tool, input }) => [tool, input])).toEqual(names.map((name, at) => [name, inputs[at]]));
  });

  test("SC-7: a model that was given no tools calls none", async () => {
    const answer = await callsIn(answerWith([callOf("weather", "{}")]), hello);
    expect(answer).toMatchObject({ text: "", finish: "other" });
    expect(answer.calls).toBeUndefined();
  });

  test("T41: there are bounds for how many, how long, and how long they are called", async () => {
    const many = Array.from({ length: 3000 }, (_, at) => callOf("weather", "{}", `c${at}`));
    expect((await callsIn(answerWith(many))).calls).toHaveLength(2048);
    const long = callOf("n".repeat(1000), `"${"x".repeat(1024 * 1024)}"`, "i".repeat(100_000));
    const [call] = (await callsIn(answerWith([long]))).calls ?? [];
    expect([call?.tool.length, call?.input.length, call?.id.length]).toEqual([256, longestCallInput + 1, 64 * 1024]);
  });

  test("SC-7: an input that is too long stays so, also where its beginning would be one", async () => {
    const { calls } = await callsIn(answerWith([callOf("weather", `{}${" ".repeat(longestCallInput)}`)]));
    expect(calls?.[0]?.input.length).toBeGreaterThan(longestCallInput);
  });

  test("SC-7: more than a session takes are handed on, so that it can refuse them", async () => {
    const many = Array.from({ length: 1025 }, () => callOf("weather", "{}", ""));
    const { calls = [] } = await callsIn(answerWith(many));
    expect([calls.length, new Set(calls.map(({ id }) => id)).size]).toEqual([1025, 1025]);
  });

  test("SC-7: every call has an id of its own", async () => {
    const ids = ["", "same", "same", "call_1_4", "", "call_1_0", ""];
    const { calls = [] } = await callsIn(answerWith(ids.map((id) => callOf("weather", "{}", id))));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(ids.length);
    expect(calls.map(({ id }) => id)).not.toContain("");
    expect([calls[1]?.id, calls[3]?.id]).toEqual(["same", "call_1_4"]);
  });

  test("SC-7: what ended the answer is said also of one with calls", async () => {
    const { calls, finish } = await callsIn(answerWith([callOf("weather", '{"city":"Zü')], "length"));
    expect([calls?.[0]?.input, finish]).toEqual(['{"city":"Zü', "length"]);
  });

  test("SC-7: what the service runs by itself is not called here", async () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "web_search", input: { query: "rain" } },
      { type: "tool_use", id: "t", name: "weather", input: {} },
    ];
    const message = { type: "message", id: "m", model: "x", stop_reason: "tool_use", usage: usage(), content };
    const { url } = await service("anthropic", message);
    const { calls } = await (await sdkModel(access("anthropic", url))).answer({ ...hello, tools });
    expect(calls).toEqual([{ id: "t", tool: "weather", input: "{}" }]);
  });

  const escaped = `\\u0073${secret.slice(1)}`;
  test.each([
    [callOf("weather", JSON.stringify({ key: secret })), '{"key":"(secret)"}'],
    [callOf("weather", `{"a":"\\n","key":"${escaped}"}`), '{"a":"\\n","key":"(secret)"}'],
    [callOf("weather", '{"a" : "\\u0073"}'), '{"a" : "\\u0073"}'],
    [callOf("weather", `\\ ${secret}`), "\\ (secret)"],
    [callOf(`weather ${secret}`, "{}", `id ${secret}`), "{}"],
  ])("CO-16: a service that sends the secret back does not hand it to a tool (%#)", async (call, input) => {
    const answer = await callsIn(answerWith([call]));
    expect(answer.calls?.[0]?.input).toBe(input);
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  test("CO-16: nor one that JSON has to write in another way", async () => {
    const odd = 'sk-"quoted"\\0123456789';
    const content = [{ type: "tool_use", id: "t", name: "weather", input: { key: odd } }];
    const message = { type: "message", id: "m", model: "x", stop_reason: "tool_use", usage: usage(), content };
    const { url } = await service("anthropic", message);
    const model = await sdkModel({ ...access("anthropic", url, { transport: loopbackTransport() }), secret: odd });
    const { calls } = await model.answer({ ...hello, tools });
    expect(calls?.[0]?.input).toBe('{"key":"(secret)"}');
  });
});

function usage() {
  return { input_tokens: 1, output_tokens: 1 };
}
