import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../../../test/support/refusal.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { composeSkills } from "./compose-folder.ts";
import { chooseSkills, type FolderSkill, type FolderSkills, loadFolderSkills } from "../bundles/folder-skills.ts";

const key = new Uint8Array(32).fill(7);

function skillText(name: string, body: string, more = ""): string {
  return `---\nname: ${name}\ndescription: Says how to ${name}.\n${more}---\n${body}\n`;
}

/** The skills of a folder in memory: SKILL.md by the path of its folder. */
function load(texts: Readonly<Record<string, string>>, source?: string): Promise<FolderSkills> {
  const tree = Object.entries(texts).map(([path, text]) => [`/skills/${path ? `${path}/` : ""}SKILL.md`, text]);
  return loadFolderSkills({ files: memoryFiles(Object.fromEntries(tree)), clock: fixedClock(0) }, "/skills", source);
}

const three = {
  a: skillText("drawing", "Draw boxes."),
  b: skillText("naming", "Name things."),
  "c/d": skillText("writing", "Write."),
};

describe("CO-1: the skills of a folder", () => {
  test("CO-1: all of them in the order of the walk, each with an id of its place", async () => {
    const { skills, findings } = await load(three);
    expect(skills.map(({ entry, name, unusable }) => [entry, name, unusable])).toEqual([
      ["folder:a", "drawing", null],
      ["folder:b", "naming", null],
      ["folder:c/d", "writing", null],
    ]);
    expect(findings).toEqual([]);
  });

  test("SK-11: a folder that is itself a skill is that skill", async () => {
    const { skills } = await load({ "": skillText("skills", "All.") }, "mine");
    expect(skills.map(({ entry, name }) => [entry, name])).toEqual([["mine:", "skills"]]);
  });

  test("SK-15: chosen by name in any case, by path or by id, in the order asked for and once", async () => {
    const { skills } = await load(three);
    const chosen = chooseSkills(skills, ["WRITING", "folder:a", "b", "drawing"]);
    expect(chosen.map(({ name }) => name)).toEqual(["writing", "drawing", "naming"]);
  });

  test("SK-15: a name that nobody has is refused with the nearest", async () => {
    const { skills } = await load(three);
    expect(refusal(() => chooseSkills(skills, ["wirting"]))).toBe(
      'record.missing the folder has no skill "wirting"; did you mean writing?',
    );
    expect(refusal(() => chooseSkills(skills, ["cooking\u202e"]))).toBe(
      'record.missing the folder has no skill "cooking\\u{202e}"; it has drawing, naming, writing',
    );
  });

  test("SK-15: a name that two have is refused with their places, also when it is the path of one", async () => {
    const { skills } = await load({ naming: skillText("naming", "One."), other: skillText("naming", "Two.") });
    const said = 'usage.invalid several skills are named "naming": folder:naming, folder:other; name one by its id';
    expect(refusal(() => chooseSkills(skills, ["naming"]))).toBe(said);
    expect(chooseSkills(skills, ["folder:other"]).map(({ path }) => path)).toEqual(["other"]);
  });

  test("invariant 6: what blocks makes a skill unusable, and it stays in the list with the finding", async () => {
    const { skills } = await load({
      closed: "---\nname: closed\ndescription: Never closes.\n",
      nameless: "Only a body.\n",
      unseen: skillText('"na\\u202eme"', "Hidden."),
    });
    expect(skills.map(({ unusable }) => unusable?.split(":")[0])).toEqual([
      "header.unclosed",
      "header.missing",
      "name.unseen",
    ]);
    expect(skills[0]?.findings[0]?.at.file).toBe("closed/SKILL.md");
  });
});

