import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message, ModelRequest } from "../../base/model.ts";
import { replyOf, scriptedModel } from "./scripted.ts";
import { scriptedTransport } from "./scripted-transport.ts";
import { parseScript } from "./scripted-rules.ts";

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
      expect(await readText((await scriptedTransport("$& always").send(request)).body)).toContain('"$& always"');
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

describe("CO-18: a script", () => {
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
