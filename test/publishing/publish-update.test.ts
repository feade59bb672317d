import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FakeRepository } from "../../src/testing/github/script.ts";
import { Site, skillText } from "../support/publish-site.ts";

let site: Site;
let repository: FakeRepository;
let first: string;
beforeEach(async () => {
  site = await Site.open();
  ({ repository, first } = await site.skills());
});
afterEach(() => site.close());

const locked = () => JSON.parse(site.workspace.lockText() ?? "{}").skills;
const add = (typed = "acme/skills/skills/pdf", ...more: readonly string[]) =>
  site.json(["add", typed, "--yes", ...more]);

describe("AG-11: skillward update", () => {
  test("nothing newer: says so and writes nothing", async () => {
    await add();
    await repository.push({ "README.md": "other words" });
    const before = site.written();
    expect(await site.json(["update", "--yes"])).toMatchObject({
      code: 0,
      skills: [{ folder: "pdf", state: "unchanged" }],
    });
    expect(site.written()).toEqual(before);
    expect((await site.run(["update"])).out).toContain("pdf: up to date");
  });

  test("shows files, sizes and what the header says, and writes only after a yes", async () => {
    await add();
    const second = await repository.push({
      "skills/pdf/SKILL.md": skillText("pdf", "Second.", "allowed-tools: Bash(rm *)\n").replace(
        "how to pdf",
        "all about pdf",
      ),
      "skills/pdf/scripts/run.sh": "echo 1\n",
      "skills/pdf/new.md": "new",
      "skills/pdf/references/notes.md": null,
    });
    const before = site.written();
    const { code, out, err } = await site.run(["update"]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("--yes") });
    for (const line of [
      /changed +SKILL\.md {2}\d+ bytes to \d+ bytes/,
      /added +new\.md {2}3 bytes/,
      /removed +references\/notes\.md/,
      /not executable +scripts\/run\.sh/,
      /- description: "Says how to pdf\."\n +\+ description: "Says all about pdf\."/,
      /\+ tool +Bash\(rm \*\) {2}SKILL\.md:4/,
      /6 \+ Second\./,
    ])
      expect(out).toMatch(line);
    expect(site.written()).toEqual(before);
    expect(await site.json(["update", "pdf", "--yes"])).toMatchObject({
      code: 0,
      skills: [{ state: "updated", commit: first }],
    });
    expect(locked().pdf).toMatchObject({ commit: second, ref: "heads/main", executable: [] });
    expect((await site.run(["verify"])).code).toBe(0);
    expect(Object.keys(site.workspace.everything(site.workspace.skill("pdf"))).toSorted()).toEqual([
      "SKILL.md",
      "new.md",
      "scripts/",
      "scripts/run.sh",
    ]);
  });

  test("only those that are named; an unknown one is refused", async () => {
    await add();
    await add("acme/skills/skills/xlsx");
    await repository.push({ "skills/pdf/a": "a", "skills/xlsx/a": "a" });
    expect(await site.json(["update", "xlsx", "--yes"])).toMatchObject({ code: 0, skills: [{ folder: "xlsx" }] });
    expect(locked().pdf.commit).toBe(first);
    expect(await site.json(["update", "nothing", "--yes"])).toMatchObject({
      code: 2,
      error: { code: "record.missing" },
    });
  });

  test("one commit for good has nothing to update, and asks nobody", async () => {
    await add(`acme/skills/skills/pdf@${first}`);
    await repository.push({ "skills/pdf/a": "a" });
    const spent = await site.requestsOf(async () =>
      expect(await site.json(["update", "--yes"])).toMatchObject({ code: 0, skills: [{ state: "pinned" }] }),
    );
    expect(spent).toBe(0);
  });

  test("what was changed here stays, unless --force", async () => {
    await add();
    await repository.push({ "skills/pdf/a": "a" });
    site.workspace.write(".agents/skills/pdf/SKILL.md", "mine");
    const before = site.written();
    expect(await site.json(["update", "--yes"])).toMatchObject({
      code: 1,
      skills: [{ state: "drifted", drift: [{ path: "SKILL.md", how: "changed" }] }],
    });
    expect(site.written()).toEqual(before);
    expect(await site.json(["update", "--yes", "--force"])).toMatchObject({ code: 0, skills: [{ state: "updated" }] });
    expect((await site.run(["verify"])).code).toBe(0);
  });

  test.each<[string, string, () => Promise<unknown>, string]>([
    [
      "T11: a moved tag",
      "acme/skills/skills/pdf@v1",
      async () => repository.tag("v1", await repository.push({ "skills/pdf/a": "a" })),
      "pin.moved",
    ],
    ["a branch that went back", "acme/skills/skills/pdf@next", () => repository.branch("next", first), "pin.rollback"],
    [
      "T12: another repository under the name",
      "acme/skills/skills/pdf",
      async () =>
        (await site.github.repository("acme/skills")).push({ "skills/pdf/SKILL.md": skillText("pdf", "Mallory's.") }),
      "source.frozen",
    ],
  ])("%s is refused, and accepted by its name alone", async (_what, typed, change, code) => {
    await repository.tag("v1", first);
    await repository.branch("next", await repository.push({ "skills/pdf/newer": "n" }, { branch: "later" }));
    await add(typed);
    await change();
    const before = site.written();
    expect(await site.json(["update", "--yes", "--accept", "path.link"])).toMatchObject({
      code: 1,
      skills: [{ state: "refused", offer: { refused: [code] } }],
    });
    expect(site.written()).toEqual(before);
    expect(await site.json(["update", "--yes", "--accept", code])).toMatchObject({
      code: 0,
      skills: [{ state: "updated" }],
    });
    expect(locked().pdf.accepted).toEqual([code]);
    expect((await site.run(["verify"])).code).toBe(0);
  });

  test("T12: renamed is refused for good: the name is nobody's to follow", async () => {
    await add();
    await repository.rename("acme/renamed");
    const before = site.written();
    expect(await site.json(["update", "--yes", "--accept", "source.frozen"])).toMatchObject({
      code: 1,
      skills: [
        {
          state: "failed",
          error: {
            code: "source.frozen",
            message: expect.stringMatching(
              /remove \.agents\/skills\/pdf and its entry in skillward\.lock, then add it/,
            ),
          },
        },
      ],
    });
    expect(site.written()).toEqual(before);
    const typed = await site.json(["add", "acme/skills/skills/xlsx"]);
    expect(typed.error).toEqual({
      code: "source.frozen",
      message: expect.stringMatching(/add it under its new name$/),
    });
    expect(typed.error.message).not.toContain("the source");
  });

  test("a branch that was written anew is said, and not refused", async () => {
    await add();
    await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "Anew.") }, { from: null });
    expect(await site.json(["update", "--yes"])).toMatchObject({
      code: 0,
      skills: [
        {
          state: "updated",
          offer: { findings: expect.arrayContaining([expect.objectContaining({ code: "pin.rewritten" })]) },
        },
      ],
    });
  });

  test("gone upstream: what is here stays; the others are updated all the same", async () => {
    await add();
    await add("acme/skills/skills/xlsx");
    await repository.push({ "skills/pdf": null, "skills/xlsx/a": "a" });
    const { code, skills } = await site.json(["update", "--yes"]);
    expect(code).toBe(1);
    expect(skills).toMatchObject([{ state: "failed", error: { code: "source.missing" } }, { state: "updated" }]);
    expect((await site.run(["verify"])).code).toBe(0);
  });

  test("IN-8: bytes changed on the way: a mismatch, nothing is written", async () => {
    await add();
    await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "Second.") });
    repository.tamper("skills/pdf/SKILL.md");
    const before = site.written();
    expect(await site.json(["update", "--yes"])).toMatchObject({
      code: 1,
      skills: [{ state: "failed", error: { code: "digest.mismatch" } }],
    });
    expect(site.written()).toEqual(before);
  });

  test("without a lock file there is nothing to update", async () => {
    expect(await site.json(["update"])).toMatchObject({ code: 2, error: { code: "path.missing" } });
  });

  test("--force says that a git of one's own goes, before it does", async () => {
    await add();
    await repository.push({ "skills/pdf/a": "a" });
    site.workspace.write(".agents/skills/pdf/.git/HEAD", "mine");
    expect(await site.json(["update", "--yes"])).toMatchObject({
      code: 1,
      skills: [{ state: "drifted", drift: [{ path: ".git", how: "extra" }] }],
    });
    const { skills } = await site.json(["update", "--force"]);
    expect(skills[0].changes.files).toContainEqual({ path: ".git", how: "removed", before: null, after: null });
    expect(Object.keys(site.written())).toContain(".agents/skills/pdf/.git/HEAD");
  });

  test("T42: what an interrupted run left is ended before anything else", async () => {
    await add();
    const staged = ".agents/skills/.pdf.0123abcd.tmp";
    for (const [path, text] of Object.entries(site.workspace.everything(site.workspace.skill("pdf"))))
      if (!path.endsWith("/"))
        site.workspace.write(`${staged}/${path}`, text.replace(/^x /, ""), text.startsWith("x ") ? 0o755 : 0o644);
    rmSync(site.workspace.skill("pdf"), { recursive: true });
    expect((await site.run(["verify"])).out).toContain("interrupted");
    expect(await site.json(["update", "--yes"])).toMatchObject({ code: 0, skills: [{ state: "unchanged" }] });
    expect((await site.run(["verify"])).code).toBe(0);
    expect(Object.keys(site.written()).filter((path) => path.includes(".tmp"))).toEqual([]);
  });
});
