import { describe, expect, it } from "vitest";
import type { Message } from "../../core/model.ts";
import type { Invocation } from "./saved.ts";
import { History } from "./history.ts";

const invocation: Invocation = { name: "x", entry: "project:x", digest: "0".repeat(64), text: 'Apply Skill "x"\n\nX' };
const about = { id: "20260101-000000-000000", workspace: "/w", model: "echo", startedAt: 1, savedAt: 2 };
const reading = { id: "a", tool: "read", input: "{}" };
const calls = [reading, { id: "b", tool: "shell", input: "{}" }];
const cancelled = (id: string, tool: string): Message => ({
  role: "tool",
  id,
  tool,
  content: "cancelled before there was a result",
  isError: true,
});

describe("AG-8: a turn that does not come to its end", () => {
  it("AG-8: leaves every call with an answer, and those that there were as they are", () => {
    const history = new History();
    history.addUser("go");
    history.addAnswer({ text: "I look", calls });
    history.addResult(reading, { content: "found", isError: false });
    history.answerUnanswered();
    history.addUser("and now?");
    expect(history.messages).toEqual([
      { role: "user", content: "go" },
      { role: "assistant", content: "I look", calls },
      { role: "tool", id: "a", tool: "read", content: "found", isError: false },
      cancelled("b", "shell"),
      { role: "user", content: "and now?" },
    ]);
  });

  it("AG-8: keeps what a person said without an answer; services that want one user message get one", () => {
    const history = new History();
    history.addUser("one");
    history.answerUnanswered();
    history.addUser("two");
    expect(history.messages).toHaveLength(2);
    expect(history.messagesToSend).toEqual([{ role: "user", content: "one\n\ntwo" }]);
    history.addAnswer({ text: "" });
    history.addUser("three");
    expect(history.messagesToSend).toEqual([{ role: "user", content: "one\n\ntwo\n\nthree" }]);
  });

  it("AG-8: parts of messages stay parts", () => {
    const image = { type: "image", url: "https://example.com/a.png" } as const;
    const messages: Message[] = [
      { role: "user", content: "see" },
      { role: "user", content: [image] },
    ];
    const history = new History({ messages, invocation: null, held: [] });
    expect(history.messagesToSend).toEqual([{ role: "user", content: [{ type: "text", text: "see" }, image] }]);
  });
});

describe("AG-8: a history that is kept", () => {
  it("AG-8: comes back as it was, with the latest invocation and what is held", () => {
    const history = new History();
    const held = [{ entry: "project:x", digest: "1".repeat(64), name: "x" }];
    history.addUser("first", [{ ...invocation, name: "older" }, invocation]);
    history.addAnswer({ text: "done" });
    history.addUser("second");
    history.setHeld(held);
    const saved = history.snapshot(about);
    expect(saved).toMatchObject({ ...about, invocation, held });
    expect(new History(saved).snapshot(about)).toEqual(saved);
  });

  it("AG-8: is made good where a crash cut it, and gives no id a second time", () => {
    const messages: Message[] = [
      { role: "user", content: "go" },
      { role: "assistant", content: "", calls },
    ];
    const history = new History({ messages, invocation: null, held: [] });
    expect(history.messages).toEqual([...messages, cancelled("a", "read"), cancelled("b", "shell")]);
    expect(history.addAnswer({ text: "", calls })).toMatchObject({
      calls: [{ id: expect.not.stringMatching(/^[ab]$/) }, { id: expect.not.stringMatching(/^[ab]$/) }],
    });
  });

  it("AG-8: what it was asked for stays what it was", () => {
    const history = new History();
    history.addUser("one");
    const before = history.messages;
    history.addUser("two");
    expect(before).toHaveLength(1);
  });
});
