import { describe, expect, test } from "vitest";
import { sha256 } from "../../core/digest.ts";
import { levels } from "../../core/finding.ts";
import { type MemoryEntry, memoryFiles } from "../../testing/memory-files.ts";
import { parseBaseline } from "./baseline.ts";
import { type ScanReport, scan } from "./scan.ts";

const fine = "---\nname: fine\ndescription: Lays out a page.\n---\nUse a grid.\n";
/** Has a finding of the level high in SKILL.md, whatever the rules of the scanner are. */
const twice = "---\nname: twice\nname: again\ndescription: d\n---\nBody.\n";

function room(tree: Readonly<Record<string, MemoryEntry>>) {
  const files = memoryFiles(tree);
  const textAt = async (path: string) => Buffer.from((await files.read(path, 1e6)) as Uint8Array).toString();
  return { files, textAt };
}

function codesOf({ skills, findings }: ScanReport): string[] {
  return [...findings, ...skills.flatMap((skill) => skill.findings)].map(({ code }) => code);
}

function isOpen(report: ScanReport, code: string): boolean {
  return report.skills.some(({ findings }) => findings.some((each) => each.code === code && !each.baseline));
}

const baseline = { file: "/r/b.json", write: false };
const write = { ...baseline, write: true };

describe("RV-6: a scan", () => {
  test("of a skill without findings passes and says so", async () => {
    const report = await scan(room({ "/r/fine/SKILL.md": fine }).files, ["/r"]);
    expect(report).toMatchObject({ passes: true, failOn: "high", findings: [], written: null });
    expect(report.skills).toMatchObject([{ path: "/r/fine", kind: "skill", name: "fine", findings: [] }]);
    expect(report.counts).toEqual({ critical: 0, high: 0, medium: 0, low: 0, info: 0, failing: 0, accepted: 0 });
  });

  test("includes what was found while the skill was read, with the reason", async () => {
    const { files } = room({ "/r/twice/SKILL.md": twice });
    const report = await scan(files, ["/r/twice/SKILL.md"]);
    expect(report.passes).toBe(false);
    expect(report.skills[0]?.findings).toContainEqual({
      code: "yaml.duplicate",
      level: "high",
      message: expect.any(String),
      at: { file: "SKILL.md", line: 3 },
      excerpt: null,
      decoded: null,
      why: expect.stringContaining("A key stands twice."),
      sha256: sha256(Buffer.from(twice)),
      baseline: false,
    });
  });

  test("fails from the level on that was asked for", async () => {
    const { files } = room({ "/r/twice/SKILL.md": twice });
    const passing = await Promise.all(levels.map(async (failOn) => (await scan(files, ["/r"], { failOn })).passes));
    expect(passing).toEqual([false, false, false, false, true]);
  });

  test("what could not be read is never clean", async () => {
    const { files } = room({ "/r/empty/notes.md": "x", "/r/a/SKILL.md": fine, "/r/a/link": { kind: "link" } });
    expect(codesOf(await scan(files, ["/r/empty"]))).toEqual(["skill.none"]);
    const report = await scan(files, ["/r/a"]);
    expect(codesOf(report)).toContain("path.link");
    expect(report.passes).toBe(false);
  });

  test("takes a file by itself, once, beside skills", async () => {
    const { files } = room({ "/r/run.sh": "echo hello\n", "/r/fine/SKILL.md": fine });
    const { skills } = await scan(files, ["/r/run.sh", "/r/fine", "/r/run.sh"]);
    expect(skills).toMatchObject([
      { kind: "skill", path: "/r/fine" },
      { kind: "file", path: "/r/run.sh", name: "run.sh", digest: sha256(Buffer.from("echo hello\n")) },
    ]);
  });

  test.each([
    ["/r/huge.txt", new Uint8Array(16 * 2 ** 20 + 1), "path.unreadable"],
    ["/r/ends-in-dot.", "x", "path.unsafe"],
  ])("a file that is not scanned fails: %s", async (path, content, code) => {
    const report = await scan(room({ [path]: content }).files, [path]);
    expect(codesOf(report)).toContain(code);
    expect(report.passes).toBe(false);
  });

  test("counts every skill and file on the way", async () => {
    const { files } = room({ "/r/a/SKILL.md": fine, "/r/b/SKILL.md": fine, "/r/c.sh": "ls\n" });
    const seen: string[] = [];
    await scan(files, ["/r", "/r/c.sh"], { onProgress: (done, total) => seen.push(`${done}/${total}`) });
    expect(seen).toEqual(["1/3", "2/3", "3/3"]);
  });
});

