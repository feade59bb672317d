import { describe, expect, test } from "vitest";
import { whyUnknown } from "./tools/patterns.ts";
import type { CapabilityDefinition } from "./capability.ts";
import { readDefinition } from "./definition.ts";

const plain: CapabilityDefinition = {
  name: "reading",
  description: "Reads files.",
  allowedTools: ["read"],
  executionProtocol: ["look-around"],
};

/** What no type checker would let through. */
describe("what is said of a skill for itself (SC-4)", () => {
  const said = (more: Partial<CapabilityDefinition>) =>
    readDefinition({ ...plain, ...more }).findings.map(({ code, message, excerpt }) => ({ code, message, excerpt }));

  test("SC-7: an entry that allows in no known form allows nothing, and it is said", () => {
    const { skill } = readDefinition({ ...plain, allowedTools: ["read", "Bash(git", "*"] });
    expect(skill?.allowed).toEqual([{ text: "read", tools: ["read"], argument: null }]);
    expect(said({ allowedTools: ["read", "Bash(git", "*"] })).toEqual([
      { code: "scope.pattern", message: `this entry allows nothing: ${whyUnknown("Bash(git")}`, excerpt: "Bash(git" },
      {
        code: "scope.pattern",
        message: `this entry allows nothing: ${whyUnknown("*")}; write '*' alone in place of the list`,
        excerpt: "*",
      },
    ]);
  });

  test("SC-7: and why, in words", () => {
    const [cd, path] = said({ allowedTools: ["Bash(cd:*)", "Read(/etc/**)"] });
    expect(cd?.message).toMatch(/^this entry allows nothing: .*cd.*shell/);
    expect(path?.message).toMatch(/^this entry allows nothing: .*workspace/);
  });

  test("SC-7: an entry that forbids more than is written says what", () => {
    expect(said({ forbiddenTools: ["Bash(rm:*)", "Write(a/**)", "mcp__x__*", "shell"] })).toEqual([
      {
        code: "scope.pattern",
        message: "this entry forbids all of shell, not only what stands in parentheses",
        excerpt: "Bash(rm:*)",
      },
    ]);
    expect(said({ allowedTools: "*", forbiddenTools: ["no name"] })[0]?.message).toContain("forbids every tool");
  });

  test("SC-7: an entry that is read as a server says so, whichever list it is in", () => {
    const forbidden = readDefinition({ ...plain, allowedTools: "*", forbiddenTools: ["mcp__hub", "mcp__hub__*"] });
    expect(forbidden.findings.map(({ level, message, excerpt }) => [level, message, excerpt])).toEqual([
      ["info", "this entry forbids every tool whose name begins with mcp__hub__", "mcp__hub"],
    ]);
    expect(said({ allowedTools: ["mcp__hub", "mcp__my_hub", "mcp__hub__get", "mcp__hub__a__b"] })).toEqual(
      ["mcp__hub", "mcp__my_hub"].map((excerpt) => ({
        code: "scope.pattern",
        message: "this entry names a server, not a tool; name its tools",
        excerpt,
      })),
    );
  });

  test.each([
    [["Read(.env)"], ["read"]],
    [["Edit(src/generated/**)"], ["Edit(src/**)"]],
    [["Edit(docs/**)"], ["Edit(src/**)"]],
    [["patch"], ["edit"]],
    [["Read(docs)"], ["Edit(docs/a)"]],
  ])("SC-4: an exception is no overlap: forbidden %j, allowed %j", (forbiddenTools, allowedTools) => {
    expect(said({ allowedTools, forbiddenTools })).toEqual([]);
  });

  test.each([
    [["Read(**)"], ["read"]],
    [["edit"], ["patch"]],
    [["Edit(src/**)"], ["Edit(src/generated/**)"]],
    [["Read(docs)"], ["Read(Docs/a.md)"]],
    [["Edit(src/e*)"], ["Edit(src/e*)"]],
    [["mcp__hub__*"], ["mcp__hub__get"]],
  ])("SC-4: what takes all of an entry is one: forbidden %j, allowed %j", (forbiddenTools, allowedTools) => {
    expect(said({ allowedTools, forbiddenTools }).map(({ code }) => code)).toEqual(["scope.overlap"]);
  });

  test("allowed and forbidden at once", () => {
    expect(said({ allowedTools: ["Read", "list"], forbiddenTools: ["read"] })).toEqual([
      { code: "scope.overlap", message: 'what this entry allows, "read" forbids', excerpt: "Read" },
    ]);
    expect(said({ allowedTools: "*", forbiddenTools: ["read"] })).toEqual([]);
  });

  test.each([
    ["the only word", "write", "write"],
    ["the only word, in another spelling", " Bash: ", "Bash"],
    ["a first word before code", "Bash: `npm test`", "Bash"],
    ["a first word before a file", "Write docs/report.md, then stop.", "Write"],
    ["a first word before a file, with small words", "search in the src/", "search"],
    ["a first word before a hidden file", "Edit .env", "Edit"],
    ["a word in backticks", "then call `write` on it", "write"],
    ["what in backticks begins with one", "then `shell git status`", "shell"],
    ["a name that is to be used", "after that use Grep.", "Grep"],
    ["a name that is to be used, with an article", "Call the Write tool", "Write"],
    ["a distinctive word", "then comes MultiEdit", "MultiEdit"],
    ["a distinctive word with a line", "load_skill is asked; then spawn", "load_skill"],
  ])("SC-8: a step that needs what the skill does not leave: %s", (_, step, tool) => {
    expect(said({ executionProtocol: ["look-around", step] })).toEqual([
      {
        code: "scope.protocol-tool",
        message: `step 2 of the protocol needs "${tool}", which the skill itself does not leave`,
        excerpt: step,
      },
    ]);
  });

  test.each([
    ["what is allowed", "read the files"],
    ["what is allowed in another spelling", "`Read` the files"],
    ["an ordinary word inside a sentence", "then write down what you saw, and list it"],
    ["a name that only contains one", "write-down-what-you-saw"],
    ["a short name that begins with one", "write-tests"],
    ["a sentence that begins like one", "Write down what you found"],
    ["a sentence that begins like one, too", "write the report"],
    ["another one", "Edit for tone"],
    ["words with a stroke or a dot", "Write pros/cons, e.g. in a list"],
    ["a stroke in the place of a file", "search and/or ask"],
    ["short forms in the place of a file", "search e.g. for names"],
    ["what is written in bold", "search **everything**"],
    ["a noun", "Look at the Bash script and the Write permission"],
    ["what is not used", "Grep is not needed"],
    ["what is not used, in lower case", "shell commands are not used"],
    ["what is used for nothing", "spawn no process"],
    ["what must not be used", "Do not use `Bash`"],
    ["what must not be used, for short", "Don\u2019t call `Bash` or load_skill"],
    ["what is avoided", "avoid `Bash`, and work without spawn_all or MultiEdit"],
    ["a name that nobody knows", "use frobnicate_all and OtherThing"],
    ["no name at all", "「読む」 ... `` ` `"],
  ])("SC-8: nothing is said of %s", (_, step) => {
    expect(said({ executionProtocol: [step] })).toEqual([]);
  });

  test("SC-8: a star leaves all but what the skill itself forbids", () => {
    const executionProtocol = ["`write` it", "`frobnicate` it", "`shell` out"];
    const findings = said({ allowedTools: "*", forbiddenTools: ["Write", "frobnicate"], executionProtocol });
    expect(findings.map(({ excerpt }) => excerpt)).toEqual(["`write` it", "`frobnicate` it"]);
  });

  test("T26: long steps of nothing but marks cost little", () => {
    for (const part of ["`-", "/", " /", "a/", "use  ", "n'", ".a"]) {
      const step = `a${part.repeat(999)}`.slice(0, 1_000);
      expect(said({ executionProtocol: Array.from({ length: 256 }, () => step) })).toEqual([]);
    }
  });
});

/** Everything in it that could still be changed. */
