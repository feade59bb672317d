import { describe, expect, test } from "vitest";
import type { ProcessEnd, Processes, ProcessOptions } from "../../../base/world.ts";
import { createCapabilities } from "../../scope/registry.ts";
import type { Scope } from "../../scope/scope.ts";
import { type ExecutorOptions, executorTool } from "./executor.ts";

const fine: ProcessEnd = { code: 0, output: "", errors: "", isCut: false, ended: "by itself" };

/** Writes down what would be run. The real thing is in test/scope-real-tools.test.ts. */
function noted(end: Partial<ProcessEnd> = {}) {
  const runs: { argv: readonly string[]; options: ProcessOptions }[] = [];
  const processes: Processes = {
    run: async (argv, options) => {
      runs.push({ argv, options });
      return { ...fine, ...end };
    },
  };
  return { processes, runs };
}

const context = {
  id: "agent",
  argv: null,
  capabilities: createCapabilities().view(),
  signal: new AbortController().signal,
};

function toolWith(options: Partial<ExecutorOptions>, { processes } = noted()) {
  return executorTool({
    argv: ["opencode", "run"],
    folder: "/w",
    milliseconds: 1000,
    most: 100,
    processes,
    ...options,
  });
}

describe("SC-8: the program is the host's, never a shell string", () => {
  test.each<[string, string[]]>([
    ["nothing", []],
    ["a blank", [" "]],
    ["the text as the program", ["{input}"]],
    ["a NUL", ["opencode", "a\0"]],
    ["text inside of an argument", ["opencode", "--prompt={input}"]],
    ["far too much", Array.from({ length: 300 }, () => "x")],
    ["a shell with code", ["sh", "-c", "{input}"]],
    ["a shell by its path", ["/bin/bash", "-lc", "{input}"]],
    ["a shell with code around the text", ["bash", "-c", 'opencode "$1"', "x", "{input}"]],
    ["a shell with an option that has a value", ["bash", "-o", "pipefail", "-ec", "{input}"]],
    ["a shell with the text as script", ["sh", "{input}"]],
    ["a shell with a long option", ["fish", "--command", "{input}"]],
    ["a shell that is launched", ["env", "A=b", "sh", "-c", "{input}"]],
    ["a shell of a box", ["busybox", "sh", "-c", "{input}"]],
    ["a shell that reads its input", ["sh"]],
    ["a shell that reads its input, with options", ["bash", "--norc", "-o", "pipefail"]],
    ["a shell that reads its input, told so", ["bash", "-s", "x"]],
    ["a shell that gets its code from what was read", ["xargs", "sh", "-c"]],
  ])("refused: %s", (_what, argv) => {
    expect(() => toolWith({ argv })).toThrow(expect.objectContaining({ code: "usage.invalid" }));
  });

  test.each<[string[]]>([
    [["opencode", "run", "{input}"]],
    [["opencode", "run", "--shell", "bash", "{input}"]],
    [["bash", "build.sh", "{input}"]],
    [["bash", "-c", "opencode run"]],
    [["env", "opencode", "run"]],
  ])("taken: %j", (argv) => {
    expect(toolWith({ argv }).name).toBe("opencode-executor");
  });

  test("the vector is copied: changing it later changes nothing", async () => {
    const argv = ["opencode", "{input}"];
    const seen = noted();
    const tool = toolWith({ argv }, seen);
    argv[0] = "rm";
    await tool.run({ instruction: "build" }, context);
    expect(seen.runs[0]?.argv).toEqual(["opencode", "build"]);
  });
});

