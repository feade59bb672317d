import { describe, expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import { type MemorySkill, memoryContext, memorySkill } from "../../testing/command-context.ts";
import type { Spawned, SpawnRequest } from "../spawn/spawn.ts";
import type { CommandContext } from "./command.ts";
import { createCommands } from "./registry.ts";
import { lineRunner } from "../../../test/support/run-line.ts";

const run = lineRunner(createCommands());
const outcome = { end: "finished", text: "all done", findings: [], predicates: [] } as const;
const accepted: Spawned = { status: "accepted", id: "s1", scope: null, findings: [], done: Promise.resolve(outcome) };

function spawning(spawned: Spawned = accepted, changes: Partial<CommandContext> = {}) {
  const asked: SpawnRequest[] = [];
  const twins: readonly MemorySkill[] = [
    memorySkill("twin", { alias: "project/twin" }),
    memorySkill("twin", { alias: "user/twin", entry: "user:twin" }),
  ];
  const spawn = (request: SpawnRequest) => {
    asked.push(request);
    return Promise.resolve(spawned);
  };
  const skills = [memorySkill("review"), memorySkill("my skill"), ...twins];
  return { asked, context: memoryContext(skills, { spawner: { spawn }, ...changes }) };
}

const review = "id of project:review";
const mine = "id of project:my skill";

describe("AG-5: /spawn", () => {
  it.each([
    ["/spawn look around", [], "look around"],
    ["/spawn -- review this", [], "review this"],
    ["/spawn review the code", [review], "the code"],
    ["/spawn review: the code", [review], "the code"],
    ["/spawn review -- review the code", [review], "review the code"],
    ["/spawn review general-executor do it: now", [review, "general-executor"], "do it: now"],
    ["/spawn project:review do it", [review], "do it"],
    ['/spawn review "my skill": the code', [review, mine], "the code"],
    ['/spawn "my skill" -- the code', [mine], "the code"],
    ['/spawn "look" around', [], '"look" around'],
    ['/spawn "open quote', [], '"open quote'],
    ["/spawn project/twin\ngo on\nand on", ["id of project:twin"], "go on\nand on"],
    ["/spawn review a -- b", [review], "a -- b"],
  ])("%j", async (line, skills, task) => {
    const { asked, context } = spawning();
    const { signal } = new AbortController();
    const result = await run(context, line, signal);
    expect(result).toMatchObject({ reply: { title: "the sub-agent finished", text: "all done" } });
    expect(asked).toEqual([{ task, skills, signal }]);
  });

  it.each([
    ["/spawn", "what is the task? /spawn <skills…> <task>"],
    ["/spawn review", "what is the task? /spawn <skills…> <task>"],
    ["/spawn review --", "what is the task? /spawn <skills…> <task>"],
    ["/spawn reveiw the code", expect.stringContaining('"reveiw" is no skill: did you mean review?')],
    ["/spawn reveiw: the code", expect.stringContaining('"reveiw" is no skill: did you mean review?')],
    ["/spawn review genral-executor -- go", expect.stringContaining("did you mean general-executor?")],
    ["/spawn twin go", expect.stringContaining('"twin" is the name of several skills')],
    [`/spawn ${"review ".repeat(65)}go`, "more than 64 skills for one sub-agent"],
    ["/spawn twin: go", expect.stringContaining('"twin" is the name of several skills')],
  ])("%.60j starts nothing: a scope that is misspelt would be none", async (line, note) => {
    const { asked, context } = spawning();
    expect(await run(context, line)).toEqual({ is: "reply", reply: { isError: true, notes: [note] } });
    expect(asked).toEqual([]);
  });

  it("starts nothing with a skill that cannot be used", async () => {
    const capability = () => Promise.reject(new AppError("entry.unusable", "review: no scope can be made of it"));
    const { asked, context } = spawning(accepted, { capability });
    expect(await run(context, "/spawn review go")).toMatchObject({
      reply: { isError: true, notes: ["review: no scope can be made of it"] },
    });
    expect(asked).toEqual([]);
  });

  it("tells why none was started, and how one ended", async () => {
    const forbidden = spawning({ status: "forbidden", error: "too deep", findings: [] }).context;
    expect(await run(forbidden, "/spawn go")).toMatchObject({ reply: { isError: true, notes: ["too deep"] } });
    const errors = [{ code: "UNKNOWN_TOOL", skill: "review", reason: "there is no tool x" }] as const;
    const refused = spawning({ status: "error", error: "no", errors }).context;
    expect(await run(refused, "/spawn go")).toMatchObject({ reply: { notes: ["review: there is no tool x"] } });
    const late = spawning({ ...accepted, done: Promise.resolve({ ...outcome, end: "timeout" }) }).context;
    expect(await run(late, "/spawn go")).toMatchObject({
      reply: { title: "the sub-agent ran out of time", isError: true, text: "all done" },
    });
  });
});
