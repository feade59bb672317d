import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { injectMessages, injectPrompt, injectRequest, type Insertion, type RequestShape, userText } from "./inject.ts";

const user: Insertion = { block: "BLOCK", systemBlock: "" };
const system: Insertion = { block: "", systemBlock: "SYSTEM" };
const both: Insertion = { block: "BLOCK", systemBlock: "SYSTEM" };
const nothing: Insertion = { block: "", systemBlock: "" };
const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };

function inject(shape: RequestShape, request: object, insertion: Insertion) {
  const before = structuredClone(request);
  const { request: after, findings } = injectRequest(shape, request, insertion);
  expect(request).toEqual(before);
  return [after, ...findings.map(({ code }) => code)];
}

describe("CO-8: a prompt", () => {
  test("is the block, a blank line, the prompt", () => {
    expect(injectPrompt("Hello", user)).toBe("BLOCK\n\nHello");
    expect(injectPrompt("", user)).toBe("BLOCK\n\n");
  });

  test("without a block is the prompt", () => {
    expect(injectPrompt("Hello", nothing)).toBe("Hello");
  });
});

const said = (content: unknown) => ({ role: "user", content });
const replied = { role: "assistant", content: "Yes." };
const configured = { role: "system", content: "Be brief." };

describe("CO-8: a chat", () => {
  const cases: [string, Insertion, unknown[], unknown[]][] = [
    ["text", user, [said("Hi")], [said("BLOCK\n\nHi")]],
    ["empty text", user, [said("")], [said("BLOCK\n\n")]],
    ["parts", user, [said([image])], [said([{ type: "text", text: "BLOCK" }, image])]],
    ["no parts", user, [said([])], [said([{ type: "text", text: "BLOCK" }])]],
    ["first user message only", user, [replied, said("a"), said("b")], [replied, said("BLOCK\n\na"), said("b")]],
    ["system prompt untouched", user, [configured, said("a")], [configured, said("BLOCK\n\na")]],
    [
      "system block behind the system prompt",
      both,
      [configured, { role: "developer", content: [] }, replied, configured, said("a")],
      [
        configured,
        { role: "developer", content: [] },
        { role: "system", content: "SYSTEM" },
        replied,
        configured,
        said("BLOCK\n\na"),
      ],
    ],
    ["system block alone", system, [said("a")], [{ role: "system", content: "SYSTEM" }, said("a")]],
    ["system block, content of no kind", system, [said(null)], [{ role: "system", content: "SYSTEM" }, said(null)]],
    [
      "things that are no messages",
      user,
      [null, "user", 7, ["user"], said("a")],
      [null, "user", 7, ["user"], said("BLOCK\n\na")],
    ],
  ];
  test.each(cases)("%s", (_, insertion, messages, expected) => {
    expect(inject("openai-chat", { model: "m", messages }, insertion)).toEqual([{ model: "m", messages: expected }]);
  });

  test.each([
    ["no messages", []],
    ["no user message", [configured, replied]],
    ["a role in capitals", [{ role: "User", content: "a" }]],
    ["no list", "Hi"],
    ["nothing", undefined],
  ])("T30: %s: unchanged, and it is said", (_, messages) => {
    const request = { messages };
    expect(inject("openai-chat", request, both)).toEqual([request, "inject.no-user"]);
    expect(injectRequest("openai-chat", request, both).request).toBe(request);
  });

  test.each([[null], [7], [{ text: "a" }], [undefined]])("content %j: unchanged, and it is said", (content) => {
    const request = { messages: [said(content), said("later")] };
    expect(inject("openai-chat", request, user)).toEqual([request, "inject.no-place"]);
    expect(injectRequest("openai-chat", request, user).request).toBe(request);
  });

  test("without blocks is the same object, and nothing is said", () => {
    const request = { messages: [] };
    expect(injectRequest("openai-chat", request, nothing)).toEqual({ request, findings: [] });
    expect(injectRequest("openai-chat", request, nothing).request).toBe(request);
  });

  test("shares what it does not change", () => {
    const request = { tools: [{}], messages: [configured, said([image]), replied] };
    const after = injectRequest("openai-chat", request, user).request;
    expect(after.tools).toBe(request.tools);
    expect(after.messages[0]).toBe(configured);
    expect(after.messages[2]).toBe(replied);
    const parts: unknown = after.messages[1]?.content;
    expect(Array.isArray(parts) && parts[1] === image).toBe(true);
  });

  test("members with names of the language's own are members", () => {
    const request = JSON.parse(
      '{"__proto__":{"messages":[]},"messages":[{"__proto__":1,"role":"user","content":"a"}]}',
    );
    const { request: after } = injectRequest("openai-chat", request, both);
    expect(JSON.stringify(after)).toBe(
      '{"__proto__":{"messages":[]},"messages":[{"role":"system","content":"SYSTEM"},' +
        '{"__proto__":1,"role":"user","content":"BLOCK\\n\\na"}]}',
    );
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
  });
});

