import { describe, expect, test } from "vitest";
import { handScope } from "../../../test/scope/hand-scope.ts";
import type { ToolCall } from "../tools/tools.ts";
import { createGate, type Denial, type GateOptions, ToolDenied } from "./gated.ts";

const scope = handScope(["Read", "Bash(git:*)"], ["write"]);

async function denialOf(options: GateOptions, call: ToolCall): Promise<ToolDenied> {
  const outcome = await createGate(options)
    .check(call)
    .catch((error: unknown) => error);
  if (outcome instanceof ToolDenied) return outcome;
  throw new Error(`not denied: ${JSON.stringify(outcome)}`);
}

describe("SC-7: a gate", () => {
  test("lets through what the scope allows, and a command as the words that were judged", async () => {
    const gate = createGate({ scope });
    expect(await gate.check({ tool: "read", paths: ["docs/a.md"] })).toEqual({ argv: null });
    expect(await gate.check({ tool: "shell", command: "git log 'a b'" })).toEqual({ argv: ["git", "log", "a b"] });
  });

  test("denies with a code and a text for the model", async () => {
    const forbidden = await denialOf({ scope }, { tool: "write" });
    expect(forbidden).toMatchObject({ code: "TOOL_FORBIDDEN", tool: "write", by: ["acme/deploy"] });
    expect(forbidden.message).toMatch(/^TOOL_FORBIDDEN: the call of write did not run: /);
    expect(forbidden.message).toContain("No other spelling");
    const other = await denialOf({ scope }, { tool: "list" });
    expect(other).toMatchObject({ code: "TOOL_NOT_ALLOWED", by: ["acme/deploy"] });
  });

  test.each(["Write", "WRITE", "write ", "wr\u0456te", "", "constructor", "__proto__", "*", "Read(*)"])(
    "T33: denies the spelling %j",
    async (tool) => {
      expect((await denialOf({ scope }, { tool })).code).toMatch(/^TOOL_/);
    },
  );

  test.each(["git status; rm -rf /", "git $(id)", "env git", "git -c alias.x='!sh' x", "git log\nid"])(
    "T33: denies the command %j",
    async (command) => {
      expect(await denialOf({ scope }, { tool: "Bash", command })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    },
  );

  test("without a scope everything of the host's is let through, and names are still names", async () => {
    expect(await createGate({ scope: null }).check({ tool: "anything" })).toEqual({ argv: null });
    expect(await denialOf({ scope: null }, { tool: "any thing" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
  });

  test("T33: a tool that is added to the catalogue later does not exist", async () => {
    const catalogue = ["read"];
    const gate = createGate({ scope: null, catalogue });
    catalogue.push("late");
    await expect(gate.check({ tool: "late" })).rejects.toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    expect([gate.mayAllow("read"), gate.mayAllow("late")]).toEqual([true, false]);
  });

  test("says which tools some call of may pass", () => {
    const gate = createGate({ scope });
    const tools = ["read", "Read", "shell", "write", "list", "no name", "constructor"];
    expect(tools.filter((tool) => gate.mayAllow(tool))).toEqual(["read", "Read", "shell"]);
    expect(tools.filter((tool) => createGate({ scope: null }).mayAllow(tool))).toEqual(
      tools.filter((tool) => tool !== "no name"),
    );
  });
});

describe("SC-7: the host's own word", () => {
  test("comes before the scope", async () => {
    const policy = () => "deny" as const;
    expect(await denialOf({ scope: handScope("*"), policy }, { tool: "read" })).toMatchObject({ by: [] });
  });

  test("a policy that throws denies", async () => {
    const policy = () => {
      throw new Error("broken");
    };
    expect(await denialOf({ scope: null, policy }, { tool: "read" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
  });

  test("T44: what the workspace forbids is forbidden, with a scope and without one", async () => {
    for (const held of [scope, null])
      expect(await denialOf({ scope: held, forbiddenTools: ["Read"] }, { tool: "read" })).toMatchObject({
        code: "TOOL_FORBIDDEN",
        by: ["workspace"],
      });
  });

  test("a grant stands for a person, but never for the scope", async () => {
    const options: GateOptions = { scope, policy: () => "ask", grants: ["Read", "list"] };
    expect(await createGate(options).check({ tool: "read" })).toEqual({ argv: null });
    expect(await denialOf(options, { tool: "list" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    for (const grants of [["not a form("], [JSON.parse("{}")]])
      expect(() => createGate({ ...options, grants })).toThrow(expect.objectContaining({ code: "usage.invalid" }));
  });

  test("what has to be asked is denied when nobody can be", async () => {
    const denied = await denialOf({ scope, policy: () => "ask" }, { tool: "read" });
    expect(denied).toMatchObject({ code: "TOOL_NOT_ALLOWED", by: [] });
    expect(denied.why).toContain("nobody can be asked");
  });

  test.each([
    ["no", () => false],
    ["something that is not yes", () => JSON.parse('"yes"')],
    ["a failure", () => Promise.reject(new Error("gone"))],
  ])("%s is no agreement", async (_, ask) => {
    const denied = await denialOf({ scope, policy: () => "ask", ask }, { tool: "read" });
    expect(denied.why).toContain("did not agree");
  });

  test("yes lets through what was asked about", async () => {
    const asked: ToolCall[] = [];
    const ask = async (call: ToolCall) => asked.push(call) > 0;
    const gate = createGate({ scope, policy: () => "ask", ask });
    expect(await gate.check({ tool: "shell", command: "git status" })).toEqual({ argv: ["git", "status"] });
    expect(asked).toEqual([{ tool: "shell", command: "git status", paths: undefined }]);
    await expect(gate.check({ tool: "write" })).rejects.toThrow(ToolDenied);
    expect(asked).toHaveLength(1);
  });
});

describe("SC-7: what was denied is told", () => {
  test("once per call, with the call and the reason", async () => {
    const told: [ToolCall, Denial][] = [];
    const gate = createGate({ scope, onDenied: (call, denial) => told.push([call, denial]) });
    await gate.check({ tool: "read" });
    await gate.check({ tool: "write" }).catch(() => {});
    await gate.refuse({ tool: "read" }, "no reason").catch(() => {});
    expect(told.map(([{ tool }, { code }]) => [tool, code])).toEqual([
      ["write", "TOOL_FORBIDDEN"],
      ["read", "TOOL_NOT_ALLOWED"],
    ]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("full"))],
  ])("a listener that %s changes nothing", async (_, onDenied) => {
    expect(await denialOf({ scope, onDenied }, { tool: "write" })).toMatchObject({ code: "TOOL_FORBIDDEN" });
  });
});

describe("T33: a call is read once", () => {
  test("names and commands that change between two reads", async () => {
    const names = ["read", "write"];
    const call = {
      get tool() {
        return names.shift() ?? "write";
      },
    };
    expect(await createGate({ scope }).check(call)).toEqual({ argv: null });
    expect(names).toEqual(["write"]);
  });

  test("paths are copied: what is asked about and written down is what was judged", async () => {
    const paths = ["docs/a.md"];
    const told: ToolCall[] = [];
    const ask = (call: ToolCall) => {
      told.push(call);
      paths[0] = ".env";
      paths.push("more");
      return false;
    };
    const onDenied = (call: ToolCall) => told.push(call);
    const denied = await denialOf({ scope, policy: () => "ask", ask, onDenied }, { tool: "read", paths });
    expect(denied.why).toContain("did not agree");
    expect(paths).toEqual([".env", "more"]);
    expect(told.map((call) => call.paths)).toEqual([["docs/a.md"], ["docs/a.md"]]);
  });

  test("a policy cannot change what is judged after it", async () => {
    const policy = (call: ToolCall) => {
      Reflect.set(call, "tool", "read");
      return "allow" as const;
    };
    expect(await denialOf({ scope, policy }, { tool: "write" })).toMatchObject({ tool: "write" });
  });

  test.each([null, undefined, 7, {}, { tool: 7 }, { tool: "read", paths: 7 }])("%j is denied", async (call) => {
    const gate = createGate({ scope: null });
    await expect(gate.check(call as unknown as ToolCall)).rejects.toThrow(ToolDenied);
  });

  test("a getter that throws is denied", async () => {
    const call = {
      get tool(): string {
        throw new Error("no");
      },
    };
    await expect(createGate({ scope: null }).check(call)).rejects.toThrow(ToolDenied);
  });
});
