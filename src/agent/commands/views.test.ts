import { describe, expect, it } from "vitest";
import { memoryContext, memorySkill } from "../../testing/command-context.ts";
import { createCapabilities } from "../../scope/registry.ts";
import type { CommandContext, RoutedSkills } from "./command.ts";
import { createCommands } from "./registry.ts";
import { lineRunner } from "../../../test/support/run-line.ts";

const run = lineRunner(createCommands());

describe("AG-5: what commands show of the agent", () => {
  it("/context: every part with bytes and tokens, and the sum", async () => {
    const parts = [
      { what: "identity", name: "", role: "system", bytes: 100, tokens: 20 },
      { what: "skill", name: "tidy\u001b", role: "user", bytes: 1, tokens: 1 },
    ] as const;
    const context = memoryContext([], { context: () => Promise.resolve(parts) });
    expect(await run(context, "/context")).toMatchObject({
      reply: {
        title: "the next prompt: 101 bytes, 21 tokens",
        rows: [
          { name: "identity", about: "system · 100 bytes, 20 tokens" },
          { name: "skill tidy\\u{1b}", about: "user · 1 byte, 1 token" },
        ],
      },
    });
  });

  it("/tools: what may be done with each now", async () => {
    const tools = () => [
      { name: "read", about: "reads a file", verdict: "allowed", why: "" } as const,
      { name: "shell", about: "runs a command", verdict: "denied", why: "guard forbids it" } as const,
    ];
    expect(await run(memoryContext([], { tools }), "/tools")).toMatchObject({
      reply: {
        rows: [
          { name: "read", about: "allowed · reads a file", tone: "good" },
          { name: "shell", about: "denied · guard forbids it · runs a command", tone: "bad" },
        ],
      },
    });
  });

  it("/scope: what is in force, by whom; clear lets go of it", async () => {
    const capabilities = createCapabilities();
    capabilities.register(
      {
        name: "guard",
        description: "Guards.",
        version: "1.0.0",
        allowedTools: ["read"],
        forbiddenTools: ["shell"],
        executionProtocol: ["look"],
      },
      { source: "project" },
    );
    const context = memoryContext([], { scope: capabilities.compose(["guard"]) });
    expect(await run(context, "/scope")).toMatchObject({
      reply: {
        title: "1 skill in force: project/guard",
        rows: [
          { name: "allowed by project/guard", about: "read", tone: "good" },
          { name: "forbidden by project/guard", about: "shell", tone: "bad" },
          { name: "step 1", about: "look" },
        ],
      },
    });
    await run(context, "/scope clear");
    expect(context.log).toEqual(["release"]);
    expect(await run(context, "/scope off")).toMatchObject({ reply: { isError: true } });
    expect(await run(memoryContext([]), "/scope")).toMatchObject({
      reply: { notes: [expect.stringContaining("no scope is in force")] },
    });
  });

  it.each([
    ["/new", "fresh"],
    ["/clear", "fresh"],
    ["/compact", "compact"],
  ])("%s", async (line, done) => {
    const context = memoryContext([]);
    expect((await run(context, line)).is).toBe("reply");
    expect(context.log).toEqual([done]);
  });
});

describe("AG-5: /route", () => {
  const match = { skill: memorySkill("tidy"), confidence: 0.8312, why: "it says tidy" };
  const routing = (routed: Partial<RoutedSkills>) =>
    memoryContext([], {
      route: () => Promise.resolve({ matches: [match], abstained: false, ambiguous: false, ...routed }),
    });

  it("shows what fits, and has it written down", async () => {
    const context = routing({ ambiguous: true });
    expect(await run(context, "/route tidy up")).toMatchObject({
      reply: {
        rows: [{ name: "/skills:tidy", about: "0.83 · it says tidy" }],
        notes: [expect.stringContaining("several fit")],
      },
    });
    expect(context.log).toEqual(["routed tidy"]);
  });

  it("what is merely nearest was not routed to", async () => {
    const context = routing({ abstained: true });
    expect(await run(context, "/route cook")).toMatchObject({
      reply: { rows: [{ tone: "dim" }], notes: ["no skill fits well enough; these are the nearest"] },
    });
    expect(context.log).toEqual([]);
    expect(await run(routing({ abstained: true, matches: [] }), "/route cook")).toMatchObject({
      reply: { notes: ["no skill fits"] },
    });
    expect(await run(context, "/route")).toMatchObject({ reply: { isError: true } });
  });
});

describe("AG-2: /rules", () => {
  const withRules = (state: Awaited<ReturnType<CommandContext["rules"]>>["state"]) =>
    memoryContext([], { rules: () => Promise.resolve({ state, bytes: 12, note: "" }) });

  it("says where they stand", async () => {
    expect(await run(withRules("unconfirmed"), "/rules")).toMatchObject({
      reply: { notes: [expect.stringContaining("/rules trust"), "12 bytes"] },
    });
    expect(await run(withRules("none"), "/rules")).toMatchObject({ reply: { notes: { length: 1 } } });
    expect(await run(withRules("none"), "/rules now")).toMatchObject({ reply: { isError: true } });
  });

  it("trust confirms what is unconfirmed, and nothing else", async () => {
    const context = withRules("unconfirmed");
    await run(context, "/rules trust");
    expect(context.log).toEqual(["confirm rules"]);
    for (const state of ["none", "unusable", "confirmed"] as const) {
      const other = withRules(state);
      const result = await run(other, "/rules trust");
      expect(result).toMatchObject({ reply: state === "confirmed" ? { notes: { length: 1 } } : { isError: true } });
      expect(other.log).toEqual([]);
    }
  });
});
