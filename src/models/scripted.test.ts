import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import type { Message, ModelRequest } from "../core/model.ts";
import { answeringTransport } from "./echo-transport.ts";
import { replyOf, type ScriptedRequest, scriptedModel } from "./scripted.ts";
import { parseScript, type Rule } from "./scripted-rules.ts";

const script = parseScript(
  JSON.stringify([
    { reply: "first" },
    { when: "weather", reply: "rain" },
    { when: "wea", reply: "short" },
    { reply: "last" },
  ]),
).script;

const say = async (...texts: string[]) => {
  const messages = texts.map((content, index): Message => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
  return (await scriptedModel(script).answer({ messages, parameters: {} })).text;
};

describe("CO-18: a scripted model", () => {
  test("CO-18: the first rule that fits the last user message answers, otherwise the last without when", async () => {
    expect(await say("the weather?")).toBe("rain");
    expect(await say("wear")).toBe("short");
    expect(await say("else")).toBe("last");
    expect(await say("the weather?", "weather", "else")).toBe("last");
    expect(await say("else", "weather")).toBe("last");
  });

  test("CO-18: parts count as text", async () => {
    const content = [
      { type: "image", url: "https://a.example" },
      { type: "text", text: "weather" },
    ] as const;
    const { text } = await scriptedModel(script).answer({ messages: [{ role: "user", content }], parameters: {} });
    expect(text).toBe("rain");
  });

  test("CO-18: what no rule is for is refused", async () => {
    const model = scriptedModel({ rules: [{ when: "x", reply: "y" }] });
    const asked = { messages: [{ role: "user", content: "z" }], parameters: {} } as const;
    await expect(model.answer(asked)).rejects.toMatchObject({ code: "upstream.invalid" });
  });

  test("CO-18: under a configuration the parameter reply answers, in both protocols", async () => {
    expect(replyOf({ reply: "$& always" })).toBe("$& always");
    expect(() => replyOf({})).toThrow(expect.objectContaining({ code: "usage.invalid" }));
    const body = Buffer.from(JSON.stringify({ messages: [{ role: "user", content: "hello" }] }));
    for (const path of ["chat/completions", "messages"]) {
      const request = { method: "POST", url: `https://scripted.invalid/v1/${path}`, headers: {}, body } as const;
      expect(await readText((await answeringTransport(() => "$& always").send(request)).body)).toContain('"$& always"');
    }
  });
});

describe("AG-8: a scripted model that calls tools", () => {
  const looping = parseScript(
    JSON.stringify([
      { when: "tidy", reply: "I look.", calls: [{ tool: "list", input: { path: "." } }, { tool: "read" }] },
      { when: "notes.txt", calls: [{ tool: "Bash(git:*)", input: "{no JSON" }] },
      { when: "tidy", reply: "never" },
      { when: "denied", turn: 3, reply: "done" },
      { reply: "else" },
    ]),
  );
  const user = (content: string): Message => ({ role: "user", content });
  const result = (content: string): Message => ({ role: "tool", id: "i", tool: "t", content, isError: false });
  const answer = (messages: readonly Message[], tools: ModelRequest["tools"] = []) =>
    scriptedModel(looping.script).answer({ messages, parameters: {}, tools });

  test("AG-8: a script drives a loop by what its calls come to", async () => {
    expect(looping.findings).toEqual([]);
    const first = await answer([user("tidy up")]);
    expect(first).toMatchObject({
      text: "I look.",
      calls: [
        { id: "call_1_1", tool: "list", input: '{"path":"."}' },
        { id: "call_1_2", tool: "read", input: "{}" },
      ],
      finish: "stop",
    });
    const called: Message = { role: "assistant", content: first.text, calls: first.calls ?? [] };
    // Every result of a turn counts, and nothing that was heard before.
    const second = [user("tidy up"), called, result("notes.txt"), result("nothing")];
    expect(await answer(second)).toMatchObject({
      text: "",
      calls: [{ id: "call_2_1", tool: "Bash(git:*)", input: "{no JSON" }],
    });
    const third = [...second, { role: "assistant", content: "" } as const, result("denied")];
    expect(await answer(third)).toMatchObject({ text: "done" });
    expect((await answer(third)).calls).toBeUndefined();
    expect(await answer([...third, user("and now?")])).toMatchObject({ text: "else" });
  });

  test("AG-8: which answer it is can be all that a rule asks for", async () => {
    const turns = scriptedModel({
      rules: [
        { turn: 2, reply: "two" },
        { turn: 1, calls: [{ tool: "a" }] },
      ],
    });
    const asked = { messages: [user("x")], parameters: {}, tools: [] };
    const { calls = [] } = await turns.answer(asked);
    expect(calls).toHaveLength(1);
    const messages = [...asked.messages, { role: "assistant", content: "", calls } as const, result("x")];
    expect(await turns.answer({ ...asked, messages })).toMatchObject({ text: "two" });
    const more = [...messages, { role: "assistant", content: "two" } as const];
    await expect(turns.answer({ ...asked, messages: more })).rejects.toMatchObject({ code: "upstream.invalid" });
  });

  test("AG-8: without tools it calls none", async () => {
    const messages = [user("tidy up")];
    const said = await scriptedModel(looping.script).answer({ messages, parameters: {} });
    expect([said.text, said.calls]).toEqual(["I look.", undefined]);
  });
});

describe("AG-8: a scripted model that fails", () => {
  async function failed(rule: Rule) {
    const told: string[] = [];
    const request = { messages: [], parameters: {}, onText: (text: string) => void told.push(text) };
    const error = await scriptedModel({ rules: [rule] })
      .answer(request)
      .catch((why: unknown) => why);
    expect(error).toBeInstanceOf(AppError);
    return { told: told.join(""), error };
  }

  test.each([
    [{ status: 401 }, "upstream.refused", "answered 401: it does not accept the secret"],
    [{ status: 403, message: "x" }, "upstream.refused", "answered 403: it does not accept the secret"],
    [{ status: 429, message: "slow\u202e down" }, "upstream.invalid", "answered 429: slow\\u{202e} down"],
    [{ status: 500 }, "upstream.invalid", "answered 500: it gave no reason"],
    [{}, "upstream.unreachable", "the connection was reset"],
    [{ message: "gone\n" }, "upstream.unreachable", "gone"],
  ] as const)("AG-8: %j is %s", async (fail, code, message) => {
    const { told, error } = await failed({ reply: "never", fail });
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(told).toBe("");
  });

  test.each([
    [0, ""],
    [2, "a😀"],
    [1000, `a😀${"b".repeat(200)}`],
  ])("AG-8: after %i characters", async (after, expected) => {
    const { told } = await failed({ reply: `a😀${"b".repeat(200)}`, fail: { after } });
    expect(told).toBe(expected);
  });
});

describe("AG-8: what a script sees of the prompt", () => {
  const prompt: readonly Message[] = [
    { role: "system", content: "You help." },
    { role: "system", content: [{ type: "text", text: "## Available Skills\n- tidy" }] },
    { role: "user", content: "- deploy" },
  ];
  const ask = (rules: readonly Rule[], messages = prompt) =>
    scriptedModel({ rules }).answer({ messages, parameters: {} });

  test("AG-8: `system` is looked for in the system messages and nowhere else", async () => {
    const rules = [
      { system: "- deploy", reply: "no" },
      { system: "- tidy", when: "tidy", reply: "no" },
      { system: "- tidy", reply: "yes" },
      { reply: "else" },
    ];
    expect((await ask(rules)).text).toBe("yes");
    expect((await ask(rules, prompt.slice(2))).text).toBe("else");
    await expect(ask(rules.slice(0, 3), prompt.slice(2))).rejects.toMatchObject({ code: "upstream.invalid" });
  });

  test("AG-8: every request is told as it came, and stays so", async () => {
    const seen: ScriptedRequest[] = [];
    const model = scriptedModel({ rules: [{ reply: "ok" }] }, { onRequest: (request) => void seen.push(request) });
    const tools = [{ name: "list", description: "Lists.", inputSchema: { type: "object" } }];
    const messages = [...prompt];
    const request = { messages, parameters: { temperature: 1 }, tools };
    await model.answer(request);
    messages.pop();
    tools[0] = { name: "other", description: "", inputSchema: { type: "array" } };
    await model.answer({ messages, parameters: {} });
    const listing = { name: "list", description: "Lists.", inputSchema: { type: "object" } };
    expect(seen).toEqual([
      { messages: prompt, parameters: { temperature: 1 }, tools: [listing] },
      { messages: prompt.slice(0, 2), parameters: {}, tools: undefined },
    ]);
    expect(() => Object.assign(seen[0]?.tools?.[0]?.inputSchema ?? {}, { type: "x" })).toThrow(TypeError);
    expect(() => Object.assign(seen[0]?.messages ?? [], { 0: prompt[2] })).toThrow(TypeError);
  });
});

describe("CO-18: a script", () => {
  test("AG-8: what a rule can have is read as it was written", () => {
    const rules = [
      { when: "a", turn: 2, system: "b", reply: "c", calls: [{ tool: "d", input: [1] }] },
      { reply: "c", fail: { status: 429, message: "slow", after: 0 } },
      { fail: {} },
    ];
    expect(parseScript(JSON.stringify(rules))).toEqual({ script: { rules }, findings: [] });
  });

  test.each([
    ["{", "is not JSON"],
    ['{"reply":"a"}', "is not a list"],
    ['[{"when":"a"}]', "rule 1 has no text as `reply`"],
    ['[{"reply":"a"},{"reply":"a","when":1}]', "rule 2 has something else"],
    ['[{"reply":"a","whenn\\u202e":"b"}]', 'unknown field "whenn\\u{202e}"'],
    ['[{"turn":1}]', "rule 1 has no text as `reply` and no `calls`"],
    ['[{"reply":1,"calls":[{"tool":"a"}]}]', "something else than text as `reply`"],
    ['[{"reply":"a","turn":0}]', "something else than a number from 1 as `turn`"],
    ['[{"reply":"a","turn":"1"}]', "something else than a number from 1 as `turn`"],
    ['[{"calls":[]}]', "needs a list of 1 to 128 calls"],
    ['[{"calls":{"tool":"a"}}]', "needs a list of 1 to 128 calls"],
    [`[{"calls":${JSON.stringify(Array.from({ length: 129 }, () => ({ tool: "a" })))}}]`, "needs a list of 1 to 128"],
    ['[{"calls":[{"tool":"a"},{"input":{}}]}]', "a call that is not { tool, input }"],
    ['[{"calls":[{"tool":"a","inputs":{}}]}]', "a call that is not { tool, input }"],
    [`[{"calls":[{"tool":"${"a".repeat(257)}"}]}]`, "at most 256 characters"],
    ['[{"reply":"a","system":["b"]}]', "something else than text as `system`"],
    ['[{"fail":true}]', "a `fail` that is not { status, message, after }"],
    ['[{"fail":[]}]', "a `fail` that is not { status, message, after }"],
    ['[{"fail":{"code":1}}]', "a `fail` that is not { status, message, after }"],
    ['[{"fail":{"status":200}}]', "a number from 400 to 599 as `fail.status`"],
    ['[{"fail":{"status":"429"}}]', "a number from 400 to 599 as `fail.status`"],
    ['[{"fail":{"message":1}}]', "something else than text as `fail.message`"],
    ['[{"fail":{"after":-1}}]', "a number from 0 as `fail.after`"],
    ['[{"calls":[{"tool":"a"}],"fail":{}}]', "`calls` beside `fail`"],
    ["[3]", "rule 1 has no text"],
    ['[{"__proto__":{"reply":"a"}}]', "unknown field"],
    [`"${"a".repeat(1024 * 1024)}"`, "is longer than"],
    [JSON.stringify(Array.from({ length: 1001 }, () => ({ reply: "a" }))), "only the first 1000"],
  ])("CO-18: %# has a finding", (text, message) => {
    const { findings } = parseScript(text);
    expect(findings).toEqual([expect.objectContaining({ code: "script.invalid" })]);
    expect(findings[0]?.message).toContain(message);
  });

  test("CO-18: parsing never throws, and what is a rule stays", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseScript(text)),
      { numRuns: 200 },
    );
    expect(parseScript('[3,{"reply":"a"}]').script).toEqual({ rules: [{ reply: "a" }] });
  });
});
