import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asPerson } from "../../src/app/as-person.ts";
import { exportApproved } from "../../src/features/publishing/export.ts";
import { addConfiguration, changeConfiguration } from "../../src/models/configurations.ts";
import { attach } from "../../src/models/attachments.ts";
import { addProvider } from "../../src/models/providers.ts";
import { agentFolders, agentNames } from "../../src/skill/agent-folders.ts";
import { type ExportRoom, exportRoom } from "./export-room.ts";
import { repository } from "../support/fixtures.ts";
import { ada, currentOf, person, say, skillText } from "../support/registry.ts";
import { permitLlm } from "../../src/models/context.ts";

let room: ExportRoom;
beforeEach(async () => {
  room = await exportRoom();
});
afterEach(() => room.close());

const lock = () => JSON.parse(room.project.lockText() ?? "null");

describe("SV-6: export writes what is approved into an agent's own folder", () => {
  test("every file of it, with the lock file by which `verify` knows it again", async () => {
    room.folder.write("skills/pdf/scripts/run.sh", "echo 1\n");
    await room.approve("pdf");
    const report = await room.export();
    expect(report).toMatchObject({ root: room.project.root, folder: ".claude/skills", notes: [] });
    expect(report.skills.map(({ folder, entry, state }) => [folder, entry, state])).toEqual([
      [".claude/skills/pdf", "skills:pdf", "written"],
      [".claude/skills/xlsx", "skills:xlsx", "written"],
    ]);
    expect(room.state()).toEqual({
      ".claude/skills/pdf/SKILL.md": skillText("pdf"),
      ".claude/skills/pdf/scripts/run.sh": "echo 1\n",
      ".claude/skills/xlsx/SKILL.md": skillText("xlsx"),
      "skillward.lock": expect.any(String),
    });
    const registry = room.app.kept.store;
    expect(lock().skills[".claude/skills/pdf"]).toMatchObject({
      registry,
      entry: "skills:pdf",
      digest: await currentOf(room.app, "skills:pdf"),
    });
    expect(await room.verifies()).toBe(true);
    room.project.write(".claude/skills/pdf/SKILL.md", "changed");
    expect(await room.verifies()).toBe(false);
  });

  test("a second time nothing is written", async () => {
    await room.export();
    const never = () => Promise.reject(new Error("something was written"));
    const { files, folders } = room.app.world;
    const reading = {
      files: { ...files, write: never },
      folders: { ...folders, make: never, move: never, remove: never },
    };
    const before = room.state();
    expect(await room.states({}, reading)).toEqual({
      ".claude/skills/pdf": "unchanged",
      ".claude/skills/xlsx": "unchanged",
    });
    expect(room.state()).toEqual(before);
  });

  test("for every agent, where it looks in a project and in the folder of a person", async () => {
    for (const agent of agentNames)
      for (const scope of ["project", "user"] as const) {
        const to = room.project.at(agent, scope);
        const { folder } = await room.export({ to, agent, scope, skills: ["pdf"] });
        expect(folder).toBe(agentFolders[agent][scope]);
        expect(room.skillText("pdf", join(agent, scope, folder))).toBe(skillText("pdf"));
      }
  });

  test("into the folder that agents share beside those that they have alone, and verified together", async () => {
    for (const agent of ["codex", "claude"] as const) await room.export({ agent, skills: ["pdf"] });
    expect(Object.keys(lock().skills)).toEqual([".claude/skills/pdf", "pdf"]);
    expect(await room.verifies()).toBe(true);
    room.project.write(".agents/skills/pdf/SKILL.md", "changed");
    expect(await room.verifies()).toBe(false);
  });

  test("for nobody in particular, into a folder that is not there yet", async () => {
    const to = join(room.project.root, "build/skills");
    expect(await room.states({ to, agent: undefined })).toEqual({ "./pdf": "written", "./xlsx": "written" });
    expect(readdirSync(to).toSorted()).toEqual(["pdf", "skillward.lock", "xlsx"]);
  });

  test("SK-5: what was strict is strict there, by the reference validator", async () => {
    await room.export();
    const cli = join(repository, "node_modules/skills-ref/dist/cli.js");
    const verdict = (name: string) =>
      spawnSync(process.execPath, [cli, "validate", room.project.at(".claude/skills", name)]).status;
    expect([verdict("pdf"), verdict("xlsx"), verdict("nothing")]).toEqual([0, 0, 1]);
  });

  test("named ones, by id or name; the others stay as they are", async () => {
    await room.export();
    room.folder.writeSkill("pdf", "Otherwise.\n");
    room.folder.writeSkill("xlsx", "Otherwise.\n");
    await room.approve("pdf", "xlsx");
    expect(await room.states({ skills: ["skills:pdf"], prune: true })).toEqual({ ".claude/skills/pdf": "replaced" });
    expect([room.skillText("pdf"), room.skillText("xlsx")]).toEqual([
      skillText("pdf", "Otherwise.\n"),
      skillText("xlsx"),
    ]);
    await expect(room.export({ skills: ["nobody"] })).rejects.toMatchObject({ code: "record.missing" });
  });

  test("CO-1: those of a configuration, and nothing below its floor", async () => {
    const { app } = room;
    await addProvider(permitLlm(app, "administer"), "echo", { protocol: "echo", models: ["*"] });
    await addConfiguration(permitLlm(app, "operate"), "support", { provider: "echo", model: "any" });
    await attach(permitLlm(app, "operate"), "config:support", "skills:xlsx");
    expect(await room.states({ configuration: "support" })).toEqual({ ".claude/skills/xlsx": "written" });
    await changeConfiguration(permitLlm(app, "operate"), "support", { trustFloor: "verified" });
    const { skills } = await room.export({ configuration: "support" });
    expect(skills).toMatchObject([
      { entry: "skills:xlsx", state: "refused", reason: expect.stringContaining("below the floor verified") },
      { folder: ".claude/skills/xlsx", state: "left" },
    ]);
    await expect(room.export({ configuration: "support", skills: ["pdf"] })).rejects.toMatchObject({
      code: "usage.invalid",
    });
  });

  test("RV-12: whoever is limited to configurations names one of them", async () => {
    await addProvider(permitLlm(room.app, "administer"), "echo", { protocol: "echo", models: ["*"] });
    for (const id of ["mine", "theirs"])
      await addConfiguration(permitLlm(room.app, "operate"), id, { provider: "echo", model: "any" });
    await attach(permitLlm(room.app, "operate"), "config:mine", "skills:pdf");
    const limited = asPerson(room.app, { ...person("key:ci", "reader"), configurations: ["mine"] });
    const asked = { to: room.project.root, agent: "claude", force: false, prune: false } as const;
    for (const more of [{}, { skills: ["pdf"] }, { configuration: "theirs" }])
      await expect(exportApproved(limited, { ...asked, ...more })).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(room.state()).toEqual({});
    const { skills } = await exportApproved(limited, { ...asked, configuration: "mine" });
    expect(skills).toMatchObject([{ folder: ".claude/skills/pdf", state: "written" }]);
  });
});

