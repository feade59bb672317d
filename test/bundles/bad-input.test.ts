import { renameSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validate } from "../../src/features/bundles/validate.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { limits } from "../../src/core/limits.ts";
import type { Files } from "../../src/core/world.ts";
import {
  ask,
  askAbout,
  askInVain,
  close,
  inRoom,
  makeFolder,
  makeNode,
  path,
  secret,
  someone,
  writeSkill,
} from "./bad-input.ts";
import { forRun } from "../support/long-run.ts";

inRoom();

describe("a path that cannot be checked", () => {
  it("does not exist", () => {
    expect(askInVain("nowhere", 2).codes).toEqual(["path.missing"]);
    expect(askInVain("nowhere/SKILL.md", 2).codes).toEqual(["path.missing"]);
  });

  it("is a file", () => {
    writeFileSync(path("notes.md"), "not a skill");
    expect(askInVain("notes.md", 2).codes).toEqual(["path.wrong-kind"]);
    expect(askInVain("notes.md/SKILL.md", 2).codes).toEqual(["path.missing"]);
  });

  it("is a pipe", () => {
    expect(makeNode("pipe", "p")).toBe(true);
    expect(askInVain("pipe", 2).codes).toEqual(["path.wrong-kind"]);
  });

  it("is a loop of links", () => {
    symlinkSync("b", path("a"));
    symlinkSync("a", path("b"));
    expect(askInVain("a", 3).codes).toEqual(["disk.failed"]);
  });

  it("has escapes and line breaks in its name", () => {
    const { text, codes } = ask("\u001b[31mred\nline", 2);
    expect(codes).toEqual(["path.missing"]);
    expect(text.err).toContain("\\u{1b}[31mred\\u{a}line");
    expect(text.err.trimEnd()).not.toContain("\n");
  });

  it("is too long for the disk", () => {
    expect(ask("x".repeat(5000), 3).codes).toEqual(["disk.failed"]);
  });
});

describe("what may not be read", () => {
  it("is a folder that was named", () => {
    writeSkill("closed");
    close("closed");
    const { text, codes } = askAbout("closed", someone);
    expect(codes).toEqual(["folder.unreadable"]);
    expect(text.out).toContain("permission denied");
    expect(text.out).toContain("closed:1");
  });

  it("is a folder among others, which are checked all the same", () => {
    writeSkill("skills/closed");
    writeSkill("skills/open", "open");
    close("skills/closed");
    const { text, report, codes } = askAbout("skills", someone);
    expect(codes).toEqual(["folder.unreadable"]);
    expect(text.out).toContain("skills/closed:1");
    expect(report.skills).toMatchObject([{ name: "open", loadable: true, passes: true }]);
  });

  it("is a SKILL.md", () => {
    writeSkill("sealed");
    close("sealed/SKILL.md");
    const { text, report, codes } = askAbout("sealed", someone);
    expect(codes).toEqual(["path.unreadable"]);
    expect(text.out).toContain("sealed/SKILL.md:1");
    expect(report.skills).toMatchObject([{ loadable: false, strict: false, passes: false }]);
  });

  it("is another file of a skill", () => {
    writeSkill("partly");
    writeFileSync(path("partly/notes.md"), "x");
    close("partly/notes.md");
    const { text, codes } = askAbout("partly", someone);
    expect(codes).toEqual(["path.unreadable"]);
    expect(text.out).toContain("partly/notes.md:1");
  });

  it("is a folder of a skill", () => {
    writeSkill("partly");
    makeFolder("partly/references");
    close("partly/references");
    const { text, codes } = askAbout("partly", someone);
    expect(codes).toContain("path.unreadable");
    expect(text.out).toContain("partly/references:1");
  });
});

