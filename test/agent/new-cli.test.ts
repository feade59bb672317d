import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { testOutput } from "../support/output.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBundle, skillFile } from "../../src/skill/bundle.ts";
import { parse } from "../../src/skill/skill.ts";
import { scanBundle } from "../../src/scan/scan.ts";
import { newSkill } from "../../src/features/bundles/cli.ts";
import { skillward } from "../support/cli.ts";

let room = "";
let asked: string[] = [];
beforeEach(() => {
  asked = [];
  room = mkdtempSync(join(tmpdir(), "new-skill-"));
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

const description = "Writes release notes from merged work. Use before a release, or when somebody asks what changed.";

/** As somebody types it at a terminal, or without one where nothing is typed. */
async function typed(
  name: string,
  options: Readonly<Record<string, string | boolean>> = {},
  keys: string | null = null,
) {
  const input = Object.assign(new PassThrough(), { isTTY: keys !== null });
  input.end(keys ?? "never read\n");
  const [printed, noted]: [string[], string[]] = [[], []];
  const output = testOutput({ print: (text) => void printed.push(text), note: (text) => void noted.push(text) });
  const keyboard = { input, output: { write: (text: string) => asked.push(text) } };
  const code = await newSkill.run({ args: [name], options: { dir: room, ...options } }, { ...output, keyboard });
  return { code, out: printed.join("\n"), notes: noted.join("\n") };
}

const bytesOf = (name: string) => readFileSync(join(room, name, skillFile));

describe("AG-11: skillward new", () => {
  it.each(["tool", "host-knowledge"] as const)(
    "AG-11: a %s passes every profile and the scanner at once",
    async (kind) => {
      const { code, out, notes } = await typed("release-notes", { kind, description });
      expect({ code, asked }).toEqual({ code: 0, asked: [] });
      expect(out).toContain("pass strict");
      expect(notes).toContain("skillward chat");
      expect(notes).toContain("/skills:release-notes");
      expect(readdirSync(join(room, "release-notes"))).toEqual([skillFile]);
      const bundle = createBundle("release-notes", [[skillFile, bytesOf("release-notes")]]);
      const { skill, passes, findings } = parse(bundle, "registry");
      expect({ passes, findings }).toEqual({ passes: true, findings: [] });
      expect(skill?.manifest).toMatchObject({ name: "release-notes", description, kind, metadata: { kind } });
      expect(scanBundle(bundle).findings).toEqual([]);
      for (const heading of ["When to use", kind === "tool" ? "Steps" : "Facts", "Examples", "What not to do"])
        expect(skill?.body).toContain(`\n## ${heading}\n`);
    },
  );

  it("AG-11: a description with anything in it reads back as it is", async () => {
    const odd = 'Says "no: never" # to \\ you — #hash, {a: [b]} & *c*, 100 %';
    await typed("odd", { kind: "tool", description: `  ${odd} ` });
    expect(parse(createBundle("odd", [[skillFile, bytesOf("odd")]]), "strict").skill?.manifest.description).toBe(odd);
  });

  it("AG-11: what was not given is asked for at a terminal, and asked again when it is neither", async () => {
    const { code } = await typed("asked", {}, `wizard\nhost-knowledge\n\n${description}\n`);
    expect(code).toBe(0);
    expect(asked.map((each) => each.split(/[,?]/)[0])).toEqual(["Kind", "Kind", "What does it do", "What does it do"]);
    expect(bytesOf("asked").toString()).toContain("kind: host-knowledge");
    await typed("usual", {}, `\n${description}\n`);
    expect(bytesOf("usual").toString()).toContain("kind: tool");
  });

  it.each([
    ["the input ends", {}, "tool\n"],
    ["nothing usable is typed", {}, "a\nb\nc\nd\n"],
    ["there is no terminal", {}, null],
    ["--yes says not to ask", { yes: true }, "tool\nText\n"],
    ["a program reads the result", { json: true }, "tool\nText\n"],
  ])("AG-11: without a description, when %s, nothing is written", async (_, options, keys) => {
    await expect(typed("nothing", options, keys)).rejects.toMatchObject({ code: "usage.invalid" });
    expect(readdirSync(room)).toEqual([]);
  });

  it("AG-11: without a terminal the kind is a tool, and --json says what was written", async () => {
    const { code, out, notes } = await typed("quiet", { description, json: true });
    expect({ code, notes }).toEqual({ code: 0, notes: "" });
    expect(JSON.parse(out)).toMatchObject({
      path: join(room, "quiet"),
      passes: true,
      report: { kind: "tool", strict: true },
    });
  });

  it.each(["", "Upper", "a b", "../up", "a/b", "-a", "a--b", ".hidden", "ä", "a".repeat(65), "a\u001b[31m"])(
    "AG-11: %j is no name, and nothing is asked or written",
    async (name) => {
      await expect(typed(name, {}, `tool\n${description}\n`)).rejects.toMatchObject({ code: "usage.invalid" });
      expect({ asked, written: readdirSync(room) }).toEqual({ asked: [], written: [] });
    },
  );

  it.each([" ", "a".repeat(1025), "two\nlines", "hidden\u202e"])("AG-11: %j is no description", async (text) => {
    await expect(typed("fine", { description: text })).rejects.toMatchObject({ code: "usage.invalid" });
    expect(readdirSync(room)).toEqual([]);
  });

  it("AG-11: nothing is ever written over, not even through a link", async () => {
    mkdirSync(join(room, "taken"));
    writeFileSync(join(room, "taken", skillFile), "mine");
    mkdirSync(join(room, "empty"));
    symlinkSync(join(room, "nowhere"), join(room, "linked"));
    for (const name of ["taken", "empty", "linked"])
      await expect(typed(name, { description })).rejects.toMatchObject({ code: "record.exists" });
    expect(bytesOf("taken").toString()).toBe("mine");
    expect(readdirSync(join(room, "empty"))).toEqual([]);
    expect(existsSync(join(room, "nowhere"))).toBe(false);
  });

  it("AG-11: without --dir it lies where the workspace keeps its skills, and behind no link", () => {
    mkdirSync(join(room, ".git"));
    mkdirSync(join(room, "src"));
    const said = ["new", "release-notes", "--description", description];
    const { code, err } = skillward(said, { cwd: join(room, "src") });
    expect(code).toBe(0);
    expect(err).toContain("../.agents/skills/release-notes/SKILL.md");
    expect(existsSync(join(room, ".agents/skills/release-notes", skillFile))).toBe(true);
    rmSync(join(room, ".agents"), { recursive: true });
    mkdirSync(join(room, "elsewhere"));
    symlinkSync(join(room, "elsewhere"), join(room, ".agents"));
    expect(skillward(said, { cwd: room }).code).toBe(2);
    expect(readdirSync(join(room, "elsewhere"))).toEqual([]);
  });
});
