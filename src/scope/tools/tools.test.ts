import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalTools, displayName, hostTools } from "./tools.ts";

describe("SC-7: names of tools are canonical", () => {
  test.each([
    ["Read", ["read"]],
    ["LS", ["list"]],
    ["Glob", ["list"]],
    ["Grep", ["search"]],
    ["Write", ["write"]],
    ["edit", ["replace", "patch"]],
    ["Edit", ["replace", "patch"]],
    ["MultiEdit", ["replace", "patch"]],
    ["Bash", ["shell"]],
    ["mcp__server__tool", ["mcp__server__tool"]],
    ["specKit", ["specKit"]],
    ["opencode-executor", ["opencode-executor"]],
    ["functions.run/it", ["functions.run/it"]],
    // Other cases are other tools.
    ["READ", ["READ"]],
    ["bash", ["bash"]],
    ["Shell", ["Shell"]],
    ["MCP__server__tool", ["MCP__server__tool"]],
    // What objects have of their own is no alias.
    ["constructor", ["constructor"]],
    ["__proto__", ["__proto__"]],
    ["toString", ["toString"]],
    ["hasOwnProperty", ["hasOwnProperty"]],
    ["a".repeat(128), ["a".repeat(128)]],
  ])("%s", (name, tools) => {
    expect(canonicalTools(name)).toEqual(tools);
  });

  test.each(hostTools)("%s stands for itself", (name) => {
    expect(canonicalTools(name)).toEqual([name]);
  });

  test.each([
    "",
    " ",
    "*",
    "read ",
    " read",
    "read\n",
    "re ad",
    "read\u0000",
    "re\u200bad",
    "ｒｅａｄ",
    "reаd",
    "ſhell",
    "shell\u0301",
    "1read",
    "-read",
    ".read",
    "/read",
    "read*",
    "read,write",
    "read;",
    "Bash(git:*)",
    "mcp__server__*",
    "a".repeat(129),
  ])("T33: %j is no name", (name) => {
    expect(canonicalTools(name)).toEqual([]);
  });

  test("a name means what it means once more", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("aEdit_.-/*( é")) }), (name) => {
        for (const tool of canonicalTools(name)) expect(canonicalTools(tool)).toEqual([tool]);
      }),
    );
  });

  test("tools are shown by their names, and the two that edit as one", () => {
    expect(displayName(["read"])).toBe("read");
    expect(displayName(canonicalTools("MultiEdit"))).toBe("edit");
    expect(displayName(["patch", "replace"])).toBe("edit");
    expect(displayName(["patch"])).toBe("patch");
    expect(displayName(["read", "read"])).toBe("read, read");
  });
});