test("CO-17: a list of messages is injected as the chat that holds it", () => {
  const messages = [configured, said("a")];
  expect(injectMessages(messages, both)).toEqual({
    messages: [configured, { role: "system", content: "SYSTEM" }, said("BLOCK\n\na")],
    findings: [],
  });
  const silent = injectMessages([configured], both);
  expect(silent.messages).toEqual([configured]);
  expect(silent.findings.map(({ code, level }) => [code, level])).toEqual([["inject.no-user", "medium"]]);
});

describe("CO-8: Anthropic messages", () => {
  const result = { type: "tool_result", tool_use_id: "t", content: "42" };
  const text = { type: "text", text: "a" };
  const block = { type: "text", text: "BLOCK" };
  test.each([
    ["text", said("a"), said("BLOCK\n\na")],
    ["parts", said([text]), said([block, text])],
    ["results of tools stay in front", said([result, result, text]), said([result, result, block, text])],
    ["only those in front", said([result, text, result]), said([result, block, text, result])],
    ["nothing but results", said([result]), said([result, block])],
    ["parts that are no objects", said([null, result]), said([block, null, result])],
  ])("%s", (_, message, expected) => {
    const request = { system: "s", messages: [message, said("later")] };
    const after = { system: "s", messages: [expected, said("later")] };
    expect(inject("anthropic-messages", request, user)).toEqual([after]);
  });

  test.each([
    ["missing", undefined, "SYSTEM"],
    ["null", null, "SYSTEM"],
    ["empty", "", "SYSTEM"],
    ["text", "Be brief.", "Be brief.\n\nSYSTEM"],
    ["no parts", [], [{ type: "text", text: "SYSTEM" }]],
    ["parts", [text], [text, { type: "text", text: "SYSTEM" }]],
  ])("system prompt %s", (_, before, after) => {
    const request = { ...(before === undefined ? {} : { system: before }), messages: [said("a")] };
    expect(inject("anthropic-messages", request, system)).toEqual([{ system: after, messages: [said("a")] }]);
  });

  test("a system prompt of no kind stays, and it is said", () => {
    const request = { system: 7, messages: [said("a")] };
    const after = { system: 7, messages: [said("BLOCK\n\na")] };
    expect(inject("anthropic-messages", request, both)).toEqual([after, "inject.no-place"]);
  });

  test("T30: without a user turn not even the system prompt changes", () => {
    const request = { system: "s", messages: [replied] };
    expect(inject("anthropic-messages", request, both)).toEqual([request, "inject.no-user"]);
  });
});

