import { describe, expect, test } from "vitest";
import { splitTools } from "./manifest.ts";

describe("SK-9: tools as authors write them", () => {
  test.each([
    ["Bash(git add *), Read", ["Bash(git add *)", "Read"]],
    ["Read Grep", ["Read", "Grep"]],
    ["Read,Grep , Write", ["Read", "Grep", "Write"]],
    ["Bash(git log --format=a,b) Read", ["Bash(git log --format=a,b)", "Read"]],
    ["Bash(a (b, c) d),Edit(src/**)", ["Bash(a (b, c) d)", "Edit(src/**)"]],
    ["Read", ["Read"]],
    ["", []],
    [" , ,", []],
    ["Bash(open Read", ["Bash(open Read"]],
    ["Read) Grep", ["Read)", "Grep"]],
  ])("%j", (text, tools) => {
    expect(splitTools(text)).toEqual(tools);
  });
});
