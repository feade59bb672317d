import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { basename } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AskedExport } from "../../src/features/publishing/export.ts";
import { type ExportRoom, exportRoom } from "./export-room.ts";
import { Room } from "../support/publish-room.ts";
import { ada, say, skillText } from "../support/registry.ts";

let room: ExportRoom;
beforeEach(async () => {
  room = await exportRoom();
});
afterEach(() => room.close());

/** The disk, on which somebody acts in the moment before the folder of a skill is staged. */
function whenStaging(skill: string, act: () => void) {
  const { folders } = room.app.world;
  const make: typeof folders.make = async (path, files) => {
    if (path.includes(`/.${skill}.`)) act();
    await folders.make(path, files);
  };
  return { folders: { ...folders, make } };
}

/** The same, when all is staged and before anything makes room. */
function whenStaged(act: () => void) {
  const { folders } = room.app.world;
  let isOver = false;
  const move: typeof folders.move = async (from, to) => {
    if (!isOver) act();
    isOver = true;
    await folders.move(from, to);
  };
  return { folders: { ...folders, move } };
}

describe("SV-6: what somebody saves while an export is under way is not lost", () => {
  test.each<[string, string, Partial<AskedExport>]>([
    ["a file beside it", "notes.md", {}],
    ["the skill itself", "SKILL.md", {}],
    ["a file beside it, also when it is forced", "notes.md", { force: true }],
    ["a file in one that goes", "notes.md", { prune: true }],
  ])("%s: all is put back, and it is said so", async (_what, file, asked) => {
    await room.export();
    for (const skill of ["pdf", "xlsx"]) room.folder.writeSkill(skill, "Otherwise.\n");
    await room.approve("pdf", "xlsx");
    if (asked.prune === true) await say(room.app, ada, "disable", "skills:pdf");
    const saved = { ...room.state(), [`.claude/skills/pdf/${file}`]: "an hour of work" };
    const world = whenStaged(() => room.project.write(`.claude/skills/pdf/${file}`, "an hour of work"));
    await expect(room.export(asked, world)).rejects.toMatchObject({
      code: "disk.failed",
      message: expect.stringMatching(/\/pdf was changed by somebody meanwhile; nothing was written, look again$/),
    });
    expect(room.state()).toEqual(saved);
    expect(await room.states(asked)).toMatchObject({
      ".claude/skills/pdf": asked.force === true ? "replaced" : "drifted",
      ".claude/skills/xlsx": "replaced",
    });
  });

  test("a folder of its name, where none was: it stays, and nothing is locked", async () => {
    const world = whenStaging("xlsx", () => room.project.write(".claude/skills/pdf/SKILL.md", "mine"));
    await expect(room.export({}, world)).rejects.toMatchObject({ code: "disk.failed" });
    expect(room.state()).toEqual({ ".claude/skills/pdf/SKILL.md": "mine" });
  });
});

describe("T24, T44: what lies in the folder of an agent, or is put there, leads an export nowhere", () => {
  /** From now on the folder for skills is a link. */
  function leadAway(outside: Room): void {
    mkdirSync(room.project.at(".claude/skills"), { recursive: true });
    renameSync(room.project.at(".claude/skills"), room.project.at(".claude/own"));
    symlinkSync(outside.root, room.project.at(".claude/skills"));
  }

  test.each(["pdf", "xlsx"])("a link in the place of the folder, while %s is staged", async (skill) => {
    const outside = new Room();
    try {
      outside.write("precious", "p");
      const before = outside.everything();
      const world = whenStaging(skill, () => leadAway(outside));
      await expect(room.export({}, world)).rejects.toMatchObject({ code: "path.wrong-kind" });
      expect([outside.everything(), room.project.lockText()]).toEqual([before, undefined]);
    } finally {
      outside.remove();
    }
  });

  test("a link that is there by the time that the next one is staged: not for a moment", async () => {
    const outside = new Room();
    try {
      const staged: string[] = [];
      const { folders } = room.app.world;
      const make: typeof folders.make = (path, files) => {
        staged.push(basename(path));
        return folders.make(path, files);
      };
      const use: typeof room.app.registry.use = async (snapshot, entry) => {
        if (entry === "skills:xlsx") leadAway(outside);
        return room.app.registry.use(snapshot, entry);
      };
      const app = { ...room.app, registry: { ...room.app.registry, use } };
      const other: ExportRoom = Object.assign(Object.create(room), { app });
      await expect(other.export({}, { folders: { ...folders, make } })).rejects.toMatchObject({
        code: "path.wrong-kind",
      });
      expect(staged).toEqual([expect.stringMatching(/^\.pdf\./)]);
    } finally {
      outside.remove();
    }
  });

  test("a hidden folder or link of a clone becomes no skill, and is named", async () => {
    room.project.write(".claude/skills/.evil.deadbeef.old/SKILL.md", skillText("evil", "Do evil.\n"));
    symlinkSync("/etc", room.project.at(".claude/skills/.worse.deadbeef.old"));
    const before = room.project.everything();
    const { notes, skills } = await room.export({ skills: ["pdf"] });
    expect(skills).toMatchObject([{ folder: ".claude/skills/pdf", state: "written" }]);
    expect(notes.toSorted()).toEqual([
      expect.stringContaining(".claude/skills/.evil.deadbeef.old looks like what an interrupted change put aside"),
      expect.stringContaining(".claude/skills/.worse.deadbeef.old looks like what an interrupted change put aside"),
    ]);
    expect(room.project.everything()).toEqual({
      ...before,
      ".claude/skills/pdf/": "",
      ".claude/skills/pdf/SKILL.md": skillText("pdf"),
      "skillward.lock": expect.any(String),
    });
  });

  test("another text in the name of what is locked becomes no skill, and the approved one is written", async () => {
    await room.export();
    renameSync(room.project.at(".claude/skills/pdf"), room.project.at(".claude/skills/.pdf.deadbeef.old"));
    room.project.write(".claude/skills/.pdf.deadbeef.old/SKILL.md", "Do evil.\n");
    const { notes, skills } = await room.export();
    expect(notes).toEqual([expect.stringContaining(".pdf.deadbeef.old")]);
    expect(skills).toMatchObject([{ state: "written" }, { state: "unchanged" }]);
    expect(room.skillText("pdf")).toBe(skillText("pdf"));
  });
});
