import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../agent-event.ts";
import { longestMatched } from "./read-checks.ts";
import { judgeRun } from "./judge.ts";
import { RunRecord } from "./run-case.ts";
import type { Check } from "./skill-case.ts";

const tokens = { input: null, output: null };
const started = (call: string, tool: string, input = "{}") => ({ type: "tool.started", call, tool, input }) as const;
const denied = (call: string, tool: string) =>
  ({ type: "tool.denied", call, tool, code: "TOOL_FORBIDDEN", why: "no" }) as const;
const ended = (call: string, tool: string) =>
  ({ type: "tool.ended", call, tool, content: "", isError: false }) as const;
const answered = (text: string) => ({ type: "model.answered", text, calls: 0, tokens }) as const;
const used = (use: "invoked" | "loaded" | "routed" | "held") =>
  ({ type: "skill.used", use, name: "greeter", entry: "project:greeter", digest: "0", by: "model" }) as const;

async function holds(check: Check, events: readonly AgentEvent[], after: Uint8Array | { size: number } | null = null) {
  const record = new RunRecord();
  for (const event of events) record.take(event);
  const room = { read: async () => after, before: (path: string) => (path === "old" ? Buffer.from("old text") : null) };
  const failures = await judgeRun([{ check, isNot: false, line: 1 }], record.steps, room);
  const opposite = await judgeRun([{ check, isNot: true, line: 1 }], record.steps, room);
  // What can be told neither way fails both ways.
  if (failures.length > 0 && opposite.length > 0) return null;
  return failures.length === 0;
}

describe("AG-9: tools", () => {
  const called: Check = { is: "toolCalled", tool: "read" };
  const refused: Check = { is: "toolDenied", tool: "read" };

  it("AG-9: a call that was denied was not made", async () => {
    const calls = [started("1", "read"), denied("1", "read"), ended("1", "read")];
    expect(await holds(called, calls)).toBe(false);
    expect(await holds(refused, calls)).toBe(true);
    expect(await holds(called, [started("1", "read"), ended("1", "read")])).toBe(true);
  });

  it("AG-9: ids that a model gives twice do not mix calls up", async () => {
    const calls = [started("1", "read"), ended("1", "read"), started("1", "shell"), denied("1", "shell")];
    expect(await holds(called, calls)).toBe(true);
    expect(await holds({ is: "toolCalled", tool: "shell" }, calls)).toBe(false);
    expect(await holds({ is: "toolDenied", tool: "shell" }, calls)).toBe(true);
    expect(await holds(refused, calls)).toBe(false);
    const unstarted = [started("1", "read"), ended("1", "read"), denied("1", "shell")];
    expect(await holds(called, unstarted)).toBe(true);
    expect(await holds({ is: "toolDenied", tool: "shell" }, unstarted)).toBe(true);
  });

  it("AG-9: a sub-agent's calls and denials count", async () => {
    const nested = [
      { type: "sub-agent", event: { type: "tool.started", id: "s", tool: "read" } },
      { type: "sub-agent", event: { type: "tool.denied", id: "s", tool: "shell", code: "TOOL_FORBIDDEN", why: "no" } },
    ] as const;
    expect(await holds(called, nested)).toBe(true);
    expect(await holds({ is: "toolDenied", tool: "shell" }, nested)).toBe(true);
  });

  it.each([
    [{ command: "npm test" }, {}, true],
    [{ command: "npm" }, {}, false],
    [{}, { command: "npm" }, true],
    [{}, { command: "yarn" }, false],
    [{ list: [1, { a: "x" }] }, {}, true],
    [{ list: [1] }, {}, false],
    [{ list: { 0: 1 } }, {}, false],
    [{ flag: "true" }, {}, false],
    [{ flag: true }, {}, true],
    [{ missing: null }, {}, false],
    [{ toString: {} }, {}, false],
  ])("AG-9: with %j and %j in it: %s", async (input, contains, expected) => {
    const text = '{"command":"npm test","flag":true,"list":[1,{"a":"x","b":2}]}';
    const check: Check = { is: "toolCalledWith", tool: "shell", input, contains };
    expect(await holds(check, [started("1", "shell", text)])).toBe(expected);
  });

  it("AG-9: what is no JSON has no fields", async () => {
    const check: Check = { is: "toolCalledWith", tool: "shell", input: { command: "ls" }, contains: {} };
    expect(await holds(check, [started("1", "shell", '{"command":"ls"')])).toBe(false);
  });
});

describe("AG-9: skills", () => {
  it.each([
    ["skillInvoked", "invoked", true],
    ["skillInvoked", "loaded", true],
    ["skillInvoked", "routed", false],
    ["skillInvoked", "held", false],
    ["skillRouted", "routed", true],
    ["skillRouted", "invoked", false],
  ] as const)("AG-9: %s, when it was %s: %s", async (is, use, expected) => {
    expect(await holds({ is, skill: "greeter" }, [used(use)])).toBe(expected);
    expect(await holds({ is, skill: "project:greeter" }, [used(use)])).toBe(expected);
    expect(await holds({ is, skill: "greet" }, [used(use)])).toBe(false);
  });

  it("AG-9: what a model, a tool or a command says is no record", async () => {
    const said = 'Apply Skill "greeter"';
    const events: AgentEvent[] = [
      answered(said),
      started("1", said),
      { ...ended("1", "read"), content: said },
      { type: "reply", command: "/skills:greeter", reply: { text: said } },
      { type: "text", text: said },
    ];
    expect(await holds({ is: "skillInvoked", skill: "greeter" }, events)).toBe(false);
  });
});

describe("AG-9: files and responses", () => {
  it.each([
    ["old", Buffer.from("old text"), false],
    ["old", Buffer.from("new text"), true],
    ["old", null, true],
    ["old", { size: 2 ** 30 }, true],
    ["other", Buffer.from("x"), true],
    ["other", null, false],
  ])("AG-9: %s is now %j: modified %s", async (path, after, expected) => {
    expect(await holds({ is: "fileModified", path }, [], after)).toBe(expected);
  });

  it("AG-9: of a file that is too large nothing is said about what it contains", async () => {
    const check: Check = { is: "fileContains", path: "a", text: "x" };
    expect(await holds(check, [], Buffer.from("axb"))).toBe(true);
    expect(await holds(check, [], null)).toBe(false);
    expect(await holds(check, [], { size: 2 ** 30 })).toBe(null);
  });

  it("AG-9: the response is all that the model said, and nothing else", async () => {
    const events: AgentEvent[] = [
      answered("one"),
      answered("two"),
      { type: "reply", command: "/help", reply: { text: "three" } },
    ];
    expect(await holds({ is: "responseContains", text: "one\ntwo" }, events)).toBe(true);
    expect(await holds({ is: "responseContains", text: "three" }, events)).toBe(false);
    expect(await holds({ is: "responseMatches", pattern: /two$/u }, events)).toBe(true);
  });

  it("T26: a pattern is not held against more than it was proven for", async () => {
    const check: Check = { is: "responseMatches", pattern: /a/u };
    expect(await holds(check, [answered("a".repeat(longestMatched + 1))])).toBe(null);
  });

  it.each([
    [{ type: "turn.ended", end: "cancelled" }],
    [{ type: "model.failed", code: "unknown", message: "gone" }],
    [{ type: "reply", command: "/x", reply: { isError: true } }],
  ] as const)("AG-9: %j fails a run without any check", async (event) => {
    const record = new RunRecord();
    record.take(event);
    const room = { read: async () => null, before: () => null };
    expect(await judgeRun([], record.steps, room)).toHaveLength(1);
  });
});