describe("SV-6, invariant 1: nothing but what is approved", () => {
  test("what is not is refused with its reason, and the others are written", async () => {
    room.folder.writeSkill("waiting");
    room.folder.writeSkill("pdf", "Nobody has seen this.\n");
    await room.approve();
    const { skills } = await room.export({ skills: ["waiting", "pdf", "xlsx"] });
    expect(skills).toMatchObject([
      { entry: "skills:waiting", folder: null, state: "refused", reason: expect.stringContaining("it is new") },
      { entry: "skills:pdf", folder: null, state: "refused", reason: expect.stringContaining("it is pending") },
      { entry: "skills:xlsx", state: "written" },
    ]);
    expect(Object.keys(room.state())).toEqual([".claude/skills/xlsx/SKILL.md", "skillward.lock"]);
  });

  test.each([
    ["its bytes", "UPDATE blobs SET bytes = CAST('changed' AS BLOB)"],
    ["its bytes, gone", "DELETE FROM blobs"],
    ["the list of its files", "UPDATE revisions SET files = '[]'"],
  ])("T17: of a store in which a hand changed %s nothing is written", async (_what, attack) => {
    await room.app.registry.look();
    room.folder.sql(attack);
    expect(await room.states()).toEqual({ ".claude/skills/pdf": "refused", ".claude/skills/xlsx": "refused" });
    expect(room.state()).toEqual({});
  });

  test("T17: what was exported before stays when its bytes in the store are changed", async () => {
    await room.export();
    room.folder.writeSkill("pdf", "Otherwise.\n");
    await room.approve("pdf");
    room.folder.sql("UPDATE blobs SET bytes = CAST('changed' AS BLOB)");
    const before = room.state();
    expect(await room.states()).toEqual({ ".claude/skills/pdf": "refused", ".claude/skills/xlsx": "unchanged" });
    expect(room.state()).toEqual(before);
  });
});