describe("CO-1 to CO-10: composing without a store", () => {
  test("CO-3: the same skills, label and key are the same bytes; anything else is other bytes", async () => {
    const { skills } = await load(three);
    const first = composeSkills(skills, { key });
    expect(composeSkills((await load(three)).skills, { key })).toEqual(first);
    const others = [
      composeSkills(skills, { key: new Uint8Array(32) }),
      composeSkills(skills, { key, label: "another" }),
      composeSkills(skills.toReversed(), { key }),
      composeSkills((await load({ ...three, a: skillText("drawing", "Draw boxes!") })).skills, { key }),
    ];
    expect(new Set([first, ...others].map(({ block }) => block)).size).toBe(5);
  });

  test("CO-10: nobody has granted what a skill asks to have pre-approved", async () => {
    const { skills } = await load({ a: skillText("asking", "Ask.", "allowed-tools: Bash(rm:*)\n") });
    const { included, block } = composeSkills(skills, { key, trust: "first_party" });
    expect(included.map(({ grants }) => grants)).toEqual([[]]);
    expect(block).toContain("Ask.");
  });

  test("invariant 6: an unusable one is left out with its own finding and the composition's", async () => {
    const { skills } = await load({ ...three, e: "---\nname: e\ndescription: SECRET.\n" });
    const { block, dropped, findings } = composeSkills(skills, { key });
    expect(block).not.toContain("SECRET");
    expect(dropped).toEqual([{ entry: "folder:e", digest: null, via: "configuration", why: "unusable" }]);
    expect(findings.map(({ code, level }) => `${level} ${code}`)).toEqual([
      "high header.unclosed",
      "medium compose.unusable",
    ]);
  });

  test("T31: a skill that could be loaded, but for what blocks in it, is not used", async () => {
    const { skills } = await load({ a: skillText('"na\\u202eme"', "SECRET") });
    const { block, dropped, findings } = composeSkills(skills, { key, trust: "first_party" });
    expect([block, dropped.length]).toEqual(["", 1]);
    expect(findings[0]).toMatchObject({ code: "name.unseen", level: "high" });
  });

  test("T16: bytes that changed after they were loaded are not used", async () => {
    const { skills } = await load({ a: skillText("drawing", "Draw boxes.") });
    skills[0]?.material.skill?.fill(0x20, 60);
    const { block, dropped } = composeSkills(skills, { key });
    expect(block).toBe("");
    expect(dropped.map(({ why }) => why)).toEqual(["tampered"]);
  });

  test("CO-6: what was invoked fits or the request fails; the rest goes from the tail", async () => {
    const { skills } = await load(three);
    const two = composeSkills(skills.slice(0, 2), { key }).bytes;
    const { dropped, bytes } = composeSkills(skills, { key, budget: two });
    expect(dropped).toMatchObject([{ entry: "folder:c/d", why: "over-budget" }]);
    expect(bytes).toBeLessThanOrEqual(two);
    expect(refusal(() => composeSkills(skills, { key, budget: two, via: "invoked" }))).toMatch(/^budget\.exceeded /);
  });

  test("CO-6: a budget that is no number above 0 is the default, never uncapped", async () => {
    const { skills } = await load({ ...three, long: skillText("long", "word ".repeat(6000)) });
    fc.assert(
      fc.property(fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined), (budget) => {
        const { bytes, dropped } = composeSkills(skills, { key, ...(budget === undefined ? {} : { budget }) });
        expect(bytes).toBeLessThanOrEqual(24_000);
        expect(dropped).toMatchObject([{ entry: "folder:long", why: "too-large" }]);
      }),
    );
  });

  test("invariant 2: only what is trusted enough goes into the system's block", async () => {
    const { skills } = await load(three);
    const system = { key, placement: "system", systemFloor: "verified" } as const;
    expect(composeSkills(skills, { ...system, trust: "verified" })).toMatchObject({ block: "" });
    expect(composeSkills(skills, { ...system, trust: "community" })).toMatchObject({ systemBlock: "" });
    expect(composeSkills(skills, system).included.map(({ trust }) => trust)).toEqual(Array(3).fill("untrusted"));
  });

  test("invariant 6: two folders under one source cannot hide one another's skills", async () => {
    const other = { a: skillText("other", "Otherwise.") };
    const both = async (source: string): Promise<readonly FolderSkill[]> => [
      ...(await load(three)).skills,
      ...(await load(other, source)).skills,
    ];
    const clash = await both("folder");
    expect(refusal(() => composeSkills(clash, { key }))).toMatch(/^usage\.invalid two different skills are folder:a/);
    expect(composeSkills(await both("other"), { key }).included).toHaveLength(4);
  });
});
