import { describe, expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import { memoryContext, memorySkill } from "../../testing/command-context.ts";
import type { SlashCommand } from "./command.ts";
import { createCommands } from "./registry.ts";
import { lineRunner } from "../../../test/support/run-line.ts";

const run = lineRunner(createCommands());

function command(name: string, act: SlashCommand["run"] = () => Promise.resolve({ is: "leave" })): SlashCommand {
  return { name, usage: "[x]", about: "a command", run: act };
}

const refusal = (...notes: readonly unknown[]) => ({ is: "reply", reply: { isError: true, notes } });

describe("AG-5: a line", () => {
  it("without a command is a message as it stands", async () => {
    expect(await run(memoryContext([]), " /usr/bin/x is broken\n")).toEqual({
      is: "message",
      text: "/usr/bin/x is broken",
      invocations: [],
    });
  });

  it.each([
    ["/hepl", "there is no command /hepl; did you mean /help?"],
    ["/clera", "there is no command /clera; did you mean /clear?"],
    ["/help.txt is missing", "there is no command /help.txt; /help lists those there are"],
    ["/tidy up", "there is no command /tidy; did you mean /skills:tidy?"],
    ["/xyzzy", "there is no command /xyzzy; /help lists those there are"],
    ["/\u001b[2J", "there is no command /\\u{1b}[2J; /help lists those there are"],
    ["/tools now", "/tools takes nothing after its name"],
    ["/skills:", expect.stringContaining("right after the colon")],
    ["", expect.stringContaining("empty")],
  ])("%j is refused with a hint, and no model is asked", async (line, note) => {
    const context = memoryContext([memorySkill("tidy")]);
    expect(await run(context, line)).toEqual(refusal(note));
    expect(context.log).toEqual([]);
  });

  it.each(["/exit", "/quit"])("%s leaves", async (line) => {
    expect(await run(memoryContext([]), line)).toEqual({ is: "leave" });
  });

  it("built-in commands win over a skill of that name, which has its own line", async () => {
    const context = memoryContext(["help", "reload", "trust"].map((name) => memorySkill(name)));
    expect(await run(context, "/help")).toMatchObject({ reply: { title: "commands" } });
    expect(await run(context, "/skills reload")).toMatchObject({ reply: { notes: ["nothing changed"] } });
    expect(await run(context, "/skills trust")).toMatchObject({ is: "reply" });
    expect(context.log).toEqual(["reload"]);
    for (const name of ["help", "reload", "trust"])
      expect(await run(context, `/skills:${name}`)).toMatchObject({ is: "message", invocations: [{ name }] });
  });

  it("/help lists every command, a host's own as well", async () => {
    const commands = createCommands([command("/deploy")]);
    const result = await lineRunner(commands)(memoryContext([]), "/help");
    const names = result.is === "reply" ? result.reply.rows?.map(({ name }) => name) : [];
    expect(names).toEqual(expect.arrayContaining(["/help", "/route <query>", "/deploy [x]", "/skills:<name> [text]"]));
    expect(names).not.toContain("/quit");
  });

  it.each(["/help", "/quit", "/skills", "/own", "deploy", "/de ploy", "/skills:x", "/a/b", "/Deploy"])(
    "a host's command cannot be named %j",
    (name) => {
      expect(() => createCommands([command("/own"), command(name)])).toThrow(
        expect.objectContaining({ code: "usage.invalid" }),
      );
    },
  );
});

describe("AG-5: a command that fails", () => {
  const failing = (thrown: unknown) => createCommands([command("/fail", () => Promise.reject(thrown))]);

  it("says why, when the error is one of ours", async () => {
    const commands = failing(new AppError("disk.failed", "the disk\nis full"));
    expect(await lineRunner(commands)(memoryContext([]), "/fail")).toEqual(refusal("the disk\\u{a}is full"));
  });

  it("says nothing of what others throw", async () => {
    const thrower = createCommands([
      command("/fail", () => {
        throw new Error("key sk-123");
      }),
    ]);
    for (const commands of [failing(new Error("key sk-123")), failing(null), thrower])
      expect(await lineRunner(commands)(memoryContext([]), "/fail")).toEqual(
        refusal("the command failed by a fault of its own"),
      );
  });

  it("was cancelled, when it was", async () => {
    const signal = AbortSignal.abort();
    const context = memoryContext([memorySkill("a")]);
    expect(await run(context, "/skills:a", signal)).toEqual(refusal("cancelled"));
    expect(context.log).toEqual([]);
  });
});
