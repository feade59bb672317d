import { describe, expect, test } from "vitest";
import type { Seen } from "../../../test/support/model-loopback.ts";
import { access, service, spoken } from "../../../test/support/sdk-services.ts";
import type { Message, Model, ToolSpec } from "../../core/model.ts";
import { sdkModel } from "./sdk.ts";

async function askedAgain(
  model: Model,
  wanted: { tool: string; input: string },
  tools: readonly ToolSpec[] = [],
): Promise<void> {
  const result: Message = { role: "tool", id: "c", tool: wanted.tool, content: "denied", isError: true };
  const messages: readonly Message[] = [
    { role: "user", content: "Rain?" },
    { role: "assistant", content: "", calls: [{ id: "c", ...wanted }] },
    result,
  ];
  await model.answer({ messages, parameters: {}, tools });
}

/** The inputs of calls, wherever a protocol has them. */
function inputsIn({ messages, contents }: Seen["body"]): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(messages ?? contents, (key, value: unknown) => {
    if (key === "arguments") found.push(JSON.parse(String(value)));
    else if (key === "input" || key === "args") found.push(value);
    return value;
  });
  return found;
}

/** The names of calls and of what became of them, wherever a protocol has them. */
function namesIn({ messages, contents }: Seen["body"]): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(messages ?? contents, (key, value: unknown) => {
    if (key === "name") found.push(value);
    return value;
  });
  return found;
}

describe("T33: what a model called before goes back to its service", () => {
  const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  test.each([
    ["", {}],
    ["  \n", {}],
    ["{}", {}],
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ["{", { malformed: "{" }],
    ["[1]", { malformed: "[1]" }],
    ['"x"', { malformed: '"x"' }],
    ["null", { malformed: "null" }],
    ["x".repeat(5000), { malformed: "x".repeat(1000) }],
    [deep, { malformed: deep.slice(0, 1000) }],
  ])("T33: an input that is no object does not keep a service from being asked again (%#)", async (input, sent) => {
    for (const protocol of spoken) {
      const { url, seen } = await service(protocol);
      await askedAgain(await sdkModel(access(protocol, url)), { tool: "weather", input });
      expect(inputsIn(seen[0]?.body ?? {})).toEqual([sent]);
    }
  });

  test.each([
    ["mcp__server.one__tool/x:y-z", "mcp__server_one__tool_x_y-z"],
    ["n".repeat(65), "n".repeat(64)],
    ["rm -rf /", "rm_-rf__"],
    ["", "unnamed"],
    ["weather\u202e", "weather_"],
    ["ⅿ".repeat(300), "_".repeat(64)],
  ])("T33: nor does a name that no tool can have (%#)", async (tool, sent) => {
    for (const protocol of spoken) {
      const { url, seen } = await service(protocol);
      await askedAgain(await sdkModel(access(protocol, url)), { tool, input: "{}" });
      const names = namesIn(seen[0]?.body ?? {});
      expect([names.length > 0, new Set(names)]).toEqual([true, new Set([sent])]);
    }
  });

  test("SC-7: the name of a tool that the request has stays as it is", async () => {
    const name = `server.one/${"n".repeat(64)}`;
    const tools = [{ name, description: "", inputSchema: { type: "object" } }];
    for (const protocol of spoken) {
      const { url, seen } = await service(protocol);
      await askedAgain(await sdkModel(access(protocol, url)), { tool: name, input: "{}" }, tools);
      expect(new Set(namesIn(seen[0]?.body ?? {}))).toEqual(new Set([name]));
    }
  });
});