describe("more than may be read", () => {
  it("is tens of thousands of files in a folder, whether or not it is a skill", () => {
    const many = makeFolder("many");
    const count = forRun({ short: limits.walk.folderEntries + 1000, long: 100_000 });
    for (let index = 0; index < count; index++) writeFileSync(join(many, `file-${index}`), "");
    const plain = askAbout("many");
    expect(plain.codes).toContain("walk.bounds");
    expect(plain.text.out).toContain("many:1");

    writeSkill("skills/large", "large");
    renameSync(many, path("skills/large/data"));
    const below = askAbout("skills");
    expect(below.codes).toEqual(["bundle.files"]);
    expect(below.report.skills).toMatchObject([{ name: "large", loadable: false, passes: false }]);
    expect(below.text.out).toContain("skills/large/data");

    renameSync(path("skills/large/SKILL.md"), path("skills/large/data/SKILL.md"));
    const beside = askAbout("skills/large/data");
    expect(beside.codes).toContain("bundle.files");
    expect(beside.codes).not.toContain("skill.none");
    expect(beside.report.skills).toMatchObject([{ loadable: false, passes: false }]);
  }, 120_000);

  it("is 3,000 empty folders in a skill", () => {
    writeSkill("skills/hollow", "hollow");
    for (let index = 0; index < 3000; index++) makeFolder("skills/hollow", `empty-${index}`);
    const { report, codes } = askAbout("skills");
    expect(codes).toEqual(["bundle.files"]);
    expect(report.skills).toMatchObject([{ loadable: false, passes: false }]);
  });

  it("is a chain of 200 folders", () => {
    writeSkill(`skills/${"d/".repeat(200)}last`, "last");
    const { text, report, codes } = askAbout("skills");
    expect(codes).toContain("walk.bounds");
    expect(report.skills).toEqual([]);
    expect(text.out).toContain("skills/d/d/d");
  });

  it("is not a chain of 200 folders inside a skill, which are only folders", () => {
    writeSkill("skills/chain", "chain");
    writeFileSync(join(makeFolder("skills/chain", "d/".repeat(200)), "end.md"), "x");
    const { report } = ask("skills", 0);
    expect(report.skills).toMatchObject([{ name: "chain", loadable: true, passes: true }]);
    expect(report.skills[0]?.files).toHaveLength(2);
  });

  it("is a SKILL.md of a gigabyte", () => {
    writeSkill("huge");
    truncateSync(path("huge/SKILL.md"), 1 << 30);
    const { text, report, codes } = askAbout("huge");
    expect(codes).toEqual(["file.size"]);
    expect(text.out).toContain("huge/SKILL.md:1");
    expect(report.skills).toMatchObject([{ loadable: false, strict: false, passes: false }]);
  });

  it("is another file of a gigabyte", () => {
    writeSkill("huge");
    writeFileSync(path("huge/data.bin"), "");
    truncateSync(path("huge/data.bin"), 1 << 30);
    const { text, codes } = askAbout("huge");
    expect(codes).toEqual(["bundle.bytes"]);
    expect(text.out).toContain("huge/data.bin:1");
  });

  it("is measured before it is read (SK-3)", async () => {
    writeSkill("huge");
    writeFileSync(path("huge/data.bin"), "");
    for (const file of ["huge/SKILL.md", "huge/data.bin"]) truncateSync(path(file), 1 << 30);
    const { files, reads } = recording(createWorld().files);
    await validate(files, [path("huge")]);
    expect(reads.map(({ file, got }) => [file, got])).toEqual([
      [path("huge/SKILL.md"), 0],
      [path("huge/data.bin"), 0],
    ]);
    expect(reads[0]?.max).toBeLessThanOrEqual(limits.skill.workspace.fileBytes);
    expect(reads[1]?.max).toBeLessThanOrEqual(limits.skill.workspace.bundleBytes);
  });
});

interface Read {
  readonly file: string;
  readonly max: number;
  readonly got: number;
}

/** Files that say what was asked of them, and how many bytes they gave. */
function recording(files: Files): { files: Files; reads: Read[] } {
  const reads: Read[] = [];
  const read: Files["read"] = async (file, max) => {
    const result = await files.read(file, max);
    reads.push({ file, max, got: result instanceof Uint8Array ? result.length : 0 });
    return result;
  };
  return { files: { ...files, read }, reads };
}

describe("what is not followed (SK-11)", () => {
  it("is a link to a folder of skills", () => {
    writeSkill("skills/own", "own");
    symlinkSync("../outside", path("skills/linked"));
    symlinkSync(path("outside"), path("skills/absolute"));
    const { text, report, codes } = ask("skills", 0);
    expect(codes).toEqual(["walk.link", "walk.link"]);
    expect(text.out).toContain("skills/linked:1");
    expect(report.skills.map(({ name }) => name)).toEqual(["own"]);
  });

  it("is a folder of nothing but links", () => {
    makeFolder("skills");
    symlinkSync("../outside", path("skills/linked"));
    expect(askAbout("skills").codes).toContain("skill.none");
  });

  it("is a link back to where it stands", () => {
    writeSkill("skills/own", "own");
    symlinkSync("../..", path("skills/own/loop"));
    symlinkSync(".", path("skills/self"));
    const { text, report, codes } = askAbout("skills");
    expect(codes).toContain("path.link");
    expect(text.out).toContain("skills/own/loop:1");
    expect(report.skills).toMatchObject([{ name: "own", files: [{ path: "SKILL.md" }] }]);
  });

  it("is a SKILL.md that is a link", () => {
    makeFolder("skills/linked");
    symlinkSync("../../outside/SKILL.md", path("skills/linked/SKILL.md"));
    const { text, report, codes } = askAbout("skills");
    expect(codes).toEqual(["path.link"]);
    expect(text.out).toContain("skills/linked/SKILL.md:1");
    expect(report.skills).toMatchObject([{ loadable: false, strict: false, passes: false, files: [] }]);
  });

  it("is a file or a folder of a skill that is a link", () => {
    writeSkill("skills/own", "own");
    symlinkSync("../../outside/SKILL.md", path("skills/own/notes.md"));
    symlinkSync("../../outside", path("skills/own/references"));
    symlinkSync("nowhere", path("skills/own/dangling"));
    const { report, codes } = askAbout("skills");
    expect(codes).toEqual(["path.link", "path.link", "path.link"]);
    expect(report.skills).toMatchObject([{ files: [{ path: "SKILL.md" }] }]);
  });
});

