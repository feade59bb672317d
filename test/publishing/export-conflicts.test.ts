import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportApproved } from "../../src/features/publishing/export.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { type ExportRoom, exportRoom } from "./export-room.ts";
import { lockedSkill, lockText, Room } from "../support/publish-room.ts";
import { ada, say, skillText } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

let room: ExportRoom;
beforeEach(async () => {
  room = await exportRoom();
});
afterEach(() => room.close());

const lock = () => JSON.parse(room.project.lockText() ?? "null");

describe("SV-6: nothing gives way that was not written by an export", () => {
  test("somebody's own folder, with --force too", async () => {
    room.project.write(".claude/skills/pdf/SKILL.md", "mine");
    for (const force of [false, true]) {
      const { skills } = await room.export({ force });
      expect(skills[0]).toMatchObject({
        folder: ".claude/skills/pdf",
        state: "refused",
        reason: expect.stringContaining("is there already and is not in skillward.lock"),
      });
      expect(room.skillText("pdf")).toBe("mine");
    }
    expect(room.skillText("xlsx")).toBe(skillText("xlsx"));
  });

  test("what was changed there, unless it is forced", async () => {
    await room.export();
    room.project.write(".claude/skills/pdf/SKILL.md", "mine");
    expect(await room.states()).toMatchObject({ ".claude/skills/pdf": "drifted" });
    expect(room.skillText("pdf")).toBe("mine");
    expect(await room.states({ force: true })).toMatchObject({ ".claude/skills/pdf": "replaced" });
    expect(room.skillText("pdf")).toBe(skillText("pdf"));
  });

  test("what was added from a repository, in the folder that both share", async () => {
    const contents = { "SKILL.md": "one" };
    room.project.write(".agents/skills/pdf/SKILL.md", "one");
    room.project.write("skillward.lock", lockText({ pdf: lockedSkill(contents) }));
    const { skills } = await room.export({ agent: "codex", force: true });
    expect(skills).toMatchObject([
      { folder: "pdf", state: "refused", reason: expect.stringContaining("added from acme/skills") },
      { folder: "xlsx", state: "written" },
    ]);
    expect(room.skillText("pdf", ".agents/skills")).toBe("one");
    expect(Object.keys(lock().skills)).toEqual(["pdf", "xlsx"]);
    expect(await room.verifies()).toBe(true);
  });

  test("what another registry wrote, unless it is forced; and it is never pruned", async () => {
    const other = await exportRoom(["pdf", "docx"]);
    try {
      await exportApproved(other.app, { to: room.project.root, agent: "claude", force: false, prune: false });
      const { skills } = await room.export({ prune: true });
      expect(skills).toMatchObject([
        { folder: ".claude/skills/pdf", state: "refused", reason: expect.stringContaining("another registry") },
        { folder: ".claude/skills/xlsx", state: "written" },
      ]);
      expect(await room.states({ force: true, prune: true })).toMatchObject({ ".claude/skills/pdf": "replaced" });
      expect(lock().skills[".claude/skills/pdf"].registry).toBe(room.app.kept.store);
      expect(existsSync(room.project.at(".claude/skills/docx/SKILL.md"))).toBe(true);
    } finally {
      await other.close();
    }
  });

  test.each([".claude", ".claude/skills"])("T24, T44: nothing goes through %s that is a link", async (link) => {
    const outside = new Room();
    try {
      outside.write("skills/pdf/SKILL.md", "precious");
      if (link === ".claude/skills") mkdirSync(room.project.at(".claude"));
      symlinkSync(outside.at(link === ".claude" ? "." : "skills"), room.project.at(link));
      const before = outside.everything();
      for (const force of [false, true])
        await expect(room.export({ force, prune: true })).rejects.toMatchObject({ code: "path.wrong-kind" });
      expect([outside.everything(), room.project.lockText()]).toEqual([before, undefined]);
    } finally {
      outside.remove();
    }
  });

  test("what is no folder is said so", async () => {
    writeFileSync(room.project.at("file"), "x");
    await expect(room.export({ to: room.project.at("file") })).rejects.toMatchObject({ code: "path.wrong-kind" });
  });
});

describe("SK-15: one folder, one skill", () => {
  beforeEach(async () => {
    const { folder, app } = room;
    folder.write("other/pdf/SKILL.md", skillText("pdf", "Of the other.\n"));
    folder.write("other/xlsx/SKILL.md", skillText("xlsx"));
    await addFolder(app.sync, allow(ada), `${folder.root}/other`, { id: "other", trust: "verified" });
    await runSync(app.sync, allow(ada), "other");
    for (const name of ["pdf", "xlsx"]) await say(app, ada, "approve", `other:${name}`);
  });

  test("the more trusted has it; the other is refused by name, or has the same bytes", async () => {
    const { skills } = await room.export();
    expect(skills.map(({ entry, folder, state }) => [entry, folder, state])).toEqual([
      ["skills:pdf", null, "refused"],
      ["skills:xlsx", null, "same"],
      ["other:pdf", ".claude/skills/pdf", "written"],
      ["other:xlsx", ".claude/skills/xlsx", "written"],
    ]);
    expect(room.skillText("pdf")).toBe(skillText("pdf", "Of the other.\n"));
  });

  test("whoever names one gets that one", async () => {
    await room.export({ skills: ["skills:pdf"] });
    expect(room.skillText("pdf")).toBe(skillText("pdf"));
  });
});
