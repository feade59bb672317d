import { describe, expect, test } from "vitest";
import { answered, ended, type Script, scriptedAgent } from "../../../test/agent/chat-agent.ts";
import type { AgentEvent } from "../../agent/agent-event.ts";
import { type PlainOptions, runPlain } from "./plain.ts";

async function run(script: Script, options: PlainOptions = {}, lines: readonly string[] = ["hello"]) {
  const { agent, said, listeners } = scriptedAgent(script);
  const [text, notes]: string[][] = [[], []];
  async function* each() {
    yield* lines;
  }
  const output = { text: (piece: string) => text?.push(piece), note: (line: string) => notes?.push(line) };
  const [only = ""] = lines;
  const hasFailed = await runPlain(agent, lines.length === 1 ? only : each(), output, options);
  expect(listeners.size).toBe(0);
  return { hasFailed, said, text: text?.join(""), notes };
}

const whole = (text: string): AgentEvent[] => [
  { type: "model.answered", text, calls: 0, tokens: { input: null, output: null } },
  ended,
];

describe("AG-10: a chat that nobody watches", () => {
  test("the answer is there exactly once, streamed or not, and ends its line", async () => {
    for (const script of [() => answered("a", "b\nc"), () => whole("ab\nc"), () => answered("ab\nc\n")])
      for (const visible of [true, false])
        expect(await run(script, { visible })).toMatchObject({ text: "ab\nc\n", notes: [], hasFailed: false });
  });

  test("an answer without a word is noted, once for each turn, and only where nothing was said", async () => {
    expect(await run(() => whole(""))).toMatchObject({
      text: "",
      notes: ["(the model said nothing)"],
      hasFailed: false,
    });
    const script: Script = (line) => (line === "one" ? whole("") : answered("words"));
    expect((await run(script, {}, ["one", "two", "one"])).notes).toHaveLength(2);
    expect((await run(() => [ended])).notes).toEqual([]);
  });

  test("T34: byte for byte, or visible where that is asked for", async () => {
    const script = () => answered("a\u001b", "[31m\u202e\tb");
    expect((await run(script)).text).toBe("a\u001b[31m\u202e\tb\n");
    expect((await run(script, { visible: true })).text).toBe("a\\u{1b}[31m\\u{202e}\tb\n");
  });

  test("what is said about it goes to the notes, visible and folded", async () => {
    const { text, notes } = await run(() => [
      { type: "text", text: "I look." },
      { type: "tool.started", call: "1", tool: "read", input: '{"path":"a\\u001b.ts"}' },
      { type: "tool.ended", call: "1", tool: "read", content: "1\n2", isError: false },
      { type: "tool.started", call: "2", tool: "shell", input: '{"command":"rm -r /"}' },
      { type: "tool.denied", call: "2", tool: "shell", code: "TOOL_FORBIDDEN", why: "the scope forbids it" },
      { type: "tool.ended", call: "2", tool: "shell", content: "denied", isError: true },
      { type: "model.failed", code: "upstream.timeout", message: "too slow\u0007" },
      { type: "turn.ended", end: "failed" },
    ]);
    expect(text).toBe("I look.\n");
    expect(notes).toEqual([
      "✓ read a\\u{1b}.ts · 2 lines",
      "⊘ shell rm -r / · the scope forbids it",
      "✗ the model failed: too slow\\u{7}",
      "  Nothing of the conversation is lost: say it again to try once more.",
    ]);
  });

  test("a command's answer is text in two columns", async () => {
    const rows = [
      { name: "/a", about: "one" },
      { name: "/longer", about: "two\u001b[2J" },
    ];
    const { text } = await run(() => [
      { type: "reply", command: "/x", reply: { title: "commands", rows, notes: ["So."] } },
      ended,
    ]);
    expect(text).toBe("commands\n  /a       one\n  /longer  two\\u{1b}[2J\nSo.\n");
  });

  test("JSON: one event on each line, the same values, nothing unseen", async () => {
    const script = () => answered("a\u001b\u{e0041}\n");
    const { text = "", notes } = await run(script, { json: true });
    expect(notes).toEqual([]);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.slice(1)).toEqual(script());
  });

  test.each<[string, AgentEvent[], boolean]>([
    ["a turn that failed", [{ type: "turn.ended", end: "failed" }], true],
    [
      "a command that could not",
      [{ type: "reply", command: "/x", reply: { isError: true, notes: ["no"] } }, ended],
      true,
    ],
    ["a turn of too many calls", [{ type: "turn.ended", end: "calls" }], true],
    ["a turn that finished", [ended], false],
  ])("%s", async (_what, events, hasFailed) => {
    expect((await run(() => events)).hasFailed).toBe(hasFailed);
  });

  test("lines are said one after the other, until one leaves", async () => {
    const script: Script = (line) => (line === "/exit" ? [{ type: "leave" }] : answered(line));
    const { said, text } = await run(script, {}, ["a", "b", "/exit", "c"]);
    expect(said).toEqual(["a", "b", "/exit"]);
    expect(text).toBe("a\nb\n");
  });
});