describe("SV-6: what is not to be there any more", () => {
  test("is said, and goes with --prune", async () => {
    await room.export();
    await say(room.app, ada, "disable", "skills:pdf");
    const { skills } = await room.export();
    expect(skills).toMatchObject([
      { folder: ".claude/skills/xlsx", state: "unchanged" },
      { folder: ".claude/skills/pdf", state: "left", reason: expect.stringContaining("it is disabled") },
    ]);
    expect(room.skillText("pdf")).toBe(skillText("pdf"));
    expect(await room.states({ prune: true })).toMatchObject({ ".claude/skills/pdf": "removed" });
    expect(Object.keys(room.state())).toEqual([".claude/skills/xlsx/SKILL.md", "skillward.lock"]);
    expect(Object.keys(lock().skills)).toEqual([".claude/skills/xlsx"]);
    expect(await room.states({ prune: true })).toEqual({ ".claude/skills/xlsx": "unchanged" });
  });

  test("also when it is called otherwise now, and when its folder is gone already", async () => {
    await room.export();
    room.folder.write("skills/pdf/SKILL.md", skillText("forms"));
    await room.approve("pdf");
    rmSync(room.project.at(".claude/skills/xlsx"), { recursive: true });
    await say(room.app, ada, "disable", "skills:xlsx");
    const { skills } = await room.export({ prune: true });
    expect(skills).toMatchObject([
      { folder: ".claude/skills/forms", state: "written" },
      { folder: ".claude/skills/pdf", state: "removed", reason: "it is called .claude/skills/forms now" },
      { folder: ".claude/skills/xlsx", state: "removed" },
    ]);
    expect(readdirSync(room.project.at(".claude/skills"))).toEqual(["forms"]);
    expect(await room.verifies()).toBe(true);
  });

  test("never what was changed there, nor what another agent's folder has", async () => {
    await room.export();
    await room.export({ agent: "cursor", skills: ["pdf"] });
    await say(room.app, ada, "disable", "skills:pdf");
    room.project.write(".claude/skills/pdf/notes.md", "mine");
    const { skills } = await room.export({ prune: true });
    expect(skills).toMatchObject([
      { folder: ".claude/skills/xlsx", state: "unchanged" },
      { folder: ".claude/skills/pdf", state: "drifted", drift: [{ path: "notes.md", how: "extra" }] },
    ]);
    expect(existsSync(room.project.at(".cursor/skills/pdf/SKILL.md"))).toBe(true);
    expect(await room.states({ prune: true, force: true })).toMatchObject({ ".claude/skills/pdf": "removed" });
    expect(existsSync(room.project.at(".claude/skills/pdf"))).toBe(false);
  });
});
