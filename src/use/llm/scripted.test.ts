import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../base/model.ts";
import { replyOf, scriptedModel, scriptedTransport } from "./scripted.ts";
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

describe("CO-18: a script", () => {
  test.each([
    ["{", "is not JSON"],
    ['{"reply":"a"}', "is not a list"],
    ['[{"when":"a"}]', "rule 1 has no text as `reply`"],
    ['[{"reply":"a"},{"reply":"a","when":1}]', "rule 2 has something else"],
    ['[{"reply":"a","whenn\\u202e":"b"}]', 'unknown field "whenn\\u{202e}"'],
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