describe("CO-8: responses", () => {
  const call = { type: "function_call_output", role: "user", call_id: "c", output: "42" };
  const typed = { type: "message", role: "user", content: [{ type: "input_text", text: "a" }] };
  const block = { type: "input_text", text: "BLOCK" };
  test.each([
    ["text", "a", "BLOCK\n\na"],
    ["a message", [said("a")], [said("BLOCK\n\na")]],
    ["a typed message", [call, typed], [call, { ...typed, content: [block, ...typed.content] }]],
    ["first only", [replied, said("a"), typed], [replied, said("BLOCK\n\na"), typed]],
  ])("%s", (_, input, expected) => {
    const request = { instructions: "i", input };
    expect(inject("openai-responses", request, user)).toEqual([{ instructions: "i", input: expected }]);
  });

  test.each([
    ["missing", {}, "SYSTEM"],
    ["null", { instructions: null }, "SYSTEM"],
    ["text", { instructions: "Be brief." }, "Be brief.\n\nSYSTEM"],
  ])("instructions %s", (_, given, instructions) => {
    expect(inject("openai-responses", { ...given, input: "a" }, both)).toEqual([{ instructions, input: "BLOCK\n\na" }]);
  });

  test.each([[[call]], [[]], [null], [undefined], [{ role: "user" }]])("T30: input %j has no user turn", (input) => {
    expect(inject("openai-responses", { input }, both)).toEqual([{ input }, "inject.no-user"]);
  });

  test("instructions cannot be a list", () => {
    const request = { instructions: [], input: "a" };
    expect(inject("openai-responses", request, system)).toEqual([request, "inject.no-place"]);
  });
});

describe("CO-8: completions", () => {
  test.each([
    ["a prompt", user, "a", "BLOCK\n\na", []],
    ["each of several", user, ["a", "b"], ["BLOCK\n\na", "BLOCK\n\nb"], []],
    ["what was meant for the system comes first", both, "a", "SYSTEM\n\nBLOCK\n\na", ["inject.no-system"]],
    ["and is not lost when it is all", system, ["a"], ["SYSTEM\n\na"], ["inject.no-system"]],
  ])("%s", (_, insertion, prompt, expected, codes) => {
    expect(inject("openai-completions", { prompt }, insertion)).toEqual([{ prompt: expected }, ...codes]);
  });

  test.each([
    [[1, 2], "inject.no-place"],
    [[[1, 2], [3]], "inject.no-place"],
    [["a", 1], "inject.no-place"],
    [7, "inject.no-place"],
    [[], "inject.no-user"],
    [null, "inject.no-user"],
    [undefined, "inject.no-user"],
  ])("%j stays, and it is said", (prompt, code) => {
    expect(inject("openai-completions", { prompt }, both)).toEqual([{ prompt }, code]);
  });

  test("T41: a thousand prompts do not become a thousand blocks", () => {
    const request = { prompt: Array.from({ length: 129 }, () => "") };
    expect(() => injectRequest("openai-completions", request, user)).toThrow(AppError);
    expect(injectRequest("openai-completions", { prompt: request.prompt.slice(1) }, user).findings).toEqual([]);
  });
});

