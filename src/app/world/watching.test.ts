import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderWatch } from "../../core/world.ts";
import { createWatching } from "./watching.ts";

let room: string;
let watch: FolderWatch;
let changes: number;

beforeEach(async () => {
  room = await realpath(await mkdtemp(join(tmpdir(), "skillward-watch-")));
  await mkdir(join(room, "a"));
  changes = 0;
  watch = createWatching().open(() => changes++);
});

afterEach(async () => {
  watch.close();
  await rm(room, { recursive: true, force: true });
});

/** Does something, and waits until it was seen. */
async function isSeen(act: () => Promise<unknown>): Promise<boolean> {
  // What came of earlier acts must not stand for this one.
  await settled();
  const before = changes;
  await act();
  await vi.waitUntil(() => changes > before, { timeout: 5_000, interval: 5 });
  return true;
}

async function settled(): Promise<void> {
  for (let before = -1; before !== changes; ) {
    before = changes;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe("AG-4: watching folders", () => {
  it("AG-4: a file that comes, is written and goes, and a folder that is renamed, are seen", async () => {
    expect(watch.watch([room, join(room, "a")])).toEqual({ unwatched: 0, why: null });
    const file = join(room, "a/SKILL.md");
    expect(await isSeen(() => writeFile(file, "one"))).toBe(true);
    expect(await isSeen(() => writeFile(file, "two"))).toBe(true);
    expect(await isSeen(() => rm(file))).toBe(true);
    expect(await isSeen(() => rename(join(room, "a"), join(room, "b")))).toBe(true);
  });

  it("AG-4: a folder that went and came again is watched anew", async () => {
    const folders = [room, join(room, "a")];
    watch.watch(folders);
    expect(await isSeen(() => rm(join(room, "a"), { recursive: true }))).toBe(true);
    expect(await isSeen(() => mkdir(join(room, "a")))).toBe(true);
    watch.watch(folders);
    expect(await isSeen(() => writeFile(join(room, "a/SKILL.md"), ""))).toBe(true);
  });

  it("AG-4: a folder that was renamed is watched where it is now, and what took its place too", async () => {
    watch.watch([room, join(room, "a")]);
    expect(await isSeen(() => rename(join(room, "a"), join(room, "b")))).toBe(true);
    expect(await isSeen(() => mkdir(join(room, "a")))).toBe(true);
    watch.watch([join(room, "a"), join(room, "b")]);
    expect(await isSeen(() => writeFile(join(room, "a/x"), ""))).toBe(true);
    expect(await isSeen(() => writeFile(join(room, "b/x"), ""))).toBe(true);
  });

  it("AG-4: what is new to be watched may have changed before, and that is told once", async () => {
    watch.watch([room]);
    await settled();
    expect(changes).toBe(0);
    watch.watch([room, join(room, "a")]);
    await settled();
    watch.watch([room, join(room, "a")]);
    await settled();
    expect(changes).toBe(1);
  });

  it("AG-4: what is not watched is counted, with a reason; what is closed says nothing more", async () => {
    // One that is gone meanwhile has nothing to be seen in.
    expect(watch.watch([room, join(room, "gone")])).toEqual({ unwatched: 0, why: null });
    const few = createWatching(1).open(() => {});
    expect(few.watch([room, room, join(room, "a")])).toEqual({ unwatched: 1, why: "more than 1 folders" });
    few.close();
    watch.close();
    await writeFile(join(room, "x"), "");
    await settled();
    expect(changes).toBe(0);
  });

  it("AG-4: a folder that is not asked for any more is not watched", async () => {
    watch.watch([room, join(room, "a")]);
    watch.watch([room]);
    await writeFile(join(room, "a/x"), "");
    await settled();
    expect(changes).toBe(0);
  });
});
