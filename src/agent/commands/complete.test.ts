import { describe, expect, it } from "vitest";
import { memoryContext, memorySkill } from "../../testing/command-context.ts";
import { createCommands } from "./registry.ts";

const { complete } = createCommands();
const texts = (context: ReturnType<typeof memoryContext>, line: string) =>
  complete(context, line).items.map(({ text }) => text);

const few = () => memoryContext([memorySkill("Apple"), memorySkill("bread"), memorySkill("my skill")]);
const names = ["/skills:Apple", "/skills:bread", '/skills:"my skill"'];

describe("AG-6: completion", () => {
  it("on a slash: the commands, with what they do", () => {
    expect(texts(few(), "/")).toEqual([
      "/help",
      "/skills",
      "/context",
      "/route",
      "/spawn",
      "/scope",
      "/tools",
      "/rules",
      "/new",
      "/clear",
      "/compact",
      "/exit",
    ]);
    expect(complete(few(), "/he")).toEqual({ start: 0, items: [{ text: "/help", about: "what can be typed here" }] });
  });

  it("/quit is known, and not offered", () => {
    expect(texts(few(), "/q")).toEqual([]);
  });

  it("on /skills: its own words and all names", () => {
    expect(texts(few(), "/skills")).toEqual(["/skills reload", "/skills trust", ...names]);
    expect(texts(few(), "/skills r")).toEqual(["/skills reload"]);
    expect(texts(few(), "/skills ")).toEqual(["/skills reload", "/skills trust"]);
  });

  it("on /skills: and a colon: only names, with descriptions", () => {
    expect(complete(few(), "/skills:")).toEqual({
      start: 0,
      items: [
        { text: "/skills:Apple", about: "About Apple." },
        { text: "/skills:bread", about: "About bread." },
        { text: '/skills:"my skill"', about: "About my skill." },
      ],
    });
  });

  it.each([
    ["/skills:a", ["/skills:Apple"]],
    ["/SKILLS:B", ["/skills:bread"]],
    ["/skills:m", ['/skills:"my skill"']],
    ['/skills:"my s', ['/skills:"my skill"']],
    ["/skills:x", []],
    ["/skills:bread", []],
    ["/scope", ["/scope clear"]],
    ["/rules t", ["/rules trust"]],
  ])("%j becomes %j", (line, items) => {
    expect(texts(few(), line)).toEqual(items);
  });

  it("behind a skill and a blank: the others, and from where on", () => {
    expect(complete(few(), "/skills:bread ").start).toBe(14);
    expect(texts(few(), "/skills:bread ")).toEqual(["/skills:Apple", '/skills:"my skill"']);
    expect(complete(few(), '  /skills:"my skill"  /sk').start).toBe(22);
    expect(texts(few(), '  /skills:"my skill"  /sk')).toEqual(["/skills:Apple", "/skills:bread"]);
    expect(texts(few(), "/skills:Apple /skills")).toEqual(["/skills:bread", '/skills:"my skill"']);
    expect(texts(few(), "/skills:bread /skills:a")).toEqual(["/skills:Apple"]);
  });

  it.each(["", "hello", "say /skills:", "/skills:bread text", "/skills:bread text /skills:", "/skills:bread /he"])(
    "%j completes nothing",
    (line) => {
      expect(complete(few(), line)).toMatchObject({ items: [] });
    },
  );

  it("always the set of now", () => {
    const context = few();
    context.put([memorySkill("late")]);
    expect(texts(context, "/skills:")).toEqual(["/skills:late"]);
  });

  it("what cannot be called is not offered", () => {
    const context = memoryContext([
      memorySkill("a", { unusable: "no" }),
      memorySkill("b", { byPerson: false }),
      memorySkill("c", { standing: "unconfirmed" }),
    ]);
    expect(texts(context, "/skills:")).toEqual(["/skills:c"]);
  });

  it("a skill named like a word of /skills, or like a command, has its own line", () => {
    const context = memoryContext([memorySkill("help"), memorySkill("reload"), memorySkill("trust")]);
    expect(texts(context, "/help")).toEqual([]);
    expect(texts(context, "/skills")).toEqual([
      "/skills reload",
      "/skills trust",
      "/skills:help",
      "/skills:reload",
      "/skills:trust",
    ]);
  });

  it("at most 1,000, the first of them in order", () => {
    const many = Array.from({ length: 1200 }, (_, at) => memorySkill(`s${String(at).padStart(4, "0")}`));
    const offered = texts(memoryContext(many), "/skills:");
    expect(offered).toHaveLength(1000);
    expect(offered.at(-1)).toBe("/skills:s0999");
    expect(texts(memoryContext(many), "/skills:s049")).toHaveLength(10);
  });

  it("T34: nothing unseen gets into the line, and none of it into what is said", () => {
    const context = memoryContext([
      memorySkill("a", { alias: "a\u001b[2J" }),
      memorySkill("b", { description: "\u001b[2J" }),
    ]);
    expect(complete(context, "/skills:").items).toEqual([{ text: "/skills:b", about: "\\u{1b}[2J" }]);
  });

  it("a host's extension offers below its prefix; one that fails takes nothing away", () => {
    const broken = {
      prefix: "/deploy",
      commands: () => {
        throw new Error("no");
      },
    };
    const ours = { prefix: "/deploy", commands: () => [{ text: "/deploy now", about: "at once" }] };
    const deploy = { name: "/deploy", usage: "[now]", about: "deploys", run: () => Promise.reject(new Error("no")) };
    const commands = createCommands([deploy], [broken, ours]);
    expect(commands.complete(few(), "/d").items).toEqual([{ text: "/deploy", about: "deploys" }]);
    expect(commands.complete(few(), "/deploy").items).toEqual([{ text: "/deploy now", about: "at once" }]);
  });
});
