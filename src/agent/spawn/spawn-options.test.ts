import { describe, expect, test } from "vitest";
import { accepted, sayingTurns, SpawnRoom } from "../../../test/scope/spawn-room.ts";
import { AppError } from "../../core/error.ts";

/** The code and the message of what is thrown. */
function refusalOf(parts: object): string {
  try {
    new SpawnRoom("read").spawner(sayingTurns(), parts);
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "none";
}

describe("SC-5: what a primary says of itself", () => {
  test.each<[string, object]>([
    ["tools", { tools: { read: {} } }],
    ["tools", { tools: undefined }],
    ["tools: number 2", { tools: [tool("a"), { name: "b" }] }],
    ["tools: number 1", { tools: new Map([["a", null]]) }],
    ['tools: two are called "a"', { tools: [tool("a"), tool("a")] }],
    ["model", { model: sayingTurns() }],
    ["capabilities", { capabilities: undefined }],
    ["capabilities", { capabilities: { get: () => undefined } }],
    ["ask", { ask: true }],
    ["onEvent", { onEvent: {} }],
    ['grants: "Bash(git *"', { grants: ["read", "Bash(git *"] }],
    ["grants: what is no text", { grants: [7] }],
    ["grants", { grants: "read" }],
    ['"forbidenTools": there is no such option; did you mean forbiddenTools?', { forbidenTools: ["write"] }],
    ['"Scope": there is no such option; did you mean scope?', { Scope: null }],
    ['"xyz": there is no such option; there are name, ', { xyz: undefined }],
    ...["write", null, { 0: "write" }, ["write", 7], Array(1)].map((forbiddenTools): [string, object] => [
      "forbiddenTools: expected a list",
      { forbiddenTools },
    ]),
    ...["reader", [], {}, { skills: [], groups: [], forbidden: {}, protocol: [] }].map((scope): [string, object] => [
      "scope: expected null, or a scope",
      { scope },
    ]),
    ["name: expected a text", { name: null }],
    ["identity: expected a text", { identity: ["You are"] }],
    ["strict: expected true or false", { strict: "false" }],
    ["limits", { limits: 3 }],
    ["limits.deep", { limits: { deep: 3 } }],
    ...[-1, 0.5, Number.NaN, Infinity, "8", null].map((depth): [string, object] => [
      "limits.depth",
      { limits: { depth } },
    ]),
  ])("%s that cannot be used is usage.invalid", (what, parts) => {
    expect(refusalOf(parts)).toContain(`usage.invalid ${what}`);
  });

  test("every option there is can be given, or left undefined", () => {
    const scope = new SpawnRoom("read").capabilities.compose([]);
    const given = { name: "Ada", identity: "You are.", strict: false, forbiddenTools: ["write"], scope };
    expect([refusalOf(given), refusalOf({ scope: null })]).toEqual(["none", "none"]);
    const left = { name: undefined, identity: undefined, strict: undefined, forbiddenTools: undefined };
    expect(refusalOf({ ...left, scope: undefined })).toBe("none");
    const parts = { ask: async () => true, contracts: undefined, grants: [], limits: {} };
    expect(refusalOf(parts)).toBe("none");
  });

  test("a list of tools is by their names, as it is now", async () => {
    const home = new SpawnRoom("read");
    const tools = [...home.tools.values()];
    const spawner = home.spawner(sayingTurns({ calls: [["read"], ["late"]] }), { tools });
    tools.push(tool("late"));
    await accepted(await spawner.spawn({ task: "x" })).done;
    expect(home.events).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ type: "tool.denied", tool: "late" })]),
    );
    expect(home.ran).toEqual(["read"]);
  });

  test("a limit of 0 means none; what is left out is as usual", async () => {
    for (const limits of [{ depth: 0 }, { children: 0 }, { perParent: 0 }, { total: 0 }, { milliseconds: 0 }]) {
      const home = new SpawnRoom();
      const spawned = await home.spawner(sayingTurns(), { limits }).spawn({ task: "x" });
      expect([limits, spawned.status, home.models]).toEqual([limits, "forbidden", 0]);
    }
    const home = new SpawnRoom("read");
    const call = { calls: [["read"] as const] };
    expect((await home.run(sayingTurns(call), {}, { limits: { calls: 0 } })).end).toBe("finished");
    expect((await home.run(sayingTurns(call), {}, { limits: { turns: 0 } })).end).toBe("turns");
    expect(home.ran).toEqual([]);
  });
});

function tool(name: string) {
  return { name, description: name, inputSchema: {}, run: async () => name };
}
