import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../src/app/app.ts";
import { type AskedExport, exportApproved, type ExportReport } from "../../src/features/publishing/export.ts";
import type { World } from "../../src/app/world/world.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { verifyWorkspace } from "../../src/workspace/verify.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { Room } from "../support/publish-room.ts";
import { ada, realWorld, RegistryFolder, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

/** A registry with approved skills, and a folder of a project beside it that is exported to. */
export class ExportRoom {
  readonly folder: RegistryFolder;
  readonly app: App;
  readonly project = new Room();

  constructor(folder: RegistryFolder, app: App) {
    this.folder = folder;
    this.app = app;
  }

  async approve(...skills: readonly string[]): Promise<void> {
    await runSync(this.app.sync, allow(ada), "skills");
    for (const skill of skills) await say(this.app, ada, "approve", `skills:${skill}`);
  }

  /** To the project, for claude, unless it says otherwise. `world`: parts that are not the real ones. */
  export(asked: Partial<AskedExport> = {}, world: Partial<World> = {}): Promise<ExportReport> {
    const app = { ...this.app, world: { ...this.app.world, ...world } };
    return exportApproved(app, { to: this.project.root, agent: "claude", force: false, prune: false, ...asked });
  }

  /** What became of each, by its folder, or its entry where it got none. */
  async states(asked: Partial<AskedExport> = {}, world: Partial<World> = {}): Promise<Record<string, string>> {
    const { skills } = await this.export(asked, world);
    return Object.fromEntries(skills.map(({ folder, entry, state }) => [folder ?? entry, state]));
  }

  skillText(name: string, below = ".claude/skills"): string {
    return readFileSync(join(this.project.root, below, name, "SKILL.md"), "utf8");
  }

  async verifies(): Promise<boolean> {
    return (await verifyWorkspace(realWorld, await openWorkspace(realWorld.files, this.project.root))).passes;
  }

  /** Files with their bytes; which folders are there is not part of a state. */
  state(): Record<string, string> {
    const all = Object.entries(this.project.everything()).filter(([path]) => !path.endsWith("/"));
    return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  async close(): Promise<void> {
    this.project.remove();
    await this.folder.remove();
  }
}

export async function exportRoom(skills: readonly string[] = ["pdf", "xlsx"]): Promise<ExportRoom> {
  const folder = new RegistryFolder();
  for (const skill of skills) folder.writeSkill(skill);
  const app = await folder.open();
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills" });
  const room = new ExportRoom(folder, app);
  await room.approve(...skills);
  return room;
}
