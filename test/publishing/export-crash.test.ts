import { mkdirSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { World } from "../../src/app/world/world.ts";
import { AppError } from "../../src/core/error.ts";
import { type ExportRoom, exportRoom } from "./export-room.ts";
import { killedAfter } from "../support/publish-room.ts";
import { ada, say } from "../support/registry.ts";

let room: ExportRoom;
type State = Record<string, string>;
let [old, next]: [State, State] = [{}, {}];

/** As it was before: `gone`, `kept` and `moved` lie there, all as they were approved then. */
let before: Record<string, string>;

beforeAll(async () => {
  room = await exportRoom(["gone", "kept", "moved"]);
  room.folder.write("skills/moved/references/a.md", "a");
  await room.approve("moved");
  await room.export();
  old = room.state();
  before = room.project.everything();
  room.folder.writeSkill("moved", "Otherwise.\n");
  room.folder.writeSkill("new");
  room.folder.write("skills/new/b.md", "b");
  await room.approve("moved", "new");
  await say(room.app, ada, "disable", "skills:gone");
  await room.export({ prune: true });
  next = room.state();
}, 30_000);
afterAll(() => room.close());

/** The project as it was before the export that is interrupted. */
function begin(): void {
  rmSync(room.project.root, { recursive: true });
  mkdirSync(room.project.root);
  for (const [path, text] of Object.entries(before)) if (!path.endsWith("/")) room.project.write(path, text);
}

const exporting = (world: Partial<World>) =>
  room.export({ prune: true }, world).then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "disk.failed") throw error;
      return "failed";
    },
  );

describe("SV-6, T42: an export is all of it or nothing", () => {
  test("the two states differ in a skill that comes, one that goes and one that changes", () => {
    const skillsOf = (state: State) => [...new Set(Object.keys(state).map((path) => path.split("/")[2]))];
    expect([skillsOf(old), skillsOf(next)]).toEqual([
      ["gone", "kept", "moved", undefined],
      ["kept", "moved", "new", undefined],
    ]);
    expect(next[".claude/skills/moved/SKILL.md"]).not.toBe(old[".claude/skills/moved/SKILL.md"]);
  });

  test("killed at any step, the next run finds all that was, or all that is to be", async () => {
    const seen: string[] = [];
    for (let alive = 0; ; alive++) {
      begin();
      const { disk } = killedAfter(alive);
      const ended = await exporting({ files: disk.files, folders: disk.folders });
      // Whatever is asked next first ends what was begun: here, an export that has nothing to do with it.
      await room.export({ skills: ["kept"] });
      const state = room.state();
      const isNext = state["skillward.lock"] === next["skillward.lock"];
      expect(state).toEqual(isNext ? next : old);
      expect(await room.verifies()).toBe(true);
      seen.push(isNext ? "next" : "old");
      if (ended === "done") break;
    }
    expect([...new Set(seen)]).toEqual(["old", "next"]);
    expect(seen.filter((each) => each === "next").length).toBeGreaterThan(3);
  });

  test("killed once more while the next run ends it", async () => {
    for (let alive = 0; alive < 12; alive++)
      for (let again = 0; again < 4; again++) {
        begin();
        const first = killedAfter(alive).disk;
        await exporting({ files: first.files, folders: first.folders });
        const second = killedAfter(again).disk;
        await exporting({ files: second.files, folders: second.folders });
        await room.export({ prune: true });
        expect(room.state()).toEqual(next);
      }
  });

  test("a step that fails puts back what was, at once", async () => {
    for (let failing = 0; ; failing++) {
      begin();
      let steps = 0;
      const { files, folders } = room.app.world;
      const step = <Args extends readonly unknown[]>(act: (...args: Args) => Promise<void>) => {
        return (...args: Args) =>
          steps++ === failing ? Promise.reject(new AppError("disk.failed", "the disk is full")) : act(...args);
      };
      const ended = await exporting({
        files: { ...files, write: step((path, bytes) => files.write(path, bytes)) },
        folders: {
          ...folders,
          make: step((path, parts) => folders.make(path, parts)),
          move: step((from, to) => folders.move(from, to)),
        },
      });
      const isWritten = room.project.lockText() === next["skillward.lock"];
      if (ended === "failed" && !isWritten) expect(room.state()).toEqual(old);
      // From the lock file on it only goes forward.
      if (ended === "failed" && isWritten) {
        await room.export({ skills: ["kept"] });
        expect(room.state()).toEqual(next);
      }
      if (ended === "done") {
        expect(room.state()).toEqual(next);
        break;
      }
    }
  });

  test("what was not written by the time the store fails leaves nothing behind", async () => {
    begin();
    const use = () => Promise.reject(new AppError("store.failed", "the store is away"));
    const app = { ...room.app, registry: { ...room.app.registry, use } };
    const other = Object.assign(Object.create(room), { app });
    await expect(other.export({ prune: true })).rejects.toMatchObject({ code: "store.failed" });
    expect(room.state()).toEqual(old);
  });
});
