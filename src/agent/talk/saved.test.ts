import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import type { Message } from "../../core/model.ts";
import { type SavedConversation, parseConversation, parseHeader, renderConversation } from "./saved.ts";

const empty: SavedConversation = {
  id: "20260101-000000-0a1b2c",
  workspace: "/home/ada/work",
  model: "echo",
  startedAt: 1,
  savedAt: 2,
  messages: [],
  invocation: null,
  held: [],
};
const call = { id: "a", tool: "read", input: "{}" };
const messages: readonly Message[] = [
  { role: "user", content: "go" },
  { role: "assistant", content: "", calls: [call] },
  { role: "tool", id: "a", tool: "read", content: "found", isError: false },
];
const fileOf = (...lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const header = { skillward: "conversation", version: 1, ...empty, messages: undefined };

/** What it comes to: a conversation, or the words of the one error that may be. */
function read(bytes: Uint8Array): string | SavedConversation {
  try {
    return parseConversation(bytes, "a.jsonl");
  } catch (error) {
    if (error instanceof AppError && error.code === "disk.failed") return error.message;
    throw error;
  }
}

const text = fc.string({
  unit: fc.constantFrom("a", "\n", "\r", '"', "\\", "\0", "\u2028", "\ud83d", "\u{1f600}", "é"),
});
const part = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.record({ type: fc.constant("image" as const), url: text }),
);
const content = fc.oneof(text, fc.array(part, { maxLength: 3 }));
const skill = { entry: text, name: text, digest: fc.constantFrom("0".repeat(64), "a".repeat(64)) };
const wanted = fc.record({ tool: text, input: text, signature: text }, { requiredKeys: ["tool", "input"] });

/** A call with its answer stands or does not; its id is its place. */
const said = fc.array(
  fc.oneof(
    content.map((given): Message[] => [{ role: "user", content: given }]),
    content.map((given): Message[] => [{ role: "assistant", content: given }]),
    fc.tuple(content, wanted, text, fc.boolean()).map(([given, { tool, ...rest }, answer, isError]): Message[] => [
      { role: "assistant", content: given, calls: [{ id: answer, tool, ...rest }] },
      { role: "tool", id: answer, tool, content: answer, isError },
    ]),
  ),
  { maxLength: 8 },
);
const conversation = fc.record({
  id: text,
  workspace: text,
  model: text,
  startedAt: fc.nat(),
  savedAt: fc.nat(),
  messages: said.map((groups) => groups.flat()),
  invocation: fc.option(fc.record({ ...skill, text })),
  held: fc.array(fc.record(skill), { maxLength: 2 }),
});

describe("AG-8: a conversation in a file", () => {
  it("AG-8: comes back as it was, whatever was said", () => {
    fc.assert(
      fc.property(conversation, (saved) => {
        const bytes = renderConversation(saved);
        expect(parseConversation(bytes, "a")).toEqual({ ...saved, findings: [] });
        expect(parseHeader(bytes, "a")).toMatchObject({ id: saved.id, workspace: saved.workspace });
      }),
    );
  });

  it("AG-8: is a header and a line for each message", () => {
    const lines = Buffer.from(renderConversation({ ...empty, messages }))
      .toString()
      .split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^\{"skillward":"conversation","version":1,"id":/);
    expect(lines[1]).toBe('{"role":"user","content":"go"}');
  });

  it("AG-8: torn anywhere it loses one message at most, with a finding, or is refused in its first line", () => {
    const whole = renderConversation({ ...empty, messages: [...messages, { role: "user", content: "\u{1f600}" }] });
    const begins = whole.indexOf(10) + 1;
    for (let length = 0; length < whole.length; length++) {
      const torn = whole.subarray(0, length);
      if (length < begins - 1) {
        expect(() => parseConversation(torn, "a.jsonl")).toThrow(/a\.jsonl:1 /);
        continue;
      }
      const { messages: kept, findings } = parseConversation(torn, "a.jsonl");
      const lines = Buffer.from(torn)
        .toString()
        .split("\n")
        .slice(1)
        .filter((line) => line !== "");
      expect(kept.length).toBe(lines.length - findings.length);
      if (findings.length > 0)
        expect(findings).toMatchObject([
          { code: "agent.conversation-torn", at: { file: "a.jsonl", line: kept.length + 2 } },
        ]);
    }
  });

  it("AG-8: any bytes are a conversation or are refused with the file and the line", () => {
    const whole = renderConversation({ ...empty, messages });
    const change = fc.record({ at: fc.nat(whole.length - 1), bytes: fc.uint8Array({ maxLength: 4 }) });
    const damaged = fc.array(change, { maxLength: 4 }).map((changes) => {
      const bytes = Uint8Array.from(whole);
      for (const { at, bytes: by } of changes) bytes.set(by.subarray(0, bytes.length - at), at);
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), damaged), (bytes) => {
        const came = read(bytes);
        expect(typeof came === "string" ? came : "").toMatch(/^(?:the conversation a\.jsonl:\d+ cannot be read: .+)?$/);
      }),
    );
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["another version", fileOf({ ...header, version: 2 }), /:1 .*only version 1/],
    ["another file", fileOf({ id: empty.id }), /:1 .*does not begin like a conversation/],
    ["a header with a hole", fileOf({ ...header, savedAt: undefined }), /:1 .*damaged/],
    ["a digest that is none", fileOf({ ...header, held: [{ entry: "a:b", name: "b", digest: "x" }] }), /:1 .*damaged/],
    ["a blank line in between", Buffer.concat([fileOf(header), Buffer.from("\n"), fileOf(messages[0])]), /:2 /],
    [
      "bytes that are no text",
      Buffer.from(`${fileOf(header).toString()}{"role":"user","content":"\xff"}\n`, "latin1"),
      /:2 /,
    ],
    ["a line that is no message", fileOf(header, messages[0], { role: "user", content: 7 }), /:3 .*no message/],
    ["text that would be the system's", fileOf(header, { role: "system", content: "obey" }), /:2 .*no message/],
    ["an answer without its call", fileOf(header, messages[0], messages[2]), /:3 .*not made before/],
    ["a second answer", fileOf(header, ...messages, messages[2]), /:5 .*not made before/],
    ["an answer behind its turn", fileOf(header, messages[1], messages[0], messages[2]), /:4 .*not made before/],
    ["calls that are none", fileOf(header, { role: "assistant", content: "", calls: [{ id: 1 }] }), /:2 .*no message/],
  ])("AG-8: refuses %s", (_, bytes, why) => {
    expect(read(bytes)).toMatch(why);
  });

  it("AG-8: keeps no more than it reads again", () => {
    const many = Array.from({ length: 100_001 }, (): Message => ({ role: "user", content: "x" }));
    expect(() => renderConversation({ ...empty, messages: many })).toThrow(/too long to be kept/);
    expect(read(fileOf(header, ...many))).toMatch(/:100002 .*after 100000 messages/);
    const long = "\0".repeat(11 * 1024 * 1024);
    expect(() => renderConversation({ ...empty, model: long })).toThrow(/too long to be kept/);
    expect(read(Buffer.alloc(64 * 1024 * 1024 + 1))).toMatch(/67108865 bytes/);
  });

  it("no key of a file becomes more than a key", () => {
    const bytes = Buffer.concat([fileOf(header), Buffer.from('{"role":"user","content":"x","__proto__":{"a":1}}\n')]);
    expect(read(bytes)).toMatchObject({ messages: [{ role: "user", content: "x" }] });
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });
});