describe("CO-13: a block for the last user message", () => {
  const last: Insertion = { block: "BLOCK", systemBlock: "", lastBlock: "LAST" };
  const only: Insertion = { block: "", systemBlock: "", lastBlock: "LAST" };
  const result = { type: "tool_result", tool_use_id: "t", content: "42" };
  const text = (words: string) => ({ type: "text", text: words });
  const cases: [string, RequestShape, Insertion, unknown[], unknown[]][] = [
    [
      "goes there",
      "openai-chat",
      last,
      [said("a"), replied, said("b")],
      [said("BLOCK\n\na"), replied, said("LAST\n\nb")],
    ],
    ["alone", "openai-chat", only, [said("a"), said("b")], [said("a"), said("LAST\n\nb")]],
    ["in one text, behind the first", "openai-chat", last, [replied, said("a")], [replied, said("BLOCK\n\nLAST\n\na")]],
    [
      "in one list of parts, behind the first",
      "anthropic-messages",
      last,
      [said([result, text("a")])],
      [said([result, text("BLOCK"), text("LAST"), text("a")])],
    ],
    [
      "not with what tools answered",
      "anthropic-messages",
      last,
      [said("a"), said([text("b")]), replied, said([result])],
      [said("BLOCK\n\na"), said([text("LAST"), text("b")]), replied, said([result])],
    ],
    [
      "not with an image alone",
      "openai-chat",
      last,
      [said("a"), said([image]), said([text("")])],
      [said("BLOCK\n\nLAST\n\na"), said([image]), said([text("")])],
    ],
  ];
  test.each(cases)("%s (%s)", (_, shape, insertion, messages, expected) => {
    expect(inject(shape, { messages }, insertion)).toEqual([{ messages: expected }]);
  });

  test("where nobody says anything stays out, and it is said", () => {
    const messages = [said([image])];
    const block = { type: "text", text: "BLOCK" };
    expect(inject("openai-chat", { messages }, last)).toEqual([
      { messages: [said([block, image])] },
      "inject.no-place",
    ]);
    expect(inject("openai-chat", { messages }, only)).toEqual([{ messages }, "inject.no-place"]);
    expect(inject("openai-chat", { messages: [replied] }, only)).toEqual([{ messages: [replied] }, "inject.no-user"]);
  });

  test("of a prompt stands behind the first", () => {
    expect(injectPrompt("a", last)).toBe("BLOCK\n\nLAST\n\na");
    expect(inject("openai-responses", { input: "a" }, last)).toEqual([{ input: "BLOCK\n\nLAST\n\na" }]);
    expect(inject("openai-completions", { prompt: ["a"] }, last)).toEqual([{ prompt: ["BLOCK\n\nLAST\n\na"] }]);
  });
});

describe("CO-13: what a user message says", () => {
  const result = { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "42" }] };
  const text = (words: unknown) => ({ type: "text", text: words });
  test.each([
    ["texts", "openai-chat", { messages: [configured, said("a"), replied, said("b")] }, "a", "b"],
    ["parts", "openai-chat", { messages: [said([text("a"), image, text("b")])] }, "a\nb", "a\nb"],
    ["no texts", "openai-chat", { messages: [said([image]), said("b"), said(null)] }, "", "b"],
    ["parts of another protocol", "openai-chat", { messages: [said([{ type: "input_text", text: "a" }])] }, "", ""],
    ["no user", "openai-chat", { messages: [replied] }, "", ""],
    ["no list", "openai-chat", { messages: "a" }, "", ""],
    ["results of tools", "anthropic-messages", { messages: [said([result, text("a")]), said([result])] }, "a", "a"],
    ["no text in a part", "anthropic-messages", { messages: [said([text(7), text("a")])] }, "a", "a"],
    ["an input", "openai-responses", { input: "a" }, "a", "a"],
    ["inputs", "openai-responses", { input: [{ type: "reasoning", ...said("x") }, said("a")] }, "a", "a"],
    ["a prompt", "openai-completions", { prompt: "a" }, "a", "a"],
    ["the first of several prompts", "openai-completions", { prompt: ["a", "b"] }, "a", "a"],
    ["tokens", "openai-completions", { prompt: ["a", 7] }, "", ""],
    ["nothing", "openai-completions", {}, "", ""],
  ] as const)("%s (%s)", (_, shape, request, first, last) => {
    expect(userText(shape, request, "first")).toBe(first);
    expect(userText(shape, request, "last")).toBe(last);
  });

  test("T41: of a long one both ends are read, without half a character", () => {
    const [before, behind] = ["a".repeat(32_767), "z".repeat(32_767)];
    const read = (content: unknown) => userText("openai-chat", { messages: [said(content)] }, "first");
    expect(read(`${before}😀${behind}`) === `${before}😀${behind}`).toBe(true);
    expect(read(`${before}😀 pasted 😀${behind}`) === `${before}\ufffd\n\ufffd${behind}`).toBe(true);
    const parts = [text(before), text("pasted".repeat(20_000)), text("What does it say?")];
    expect(read(parts)).toMatch(/^a{32767}\n\n[past ed]{32750}\nWhat does it say\?$/);
  });
});
