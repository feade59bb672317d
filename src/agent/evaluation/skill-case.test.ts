import { describe, expect, it } from "vitest";
import { hostTools } from "../../scope/tools/tools.ts";
import { commandsIn } from "./skill-case.ts";

describe("AG-9, T44: what a case wants beyond files", () => {
  it.each([
    "shell",
    "Bash",
    "Bash(*)",
    "Bash(git log:*)",
    "shell(ls)",
    "spawn",
    "mcp__server__run",
    "mcp__server__*",
    "bash",
    "Bash ",
    " Bash",
    "Bash()",
    "Bash(a)(b)",
    "Read(a) Bash",
    "read,shell",
    "*",
    "",
    "ｓｈｅｌｌ",
    "x".repeat(300),
  ])("T44: %j is held back", (entry) => expect(commandsIn(["read", entry])).toEqual([entry]));

  it("AG-9: tools of files are not, by any of their names", () => {
    expect(commandsIn(["Read", "LS", "Glob", "Grep", "Write(docs/**)", "Edit", "MultiEdit", "edit", "patch"])).toEqual(
      [],
    );
  });

  it("T44: of all the tools there are, six are of files", () => {
    expect(commandsIn(hostTools)).toEqual(["shell", "load_skill", "read_skill_file", "find_skill", "spawn"]);
  });
});
