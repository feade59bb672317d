import { describe, expect, it } from "vitest";
import { memoryContext, memorySkill } from "../../testing/command-context.ts";
import { createCommands } from "./registry.ts";
import { lineRunner } from "../../../test/support/run-line.ts";

const run = lineRunner(createCommands());

describe("AG-5: /skills", () => {
  it("lists what each is called by and what it is for, and marks what to know of it", async () => {
    const context = memoryContext([
      memorySkill("a", { argumentHint: "<file>" }),
      memorySkill("b c", { standing: "unconfirmed", description: "with\u001b[2J escapes" }),
      memorySkill("d", { standing: "session" }),
      memorySkill("e", { standing: "unconfirmed", unusable: "no description" }),
      memorySkill("f", { byPerson: false }),
    ]);
    expect(await run(context, "/skills")).toEqual({
      is: "reply",
      reply: {
        title: "5 skills, 1 unconfirmed, generation 1",
        rows: [
          { name: "/skills:a <file>", about: "About a." },
          { name: '/skills:"b c"', about: "unconfirmed · with\\u{1b}[2J escapes", tone: "warn" },
          { name: "/skills:d", about: "written in this session · About d.", tone: "warn" },
          { name: "/skills:e", about: "unusable: no description · About e.", tone: "bad" },
          { name: "/skills:f", about: "for the model alone · About f.", tone: "dim" },
        ],
        notes: [expect.stringContaining("/skills trust")],
        findings: [],
      },
    });
  });

  it("has a hint when there are none", async () => {
    expect(await run(memoryContext([]), "/skills")).toMatchObject({
      reply: { notes: ["no skills here: skillward new <name>, or skillward add owner/repo"] },
    });
  });

  it("a list that nobody reads to its end is cut, with a word", async () => {
    const many = Array.from({ length: 501 }, (_, at) => memorySkill(`s${at}`));
    expect(await run(memoryContext(many), "/skills")).toMatchObject({
      reply: { rows: { length: 500 }, notes: ["and 1 more skill"] },
    });
  });

  it.each([
    ["/skills relaod", '/skills does not know "relaod"; did you mean /skills reload?'],
    ["/skills tidy", "a skill is invoked with a colon: /skills:tidy"],
    ["/skills what", '/skills does not know "what"; there are /skills reload and /skills trust'],
    ["/skills reload now", "/skills reload takes nothing after it: all skills are read"],
  ])("%j is refused", async (line, note) => {
    expect(await run(memoryContext([memorySkill("tidy")]), line)).toEqual({
      is: "reply",
      reply: { isError: true, notes: [note] },
    });
  });

  it("AG-4: /skills reload tells of what changed, by name", async () => {
    const change = { generation: 7, added: ["a"], changed: ["b", "c"], removed: ["d"], confirmed: [], findings: [] };
    const context = memoryContext([memorySkill("a")], { reload: () => Promise.resolve(change) });
    expect(await run(context, "/skills reload")).toMatchObject({
      reply: { title: "1 skill, generation 7", notes: ["added: a", "changed: b, c", "removed: d"] },
    });
  });
});

describe("AG-2: /skills trust", () => {
  const skills = () => [
    memorySkill("known"),
    memorySkill("new", { standing: "unconfirmed", asks: ["Bash(git:*)"] }),
    memorySkill("my own", { standing: "session" }),
    memorySkill("torn", { standing: "unconfirmed", unusable: "no SKILL.md" }),
    memorySkill("evil", { standing: "unconfirmed", fails: "SKILL.md:3 asks to be obeyed" }),
  ];

  it("without a name: all that are unconfirmed and can be used, without what they ask for; what blocks is not", async () => {
    const context = memoryContext(skills());
    expect(await run(context, "/skills trust")).toMatchObject({
      reply: {
        title: "1 skill confirmed",
        isError: true,
        rows: [
          { name: "/skills:new", about: expect.stringContaining("not granted"), tone: "good" },
          { name: "/skills:evil", about: "not confirmed: SKILL.md:3 asks to be obeyed", tone: "bad" },
        ],
        notes: [expect.stringMatching(/^Confirmed: exactly these bytes/)],
      },
    });
    expect(context.log).toEqual(["confirm new"]);
  });

  it("with names: those, and what the agent wrote itself only so", async () => {
    const context = memoryContext(skills());
    expect(await run(context, '/skills trust "my own" known')).toMatchObject({
      reply: { title: "2 skills confirmed", rows: [{ about: "asks for nothing" }, { about: "asks for nothing" }] },
    });
    expect(context.log).toEqual(["confirm my own, known with grants"]);
  });

  it.each([
    "/skills trust new nwe",
    '/skills trust new "open',
    "/skills trust evil",
    `/skills trust${" new".repeat(101)}`,
  ])("%.40j confirms nothing", async (line) => {
    const context = memoryContext(skills());
    expect(await run(context, line)).toMatchObject({ reply: { isError: true } });
    expect(context.log).toEqual([]);
  });

  it("says whose a finding is", async () => {
    const files = { "SKILL.md": "---\nname: a\ndescription: A.\nunheard-of: 1\n---\nA.\n" };
    const context = memoryContext([memorySkill("a", { path: "tools/a", standing: "unconfirmed", files })]);
    expect(await run(context, "/skills trust")).toMatchObject({
      reply: {
        findings: expect.arrayContaining([expect.objectContaining({ at: { file: "tools/a/SKILL.md", line: 4 } })]),
      },
    });
  });

  it("says so when there is nothing to confirm, or when the skill changed meanwhile", async () => {
    const context = memoryContext([memorySkill("known")]);
    expect(await run(context, "/skills trust")).toMatchObject({
      reply: { notes: ["nothing to confirm: no skill that can be used is unconfirmed"] },
    });
    context.put([memorySkill("a", { standing: "unconfirmed" })]);
    context.skills.confirm = () => {
      context.put([memorySkill("a", { standing: "unconfirmed", digest: "0".repeat(64) })]);
      return context.skills.reload();
    };
    expect(await run(context, "/skills trust")).toMatchObject({
      reply: {
        title: "0 skills confirmed",
        rows: [{ about: "not confirmed: it changed meanwhile", tone: "bad" }],
        notes: [],
        isError: true,
      },
    });
  });
});