describe("what is not a file", () => {
  it("is a SKILL.md that is a folder", () => {
    makeFolder("skills/odd/SKILL.md");
    writeFileSync(path("skills/odd/SKILL.md/SKILL.md"), `---\nname: ${secret}\n---\n`);
    const { text, report, codes } = askAbout("skills");
    expect(codes).toEqual(["file.missing"]);
    expect(text.out).toContain("skills/odd/SKILL.md:1");
    expect(report.skills).toMatchObject([{ loadable: false, strict: false, passes: false }]);
  });

  it("is a SKILL.md that is a pipe", () => {
    makeFolder("skills/piped");
    expect(makeNode("skills/piped/SKILL.md", "p")).toBe(true);
    const { text, report, codes } = askAbout("skills");
    expect(codes).toEqual(["path.special"]);
    expect(text.out).toContain("skills/piped/SKILL.md:1");
    expect(report.skills).toMatchObject([{ loadable: false, strict: false, passes: false }]);
  });

  it("is a pipe in a skill", () => {
    writeSkill("skills/own", "own");
    expect(makeNode("skills/own/pipe", "p")).toBe(true);
    const { text, report, codes } = askAbout("skills");
    expect(codes).toEqual(["path.special"]);
    expect(text.out).toContain("skills/own/pipe:1");
    expect(report.skills).toMatchObject([{ loadable: true, passes: false, files: [{ path: "SKILL.md" }] }]);
  });

  it("is a device in a skill", ({ skip }) => {
    writeSkill("skills/own", "own");
    if (!makeNode("skills/own/zero", "c", "1", "5")) skip("devices need root");
    expect(statSync(path("skills/own/zero")).isCharacterDevice()).toBe(true);
    const { report, codes } = askAbout("skills");
    expect(codes).toEqual(["path.special"]);
    expect(report.skills).toMatchObject([{ loadable: true, passes: false, files: [{ path: "SKILL.md" }] }]);
  });
});

describe("names that are not fit to be shown (SK-13)", () => {
  it("are not UTF-8", () => {
    writeSkill("skills/own", "own");
    writeFileSync(Buffer.concat([Buffer.from(`${path("skills/own")}/`), Buffer.of(0x66, 0xff, 0xfe)]), "x");
    const { report, codes } = askAbout("skills");
    expect(codes).toEqual(["path.unsafe"]);
    expect(report.skills).toMatchObject([{ loadable: true, passes: false, files: [{ path: "SKILL.md" }] }]);
  });

  it("have line breaks and terminal escapes", () => {
    writeSkill("skills/own", "own");
    writeFileSync(path("skills/own/line\n\u001b[2J\u001b]0;title\u0007.md"), "x");
    const { text, report, codes } = askAbout("skills");
    expect(codes).toEqual(["path.unsafe"]);
    expect(text.out).toContain("line\\u{a}\\u{1b}[2J");
    expect(report.skills).toMatchObject([{ files: [{ path: "SKILL.md" }] }]);
  });

  it("are of a skill's folder", () => {
    const folder = "red\n\u001b[31m\u202efolder";
    writeFileSync(
      join(makeFolder("skills", folder), "SKILL.md"),
      "---\ndescription: No name.\nlicense: [x]\n---\nBody.\n",
    );
    const { text, report } = ask("skills", 0);
    expect(report.skills).toMatchObject([{ name: "red [31mfolder", loadable: true }]);
    expect(text.out).not.toContain("\u202e");
    expect(text.out).toContain("\\u{1b}[31m");
  });

  it("are keys and values of a header", () => {
    const header = '"k\\e[31m": 1\n"k\\e[31m": 2\nname: "\\e[2J"\ndescription: "\\e[31m"';
    writeFileSync(join(makeFolder("skills/own"), "SKILL.md"), `---\n${header}\n---\nBody.\n`);
    writeFileSync(
      join(makeFolder("skills/other"), "SKILL.md"),
      `---\n${header.slice(header.indexOf("name"))}\n---\nBody.\n`,
    );
    const { codes } = askAbout("skills");
    expect(codes).toContain("yaml.duplicate");
    expect(codes).toContain("name.unseen");
  });
});
