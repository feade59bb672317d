import { describe, expect, test } from "vitest";
import type { ProcessEnd, Processes, ProcessOptions } from "../../core/world.ts";
import { createCapabilities } from "../../scope/registry.ts";
import type { Scope } from "../../scope/scope.ts";
import { type ExecutorOptions, executorTool } from "./executor.ts";

const fine: ProcessEnd = { code: 0, output: "", errors: "", isCut: false, ended: "by itself" };

/** Writes down what would be run. The real thing is in test/scope/scope-real-tools.test.ts. */
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
    outputBytes: 100,
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
    ["a shell whose code is what was read", ["xargs", "-I", "X", "sh", "-c", "X"]],
    ["a shell in a container", ["docker", "exec", "box", "sh", "-c", "{input}"]],
    ["a shell in a sandbox", ["bwrap", "--ro-bind", "/", "/", "--", "bash", "-c", "{input}"]],
    ["a shell in a namespace", ["unshare", "-r", "sh", "-c", "{input}"]],
    ["a shell in another root", ["chroot", "/x", "/bin/sh", "-c", "{input}"]],
    ["a shell with other rights", ["setpriv", "--no-new-privs", "dash", "-c", "{input}"]],
    ["a shell that another program starts", ["find", ".", "-exec", "sh", "-c", "{input}", ";"]],
    ["a shell with a script, for it may be anything", ["bash", "build.sh", "{input}"]],
    ["a shell as the value of an option", ["opencode", "run", "--shell", "bash", "{input}"]],
    ["a shell of somebody", ["su", "bob", "-c", "{input}"]],
    ["a shell that is recorded", ["script", "-qc", "{input}"]],
    ["a shell again and again", ["watch", "-n", "5", "{input}"]],
    ["a shell elsewhere", ["ssh", "box", "{input}"]],
    ["a shell that is restricted", ["rbash", "-c", "{input}"]],
    ["a shell by its version", ["/bin/bash-5.2", "-c", "{input}"]],
    ...["ash", "csh", "dash", "fish", "ksh93", "pwsh.exe", "tcsh", "zsh"].map((shell): [string, string[]] => [
      shell,
      [shell, "-c", "{input}"],
    ]),
    ["the text as the program of a launcher", ["env", "{input}"]],
    ["the same, behind what it sets", ["env", "-i", "-u", "A", "B=c", "{input}"]],
    ["the same, split", ["env", "-S", "{input}"]],
    ["the same, behind a duration", ["timeout", "-k", "5", "10", "{input}"]],
    ["the same, behind an option's value", ["nice", "-n", "5", "{input}"]],
    ["the same, as somebody", ["sudo", "-u", "bob", "--", "{input}"]],
    ["the same, by two launchers", ["nohup", "stdbuf", "-o", "L", "{input}"]],
    ...["setsid", "xargs", "time", "doas"].map((name): [string, string[]] => [name, [name, "{input}"]]),
    ["the input for a shell behind launchers", ["sudo", "-u", "bob", "timeout", "5", "bash"]],
    ["the input for a shell with other rights", ["setpriv", "sh"]],
    ["the input for a shell in a container", ["sudo", "docker", "exec", "-i", "box", "sh"]],
    ["the input for a restricted shell", ["rbash"]],
    ["the input for a shell of somebody", ["su", "bob"]],
    ["the input for a shell that is recorded", ["script", "log.txt"]],
    ["the input for a shell elsewhere", ["ssh", "box"]],
    ["code for Node", ["node", "-e", "{input}"]],
    ["code for Node, behind options", ["docker", "exec", "box", "node", "--import", "tsx", "-p", "{input}"]],
    ["code for Python", ["/usr/bin/python3.11", "-W", "ignore", "-Ic", "{input}"]],
    ["code for Perl, behind other code", ["perl", "-e", "1;", "-e", "{input}"]],
    ["code for Ruby", ["ruby", "-ne", "{input}"]],
    ["code for PHP", ["php", "-d", "a=b", "-r", "{input}"]],
    ["a program of awk", ["awk", "{input}"]],
    ["a program of awk, behind a value", ["mawk", "-F", ":", "--", "{input}"]],
    ["a program of awk, behind its option", ["gawk", "-v", "a=b", "-e", "{input}"]],
    ["a program of awk, by its path", ["/usr/bin/nawk", "{input}", "file"]],
    ["code for Deno", ["deno", "eval", "{input}"]],
    ["a script for Deno", ["deno", "run", "-A", "--ext", "ts", "{input}"]],
    ["code for Bun", ["bun", "-e", "{input}"]],
    ["a script for Bun", ["bun", "run", "{input}"]],
    ["code for R", ["Rscript", "--vanilla", "-e", "{input}"]],
    ["code for AppleScript", ["osascript", "-l", "JavaScript", "-e", "{input}"]],
    ["a script for Tcl", ["tclsh8.6", "-encoding", "utf-8", "{input}"]],
    ["code for Lua", ["lua5.4", "-e", "{input}"]],
    ["code for Groovy", ["groovy", "-cp", "x.jar", "-e", "{input}"]],
    ["a script for Java's shell", ["jshell", "--class-path", "x.jar", "{input}"]],
    ...["deno", "Rscript", "osascript", "tclsh", "lua", "groovy", "jshell", "bun"].map((name): [string, string[]] => [
      `the input as code for ${name}`,
      ["env", name, "-"],
    ]),
    ["the input as a program of awk", ["awk", "-f", "-"]],
    ["a shell for later", ["at", "now", "{input}"]],
    ["a shell for when there is time", ["batch", "{input}"]],
    ["a shell's own command", ["command", "eval", "{input}"]],
    ["a shell behind a window", ["tmux", "new-session", "-d", "{input}"]],
    ["a shell behind another", ["screen", "-dm", "{input}"]],
    ["the input for a shell for later", ["at", "now"]],
    ["the input for a shell when there is time", ["batch"]],
    ["the input for a shell behind a window", ["tmux", "-C", "attach"]],
    ...["-exec", "-execdir", "-ok", "-okdir"].map((option): [string, string[]] => [
      `the text as a program behind ${option}`,
      ["find", ".", option, "{input}", ";"],
    ]),
    ["a script for Node", ["env", "node", "--", "{input}"]],
    ["the input as code for Node", ["node"]],
    ["the input as code for Python", ["timeout", "5", "python3", "-u", "-"]],
  ])("refused: %s", (_what, argv) => {
    expect(() => toolWith({ argv })).toThrow(expect.objectContaining({ code: "usage.invalid" }));
  });

  test.each<[string[]]>([
    [["opencode", "run", "{input}"]],
    [["promptfoo", "eval", "{input}"]],
    [["agent", "batch", "{input}"]],
    [["opencode", "run", "{input}", "--shell", "bash"]],
    [["bash", "-c", "opencode run"]],
    [["bash", "build.sh"]],
    [["su", "bob", "-s", "/bin/sh", "-c", "opencode run"]],
    [["ssh", "box", "opencode", "run"]],
    [["env", "opencode", "run"]],
    [["env", "-i", "A=b", "opencode", "{input}"]],
    [["timeout", "-k", "5", "10", "opencode", "{input}"]],
    [["sudo", "-u", "bob", "nice", "-n", "5", "opencode", "{input}"]],
    [["docker", "exec", "-i", "box", "opencode", "run"]],
    [["xargs", "opencode", "run"]],
    [["node", "agent.mjs", "-p", "{input}"]],
    [["node", "agent.mjs"]],
    [["node", "-e", "work(process.argv[1])", "{input}"]],
    [["python3", "-m", "agent", "{input}"]],
    [["python3", "-c", "import agent"]],
    [["awk", "-f", "agent.awk", "{input}"]],
    [["awk", "{ print }"]],
    [["deno", "run", "-A", "agent.ts", "{input}"]],
    [["deno", "run", "agent.ts"]],
    [["bun", "run", "agent.ts", "{input}"]],
    [["Rscript", "agent.R", "{input}"]],
    [["tclsh", "agent.tcl"]],
    [["at", "-f", "job.sh", "now"]],
    [["find", ".", "-exec", "agent", "{input}", ";"]],
  ])("taken: %j", (argv) => {
    expect(toolWith({ argv }).name).toBe("opencode-executor");
  });

  test.each<[string, unknown]>([
    ["a line for a shell", "opencode run"],
    ["nothing", undefined],
    ["a number in it", ["timeout", 5, "opencode"]],
    // oxlint-disable-next-line no-sparse-arrays
    ["a hole in it", ["opencode", , "run"]],
  ])("what is no list of texts is refused with what to do: %s", (_what, argv) => {
    const code = "usage.invalid";
    const message = expect.stringMatching(/`argv`\) has .*texts/);
    expect(() => toolWith({ argv: argv as string[] })).toThrow(expect.objectContaining({ code, message }));
  });

  test.each<[Partial<Record<keyof ExecutorOptions, unknown>>, string]>([
    [{ folder: "w" }, "absolute folder, not w"],
    [{ folder: undefined }, "absolute folder, not something else"],
    [{ folder: "/w\0" }, "absolute folder"],
    ...["milliseconds", "outputBytes"].flatMap((name) =>
      [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null].map(
        (value): [Partial<Record<keyof ExecutorOptions, unknown>>, string] => [{ [name]: value }, `${name}: expected`],
      ),
    ),
  ])("refused when it is made, not when a model calls it: %j", (options, message) => {
    const refused = { code: "usage.invalid", message: expect.stringContaining(message) };
    expect(() => toolWith(options as Partial<ExecutorOptions>)).toThrow(expect.objectContaining(refused));
  });

  test("without bounds it has the usual ones", async () => {
    const seen = noted();
    await executorTool({ argv: ["opencode"], folder: "/w", ...seen }).run({ instruction: "x" }, context);
    expect(seen.runs[0]?.options).toMatchObject({ milliseconds: 600_000, outputBytes: 262_144 });
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
      outputBytes: 100,
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