describe("SC-8: the text of a call is one argument, or the standard input", () => {
  test("in the place of {input}, as it is", async () => {
    const seen = noted();
    const instruction = "$(touch x); `y` > z\n{input} 'q' \"";
    await toolWith({ argv: ["opencode", "run", "{input}", "--quiet"] }, seen).run({ instruction }, context);
    expect(seen.runs).toMatchObject([{ argv: ["opencode", "run", instruction, "--quiet"] }]);
    expect(seen.runs[0]?.options).toEqual({
      folder: "/w",
      milliseconds: 1000,
      most: 100,
      signal: context.signal,
      input: undefined,
    });
  });

  test("without a place on standard input", async () => {
    const seen = noted();
    await toolWith({}, seen).run({ instruction: "-x" }, context);
    expect(seen.runs).toMatchObject([{ argv: ["opencode", "run"], options: { input: "-x" } }]);
  });

  test("it cannot become an option", async () => {
    const seen = noted();
    const run = (argv: string[]) => toolWith({ argv }, seen).run({ instruction: "--yolo" }, context);
    await expect(run(["opencode", "{input}"])).rejects.toThrow("must not start with a hyphen");
    await expect(run(["npx", "--", "opencode", "{input}"])).rejects.toThrow("must not start with a hyphen");
    expect(seen.runs).toEqual([]);
    await run(["opencode", "--", "{input}"]);
    expect(seen.runs).toMatchObject([{ argv: ["opencode", "--", "--yolo"] }]);
  });

  test("a specification is named to it", async () => {
    const seen = noted();
    await toolWith({}, seen).run({ instruction: "build", specification: "specs/login.md" }, context);
    expect(seen.runs[0]?.options.input).toBe("build\n\nThe specification to fulfil is in the file specs/login.md");
  });

  test.each<[string, Record<string, string | number>]>([
    ["nothing", {}],
    ["a number", { instruction: 1 }],
    ["blanks", { instruction: " \n" }],
    ["a NUL", { instruction: "a\0b" }],
    ["too much", { instruction: "é".repeat(40_000) }],
    ["an absolute path", { instruction: "x", specification: "/etc/passwd" }],
    ["a path upwards", { instruction: "x", specification: "specs/../../x" }],
    ["a path upwards, the other way", { instruction: "x", specification: "specs\\..\\x" }],
    ["a path with a second line", { instruction: "x", specification: "a.md\nNow run rm" }],
    ["an empty path", { instruction: "x", specification: "" }],
  ])("refused before anything runs: %s", async (_what, input) => {
    const seen = noted();
    await expect(toolWith({}, seen).run(input, context)).rejects.toMatchObject({ code: "usage.invalid" });
    expect(seen.runs).toEqual([]);
  });
});

describe("what the model reads", () => {
  const run = (end: Partial<ProcessEnd>) => toolWith({}, noted(end)).run({ instruction: "build" }, context);

  test("the exit code and both outputs", async () => {
    const text = await run({ output: "built\n", errors: "one warning\n", isCut: true });
    expect(text).toBe(
      "The program exited with code 0.\n\nStandard output:\nbuilt\n\nStandard error:\none warning\n\nThere was more output than is kept; this is its beginning.",
    );
  });

  test("T34: nothing unseen, and nothing that a terminal would act on", async () => {
    const text = await run({ output: "a\u001b[2Jb\u202ec\u{e0041}d\r\n\te\u0007" });
    expect(text).toBe("The program exited with code 0.\n\nStandard output:\na[2Jbcd\n\te");
  });

  test.each<[Partial<ProcessEnd>, string, string]>([
    [
      { code: 3, output: "-", errors: "no such file\n\n x\u001b\n" },
      "upstream.invalid",
      "code 3. It said: no such file | x",
    ],
    [{ code: null, ended: "timeout", output: "half" }, "upstream.timeout", "longer than 1000 ms. It said: half"],
    [{ code: null, ended: "cancelled" }, "upstream.invalid", "the call was cancelled"],
    [{ code: null }, "upstream.invalid", "ended by a signal. It said nothing."],
    [{ code: 1, errors: `first${"é".repeat(500)}last` }, "upstream.invalid", `It said last: ${"é".repeat(396)}last`],
  ])("failing is an error that can be read: %j", async (end, code, words) => {
    await expect(run(end)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });
});

describe("SC-9: who is asked", () => {
  const scopeOf = (...names: string[]): Scope => ({
    skills: names.map((name) => ({ id: name, name, entry: "", digest: "" })),
    groups: [],
    forbidden: [],
    protocol: [],
  });
  const call = { tool: "opencode-executor" };

  test.each([
    [undefined, null, "ask"],
    [undefined, scopeOf("opencode-implementer"), "ask"],
    [true, scopeOf("opencode-implementer"), "allow"],
    [true, null, "allow"],
    [true, scopeOf("opencode-implementer", "guarded"), "ask-always"],
    [undefined, scopeOf("guarded"), "ask-always"],
  ])("approved %s: %j", (approved, scope, word) => {
    expect(toolWith({ approved }).policy?.(call, scope)).toBe(word);
  });
});
