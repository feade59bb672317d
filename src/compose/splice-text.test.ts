import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { type Insertion, type RequestShape, userText } from "./inject.ts";
import { readRequest, spliceRequest } from "./splice.ts";

describe("CO-13: the first and the last user message", () => {
  const last: Insertion = { block: "B", systemBlock: "", lastBlock: "L" };
  const spliceLast = (shape: RequestShape, text: string, insertion: Insertion) => {
    const body = Buffer.from(text);
    const result = spliceRequest(readRequest(shape, body, "last"), body, { insertion });
    return { ...result, text: Buffer.from(result.body).toString() };
  };

  test.each([
    [
      "openai-chat",
      '{"messages":[{"role":"user","content":"a"} , {"content":[ {"text":"b","type":"text"}],"role":"user"},{"role":"user","content":""}]}',
      '{"messages":[{"role":"user","content":"B\\n\\na"} , {"content":[{"type":"text","text":"L"}, {"text":"b","type":"text"}],"role":"user"},{"role":"user","content":""}]}',
    ],
    [
      "anthropic-messages",
      '{"messages":[{"role":"user","content":[{"type":"tool_result"} ,{"type":"text","text":"a"}]}]}',
      '{"messages":[{"role":"user","content":[{"type":"tool_result"},{"type":"text","text":"B"},{"type":"text","text":"L"} ,{"type":"text","text":"a"}]}]}',
    ],
    ["openai-responses", '{"input":"a"}', '{"input":"B\\n\\nL\\n\\na"}'],
    ["openai-completions", '{"prompt":["a"]}', '{"prompt":["B\\n\\nL\\n\\na"]}'],
  ] as const)("each gets its block, in one pass: %s", (shape, before, after) => {
    const result = spliceLast(shape, before, last);
    expect(result.text).toBe(after);
    expect(result.placed).toEqual({ user: true, system: false, last: true });
  });

  test("where nobody says anything, nothing is put in for the last, and it is said", () => {
    const result = spliceLast("openai-chat", '{"messages":[{"role":"user","content":[]}]}', last);
    expect(result.placed).toEqual({ user: true, system: false, last: false });
    expect(result.findings.map(({ code }) => code)).toEqual(["inject.no-place"]);
  });

  test("later turns are looked into only for the last one", () => {
    const body = Buffer.from('{"messages":[{"role":"user","content":"a"},{"role":"user","role":"x"}]}');
    expect(readRequest("openai-chat", body).said?.first.read(body)).toBe("a");
    expect(() => readRequest("openai-chat", body, "last")).toThrow(AppError);
  });

  test.each([
    ["plain", "a", "a"],
    ["in two bytes", "ü", "ü"],
    ["in four", "😀", "😀"],
    ["escaped", "\\u00fc", "ü"],
    ["escaped in two", "\\ud83d\\ude00", "😀"],
    ["a backslash", "\\\\", "\\"],
    ["a quote behind a backslash", '\\\\\\"', '\\"'],
  ])("T41: of a long message both ends are read, wherever they are cut: %s", (_, written, said) => {
    for (const shift of ["", "x", "xy", "xyz", "xyzu", "xyzuv"]) {
      const times = Math.ceil(500_000 / Buffer.byteLength(written));
      const body = Buffer.from(`{"messages":[{"role":"user","content":"${shift}${written.repeat(times)}${shift}"}]}`);
      const whole = `${shift}${said.repeat(times)}${shift}`;
      const ends = `${whole.slice(0, 32_768)}\n${whole.slice(-32_768)}`.toWellFormed();
      expect(readRequest("openai-chat", body).said?.first.read(body) === ends).toBe(true);
    }
  });

  test("CO-13: a question behind 72 KB that were pasted is read, by bytes and by values", () => {
    const question = "Which of these lines says why the backup failed?";
    const pasted = "2026-11-16 ok\n".repeat(5200);
    const part = (text: string) => ({ type: "text", text });
    for (const content of [pasted + question, [part(pasted), part(question)]]) {
      const request = { messages: [{ role: "user", content }] };
      const body = Buffer.from(JSON.stringify(request));
      const read = readRequest("openai-chat", body).said?.first.read(body) ?? "";
      expect([read.startsWith("2026-11-16 ok"), read.endsWith(question)]).toEqual([true, true]);
      expect(read === userText("openai-chat", request, "first")).toBe(true);
    }
  });

  test("T41: of a message with very many parts the first are read, by bytes and by values", () => {
    const part = (text: string) => ({ type: "text", text });
    const content = [...Array.from({ length: 9999 }, () => part("")), part("a"), part("b")];
    const request = { messages: [{ role: "user", content }] };
    const body = Buffer.from(JSON.stringify(request));
    expect(readRequest("openai-chat", body, "last").said?.last.read(body)).toBe(`${"\n".repeat(9999)}a`);
    expect(userText("openai-chat", request, "last")).toBe(`${"\n".repeat(9999)}a`);
  });

  test("T41: of a message with long parts the first and the last are read", () => {
    const text = (at: number) => String(at % 10).repeat(20_000);
    const parts = Array.from({ length: 40 }, (_, at) => `{"type":"text","text":"${text(at)}"}`);
    const body = Buffer.from(`{"messages":[{"role":"user","content":[${parts.join()}]}]}`);
    const ends = `${text(0)}\n${text(1).slice(0, 12_767)}\n${text(38).slice(0, 12_767)}\n${text(39)}`;
    expect(readRequest("openai-chat", body).said?.first.read(body) === ends).toBe(true);
  });

  test.each([
    ["text twice", '{"type":"text","text":"a","text":"b"}', "b"],
    ["text in another case", '{"type":"text","text":"a","Text":"b"}', "a"],
    ["text, and then none", '{"type":"text","text":"a","text":7}', ""],
    ["text, written in escapes", '{"t\\u0079pe":"t\\u0065xt","\\u0074ext":"\\u0061"}', "a"],
    ["a text within", '{"x":{"type":"text","text":"a"},"type":"text"}', ""],
    ["a text behind a list", '{"type":"text","x":[{"text":"c"},["text","]"]] , "text" : "a" }', "a"],
    ["another type behind", '{"type":"text","text":"a","type":"image"}', ""],
    ["no object", '["type","text","text","a"]', ""],
  ])("CO-9, CO-13: a part with %s is no reason to refuse: it says what a parser reads", (_, part, said) => {
    const json = `{"messages":[{"role":"user","content":[${part}]}]}`;
    const body = Buffer.from(json);
    for (const upTo of ["first", "last"] as const)
      expect(readRequest("openai-chat", body, upTo).said?.[upTo].read(body)).toBe(said);
    expect(userText("openai-chat", JSON.parse(json), "first")).toBe(said);
    const view = readRequest("openai-chat", body, "last");
    expect(view.places.last === undefined).toBe(said === "");
    expect(spliceRequest(view, body, {}).body).toBe(body);
  });

  test("CO-9: also where the first parts are looked into for what has to stay in front", () => {
    const said = '{"type":"text","text":"a","text":"b","Text":"c"}';
    const body = Buffer.from(`{"messages":[{"role":"user","content":[${said},{"type":"x","type":"y"}]}]}`);
    for (const upTo of ["first", "last"] as const)
      expect(readRequest("anthropic-messages", body, upTo).said?.[upTo].read(body)).toBe("b");
  });
});
