import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publishSkill } from "../../src/features/publishing/flow.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { getNpmSkills, NpmSkillsProject } from "./npm-skills.ts";
import { ada, say, skillText } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

/** More than one block of the archive holds. */
const table = "a,b,c\n".repeat(20_000);

let room: ApiRoom;
let project: NpmSkillsProject | undefined;
let why = "";

beforeAll(async () => {
  const found = await getNpmSkills();
  if ("why" in found) {
    why = found.why;
    console.warn(`not tried: ${why}`);
    return;
  }
  project = new NpmSkillsProject(found);
  room = await openApiRoom({ config: "publish:\n  enabled: on\n" });
  const { folder, app } = room;
  for (const skill of ["alone", "several", "private"]) folder.writeSkill(skill);
  folder.write("skills/several/scripts/run.sh", "echo 1\n");
  folder.write(`skills/several/references/${"deep/".repeat(25)}note.md`, "A note.\n");
  folder.write("skills/several/assets/table.csv", table);
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  for (const skill of ["alone", "several", "private"]) await say(app, ada, "approve", `skills:${skill}`);
  for (const skill of ["alone", "several"]) await publishSkill(app, skill);
}, 120_000);

afterAll(async () => {
  project?.remove();
  await room?.close();
});

/** SV-6: the public installer of skills, asked as anybody would ask it. */
describe("SV-6: the npm package `skills` installs what is published", () => {
  test("both kinds, byte for byte, and nothing that is not published", { timeout: 60_000 }, async ({ skip }) => {
    if (project === undefined) return skip(why);
    const { code, out, err } = await project.run("add", room.url, "--agent", "claude-code", "--yes", "--copy");
    expect(`${code} ${out}${err}`).toMatch(/^0 /);
    const at = (path: string) => project?.read(`.claude/skills/${path}`);
    expect(at("alone/SKILL.md")).toBe(skillText("alone"));
    expect(at("several/SKILL.md")).toBe(skillText("several"));
    expect(at("several/scripts/run.sh")).toBe("echo 1\n");
    expect(at(`several/references/${"deep/".repeat(25)}note.md`)).toBe("A note.\n");
    expect(at("several/assets/table.csv")).toBe(table);
    expect(project.has(".claude/skills/private")).toBe(false);
  });

  test("one by its name; one that is not published is not to be had by any", { timeout: 60_000 }, async ({ skip }) => {
    if (project === undefined) return skip(why);
    const listed = await project.run("add", room.url, "--list");
    expect(listed.out).toMatch(/alone[\s\S]*several/);
    expect(listed.out).not.toContain("private");
    const wanted = await project.run(
      "add",
      room.url,
      "--skill",
      "private",
      "--agent",
      "claude-code",
      "--yes",
      "--copy",
    );
    expect(wanted.code).not.toBe(0);
    expect(project.has(".claude/skills/private")).toBe(false);
  });

  test("nothing of it left this machine", ({ skip }) => {
    if (project === undefined) return skip(why);
    expect(project.refused()).toEqual([]);
  });
});
