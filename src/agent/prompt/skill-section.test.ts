import { describe, expect, it } from "vitest";
import { memoryContext, type MemorySkill, memorySkill } from "../../testing/command-context.ts";
import type { Inject } from "../agent-host.ts";
import { renderSkillSection } from "./skill-section.ts";

function sectionOf(skills: readonly MemorySkill[], inject: Inject = "catalogue") {
  const context = memoryContext(skills);
  const host = { inject, key: Buffer.alloc(32, 7), budget: 65_536, skills: context.skills };
  return renderSkillSection(host, context.skills.set);
}

const written = memorySkill("planted", { standing: "session", trust: "untrusted" });

describe("AG-3: the section of the skills", () => {
  it.each([
    ["approved", {}],
    ["approved with little trust", { origin: "registry", trust: "community" }],
    ["written in this session", { standing: "session", trust: "untrusted" }],
  ] as const)("CO-11: of 400 skills, %s, its parts are those that are in it", async (_, changes) => {
    const many = Array.from({ length: 400 }, (__, at) =>
      memorySkill(`skill-${at}`, { description: `Number ${at}: ${"é<>".repeat(20)}`, ...changes }),
    );
    const { system, block, parts } = await sectionOf(many);
    const texts = { system, user: block };
    for (const { alias, place, text } of parts) {
      expect(texts[place].split("\n")).toContain(text);
      expect(text).toMatch(new RegExp(`^- ${alias}(?: |$)`));
    }
    const taken = parts.reduce((total, { text }) => total + Buffer.byteLength(text) + 1, 0);
    const whole = Buffer.byteLength(system + block);
    expect(new Set(parts.map(({ alias }) => alias)).size).toBeGreaterThan(100);
    expect(taken).toBeLessThanOrEqual(whole);
    expect(taken).toBeGreaterThan(whole - 1_000);
  });

  it.each(["catalogue", "bodies"] as const)(
    "AG-2: what was written in this session has neither name nor text in the system section (%s)",
    async (inject) => {
      const { system, block, parts } = await sectionOf([memorySkill("tea"), written], inject);
      expect(system).toContain("tea");
      expect(system).not.toContain("planted");
      expect(block).toContain("planted");
      expect(parts.map(({ alias, place }) => [alias, place])).toEqual([
        ["tea", "system"],
        ["planted", "user"],
      ]);
    },
  );

  it("is not there without skills that a model is told of", async () => {
    const hidden = [
      memorySkill("a", { standing: "unconfirmed", trust: "untrusted" }),
      memorySkill("b", { byModel: false }),
    ];
    expect(await sectionOf(hidden)).toEqual({ system: "", block: "", parts: [], findings: [] });
  });
});