describe("RV-6: a baseline holds for exactly the bytes that were accepted", () => {
  test("what is accepted is shown and does not fail, until one byte is different", async () => {
    const { files } = room({ "/r/twice/SKILL.md": twice });
    expect((await scan(files, ["/r"], { baseline: write })).passes).toBe(true);
    const report = await scan(files, ["/r"], { baseline });
    expect(report).toMatchObject({ passes: true, counts: { high: 0, failing: 0 } });
    expect(report.counts.accepted).toBe(report.skills[0]?.findings.length);
    expect(codesOf(report)).toContain("yaml.duplicate");

    await files.write("/r/twice/SKILL.md", Buffer.from(twice.replace("Body.", "Body!")));
    const changed = await scan(files, ["/r"], { baseline });
    expect(changed).toMatchObject({ passes: false, counts: { accepted: 0 } });
    expect(isOpen(changed, "yaml.duplicate")).toBe(true);
  });

  test("the same bytes at another path are another finding", async () => {
    const { files } = room({ "/r/twice/SKILL.md": twice });
    await scan(files, ["/r"], { baseline: write });
    await files.write("/r/other/SKILL.md", Buffer.from(twice));
    expect((await scan(files, ["/r/twice"], { baseline })).passes).toBe(true);
    expect((await scan(files, ["/r/other"], { baseline })).passes).toBe(false);
  });

  test("a code that was not accepted is open in an accepted file", async () => {
    const { files, textAt } = room({ "/r/twice/SKILL.md": twice });
    await scan(files, ["/r"], { baseline: write });
    const swapped = (await textAt("/r/b.json")).replaceAll("yaml.duplicate", "yaml.alias");
    await files.write("/r/b.json", Buffer.from(swapped));
    expect(isOpen(await scan(files, ["/r"], { baseline }), "yaml.duplicate")).toBe(true);
  });

  test("a path without bytes is held to the whole skill, and to its name", async () => {
    const { files } = room({ "/r/a/SKILL.md": fine, "/r/a/one": { kind: "link" } });
    await scan(files, ["/r"], { baseline: write });
    expect((await scan(files, ["/r"], { baseline })).passes).toBe(true);

    const second = room({ "/r/a/SKILL.md": fine, "/r/a/one": { kind: "link" }, "/r/a/two": { kind: "link" } });
    await second.files.write("/r/b.json", (await files.read("/r/b.json", 1e6)) as Uint8Array);
    const { skills, counts } = await scan(second.files, ["/r"], { baseline });
    const links = skills.flatMap(({ findings }) => findings.filter(({ code }) => code === "path.link"));
    expect(links.map(({ at, baseline: accepted }) => [at.file, accepted])).toEqual([
      ["one", true],
      ["two", false],
    ]);
    expect(counts.failing).toBe(1);

    await files.write("/r/a/notes.md", Buffer.from("new"));
    expect(isOpen(await scan(files, ["/r"], { baseline }), "path.link")).toBe(true);
  });

  test("a baseline that lies in the skill does not undo itself", async () => {
    const { files } = room({ "/r/a/SKILL.md": fine, "/r/a/one": { kind: "link" } });
    const inside = { file: "/r/a/b.json", write: true };
    await scan(files, ["/r/a"], { baseline: inside });
    expect(isOpen(await scan(files, ["/r/a"], { baseline: { ...inside, write: false } }), "path.link")).toBe(false);
  });

  test("what has no bytes to be held to cannot be accepted", async () => {
    const { files } = room({ "/r/empty/notes.md": "x" });
    const report = await scan(files, ["/r/empty"], { baseline: write });
    expect(report).toMatchObject({ passes: false, written: 0, findings: [{ code: "skill.none", sha256: null }] });
    expect((await scan(files, ["/r/empty"], { baseline })).passes).toBe(false);
  });

  test("a skill that was not read as a whole has no digest, so what kept it from that cannot be accepted", async () => {
    const { files } = room({ "/r/a/SKILL.md": { kind: "link" }, "/r/b.sh": new Uint8Array(16 * 2 ** 20 + 1) });
    const report = await scan(files, ["/r/a", "/r/b.sh"], { baseline: write });
    expect(report).toMatchObject({ passes: false, written: 0, counts: { accepted: 0, failing: 2 } });
  });

  test("writing keeps what was accepted elsewhere and forgets what is gone", async () => {
    const { files, textAt } = room({ "/r/a/SKILL.md": twice, "/r/b/SKILL.md": twice });
    await scan(files, ["/r/a", "/r/b"], { baseline: write });
    const changed = twice.replace("Body.", "Other.");
    await files.write("/r/a/SKILL.md", Buffer.from(changed));
    await scan(files, ["/r/a"], { baseline: write });
    const accepted = parseBaseline(await textAt("/r/b.json"), "b.json");
    const digests = new Map(accepted.map(({ file, sha256: digest }) => [file, digest]));
    expect(digests).toEqual(
      new Map([
        ["a/SKILL.md", sha256(Buffer.from(changed))],
        ["b/SKILL.md", sha256(Buffer.from(twice))],
      ]),
    );
    expect(accepted.filter(({ code }) => code === "yaml.duplicate")).toHaveLength(2);
  });
});

describe("T44: a baseline is used only when it is named", () => {
  test("one that lies beside the skills changes nothing", async () => {
    const { files } = room({ "/r/twice/SKILL.md": twice });
    await scan(files, ["/r"], { baseline: { file: "/r/.skillward-baseline.json", write: true } });
    expect(await scan(files, ["/r"])).toMatchObject({ passes: false, counts: { accepted: 0 } });
  });

  test("one that is named and not there is an error, before anything is scanned", async () => {
    const { files } = room({ "/r/twice/SKILL.md": twice });
    await expect(scan(files, ["/r"], { baseline })).rejects.toMatchObject({ code: "path.missing" });
  });

  test("a file that is no baseline is not written over", async () => {
    const { files, textAt } = room({ "/r/twice/SKILL.md": twice, "/r/b.json": "export PATH=/bin\n" });
    await expect(scan(files, ["/r"], { baseline: write })).rejects.toMatchObject({ code: "config.invalid" });
    expect(await textAt("/r/b.json")).toBe("export PATH=/bin\n");
  });
});
