import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import { AppError } from "../../src/core/error.ts";
import { noteOfStaying, settleLeftovers } from "../../src/workspace/leftovers.ts";
import type { Placement } from "../../src/workspace/place.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import {
  type Contents,
  disk,
  filesToPlace,
  killedAfter,
  lockedSkill,
  lockText,
  Room,
} from "../support/publish-room.ts";

let room: Room;
beforeEach(() => {
  room = new Room();
});
afterEach(() => room.remove());

const first: Contents = { "SKILL.md": "one", "scripts/run.sh": "echo 1", "references/a.md": "a" };
const second: Contents = { "SKILL.md": "two", "scripts/run.sh": "echo 2", "references/b.md": "b" };

const adding: Placement = {
  folder: "pdf",
  before: undefined,
  after: lockedSkill(first),
  files: filesToPlace(first),
  mayReplace: "nothing",
};
const updating: Placement = {
  folder: "pdf",
  before: lockedSkill(first),
  after: lockedSkill(second),
  files: filesToPlace(second),
  mayReplace: "what is locked",
};
const restoring: Placement = { ...adding, before: lockedSkill(first), mayReplace: "anything" };

function stateOf(contents: Contents | undefined): Record<string, string> {
  const files = Object.entries(contents ?? {}).map(([path, text]) => [
    `.agents/skills/pdf/${path}`,
    `${path.endsWith(".sh") ? "x " : ""}${text}`,
  ]);
  return Object.fromEntries(files.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
}

/** Files alone: which folders are there is not part of a state. */
function filesIn(place: Room): Record<string, string> {
  const all = Object.entries(place.everything()).filter(([path]) => !path.endsWith("/") && path !== "skillward.lock");
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** As a run that was interrupted, or somebody who wants it to look so, leaves it beside the skills. */
function stage(name: string, contents: Contents): void {
  for (const { path, bytes, executable } of filesToPlace(contents))
    room.write(`.agents/skills/${name}/${path}`, Buffer.from(bytes).toString(), executable ? 0o755 : 0o644);
}

/** The same, as a link to where it lies. */
function linkTo(name: string, contents: Contents): void {
  for (const { path, bytes, executable } of filesToPlace(contents))
    room.write(`elsewhere/${path}`, Buffer.from(bytes).toString(), executable ? 0o755 : 0o644);
  mkdirSync(room.skill(), { recursive: true });
  symlinkSync(room.at("elsewhere"), room.skill(name));
}

describe("AG-11: a skill is placed as a whole", () => {
  test("with its folder, its modes and its place in the lock file, and nothing else", async () => {
    await room.place(adding);
    expect(filesIn(room)).toEqual(stateOf(first));
    expect(room.lockText()).toBe(lockText({ pdf: lockedSkill(first) }));
    expect((await room.verify()).passes).toBe(true);
    await room.place(updating);
    expect(filesIn(room)).toEqual(stateOf(second));
    expect(room.lockText()).toBe(lockText({ pdf: lockedSkill(second) }));
    expect((await room.verify()).passes).toBe(true);
  });

  test("beside what others locked meanwhile", async () => {
    room.write("skillward.lock", lockText({ xlsx: lockedSkill(first, "xlsx") }));
    await room.place(adding);
    expect(Object.keys(JSON.parse(room.lockText() ?? "").skills)).toEqual(["pdf", "xlsx"]);
  });

  test.each([
    ["somebody's own folder", () => room.write(".agents/skills/pdf/SKILL.md", "mine")],
    ["an empty folder", () => mkdirSync(room.skill("pdf"), { recursive: true })],
    ["a file", () => room.write(".agents/skills/pdf", "mine")],
    [
      "a link that leads nowhere",
      () => {
        mkdirSync(room.skill(), { recursive: true });
        symlinkSync("nowhere", room.skill("pdf"));
      },
    ],
  ])("never over %s", async (_what, make) => {
    make();
    const before = room.everything();
    await expect(room.place(adding)).rejects.toMatchObject({ code: "record.exists" });
    expect(room.everything()).toEqual(before);
  });

  test("never over what was changed here, or locked by another, while somebody made up their mind", async () => {
    await room.place(adding);
    room.write(".agents/skills/pdf/SKILL.md", "mine");
    await expect(room.place(updating)).rejects.toMatchObject({ code: "disk.failed" });
    room.write(".agents/skills/pdf/SKILL.md", "one");
    room.write("skillward.lock", lockText({ pdf: { ...lockedSkill(first), commit: "d".repeat(40) } }));
    const before = room.everything();
    await expect(room.place(updating)).rejects.toMatchObject({ code: "disk.failed" });
    expect(room.everything()).toEqual(before);
  });

  test.each<[string, Placement, () => void]>([
    ["a file in it", updating, () => room.write(".agents/skills/pdf/notes.md", "mine")],
    ["one of its files", updating, () => room.write(".agents/skills/pdf/SKILL.md", "mine")],
    ["whether one can be run", updating, () => room.write(".agents/skills/pdf/scripts/run.sh", "echo 1", 0o644)],
    ["a git of its own", updating, () => room.write(".agents/skills/pdf/.git/HEAD", "mine")],
    ["a file in what may be anything", restoring, () => room.write(".agents/skills/pdf/notes.md", "mine")],
    ["the folder, where nothing was", adding, () => room.write(".agents/skills/pdf/SKILL.md", "mine")],
  ])("never over what somebody saved while it was staged: %s", async (_what, placement, save) => {
    if (placement !== adding) await room.place(adding);
    let saved: Record<string, string> | undefined;
    const make: typeof disk.folders.make = async (path, files) => {
      save();
      saved = room.everything();
      await disk.folders.make(path, files);
    };
    await expect(room.place(placement, { ...disk, folders: { ...disk.folders, make } })).rejects.toMatchObject({
      code: "disk.failed",
      message: expect.stringMatching(/pdf was changed by somebody meanwhile; nothing was written, look again/),
    });
    expect(room.everything()).toEqual(saved);
  });

  test("T23: what the disk does not keep as it is, is found out before anything is replaced", async () => {
    const { folders } = disk;
    const forgetful = {
      ...folders,
      make: (path: string, files: Placement["files"]) => folders.make(path, files.slice(1)),
    };
    await room.place(adding);
    const before = room.everything();
    await expect(room.place(updating, { ...disk, folders: forgetful })).rejects.toMatchObject({ code: "disk.failed" });
    expect(room.everything()).toEqual(before);
  });
});

describe("T24, T44: nothing goes through a link that a workspace brings", () => {
  test.each([".agents", ".agents/skills"])("%s", async (link) => {
    const outside = new Room();
    try {
      outside.write("skills/precious", "p");
      if (link === ".agents/skills") mkdirSync(room.at(".agents"));
      symlinkSync(outside.at(link === ".agents" ? "." : "skills"), room.at(link));
      const before = outside.everything();
      for (const placement of [adding, updating, restoring])
        await expect(room.place(placement)).rejects.toMatchObject({ code: "path.wrong-kind" });
      await expect(room.settle()).rejects.toMatchObject({ code: "path.wrong-kind" });
      await expect(room.verify()).rejects.toMatchObject({ code: "path.wrong-kind" });
      expect(outside.everything()).toEqual(before);
      expect(room.lockText()).toBeUndefined();
    } finally {
      outside.remove();
    }
  });

  test("a link in the place of the skill is taken away itself, not what it points to", async () => {
    const outside = new Room();
    try {
      outside.write("SKILL.md", "one");
      room.write("skillward.lock", lockText({ pdf: lockedSkill(first) }));
      mkdirSync(room.skill(), { recursive: true });
      symlinkSync(outside.root, room.skill("pdf"));
      await room.place(restoring);
      expect(filesIn(room)).toEqual(stateOf(first));
      expect(outside.everything()).toEqual({ "SKILL.md": "one" });
    } finally {
      outside.remove();
    }
  });

  test("a lock file that is a link is not read", async () => {
    room.write("elsewhere", lockText({}));
    symlinkSync("elsewhere", room.at("skillward.lock"));
    await expect(room.verify()).rejects.toMatchObject({ code: "path.wrong-kind" });
  });
});

describe("T42: killed at any step, the next run has the old state or the new one", () => {
  const cases: readonly [string, Placement, Contents | undefined, Contents][] = [
    ["adding", adding, undefined, first],
    ["updating", updating, first, second],
    ["putting back", restoring, { ...first, "SKILL.md": "changed here" }, first],
  ];

  async function begin(before: Contents | undefined, placement: Placement): Promise<void> {
    if (before === undefined) return;
    await room.place(adding);
    for (const { path, bytes, executable } of filesToPlace(before))
      room.write(`.agents/skills/pdf/${path}`, Buffer.from(bytes).toString(), executable ? 0o755 : 0o644);
    expect(room.lockText()).toBe(lockText({ pdf: placement.before ?? lockedSkill(first) }));
  }

  test.each(cases)("%s", async (_what, placement, before, after) => {
    const seen = new Set<string>();
    for (let alive = 0; ; alive++) {
      rmSync(room.root, { recursive: true });
      mkdirSync(room.root);
      await begin(before, placement);
      const lockBefore = room.lockText();
      const killed = killedAfter(alive);
      const ended = await room.place(placement, killed.disk).then(
        () => "done",
        () => "killed",
      );
      await room.settle();
      const isNew = JSON.stringify(filesIn(room)) === JSON.stringify(stateOf(after));
      expect(filesIn(room)).toEqual(isNew ? stateOf(after) : stateOf(before));
      expect(room.lockText()).toBe(isNew ? lockText({ pdf: placement.after }) : lockBefore);
      seen.add(isNew ? "new" : "old");
      // Nothing of it stays behind, and to settle what is settled does nothing.
      const settled = room.everything();
      await room.settle();
      expect(room.everything()).toEqual(settled);
      if (ended === "done") break;
    }
    expect([...seen]).toEqual(["old", "new"]);
  });

  test("also when the run that tidies up is killed itself", async () => {
    for (let alive = 0; alive < 6; alive++)
      for (let again = 0; again < 4; again++) {
        rmSync(room.root, { recursive: true });
        mkdirSync(room.root);
        await begin(first, updating);
        await room.place(updating, killedAfter(alive).disk).catch(() => undefined);
        await room.settle(killedAfter(again).disk).catch(() => undefined);
        await room.settle();
        const isNew = room.lockText() === lockText({ pdf: updating.after });
        expect(filesIn(room)).toEqual(stateOf(isNew ? second : first));
      }
  });

  test("a half written folder never takes the place of a skill", async () => {
    await room.place(adding);
    mkdirSync(room.skill(".pdf.0123abcd.tmp"));
    writeFileSync(room.skill(".pdf.0123abcd.tmp", "SKILL.md"), "half");
    await room.settle();
    expect(filesIn(room)).toEqual(stateOf(first));
  });

  test("what had made room comes back when nothing took its place", async () => {
    await room.place(adding);
    renameSync(room.skill("pdf"), room.skill(".pdf.0123abcd.old"));
    await room.settle();
    expect(filesIn(room)).toEqual(stateOf(first));
  });

  test.each<[string, () => void]>([
    ["a changed folder", () => room.write(".agents/skills/pdf/SKILL.md", "My own work")],
    ["a changed folder with a git of its own", () => room.write(".agents/skills/pdf/.git/HEAD", "My own work")],
    ["an empty folder", () => mkdirSync(room.skill("pdf"), { recursive: true })],
    ["a file", () => room.write(".agents/skills/pdf", "My own work")],
    ["a link", () => symlinkSync("nowhere", room.skill("pdf"))],
  ])("T44: what is locked, staged by a clone, never takes the place of %s", async (_what, make) => {
    room.write("skillward.lock", lockText({ pdf: lockedSkill(first) }));
    mkdirSync(room.skill(), { recursive: true });
    make();
    const own = room.everything();
    stage(".pdf.00000000.tmp", first);
    await room.settle();
    expect(room.everything()).toEqual(own);
  });

  test("T44: nor does a clone's lock file with it, which says that the change was under way", async () => {
    await room.place(adding);
    room.write("skillward.lock", lockText({ pdf: lockedSkill(second) }));
    stage(".pdf.00000000.tmp", second);
    await room.settle();
    expect(filesIn(room)).toEqual(stateOf(first));
  });

  test.each<[string, string, () => void]>([
    ["a skill that is not locked", ".evil.00000000.old", () => stage(".evil.00000000.old", first)],
    ["a skill that is locked otherwise", ".pdf.00000000.old", () => stage(".pdf.00000000.old", second)],
    ["one that was to go and is locked otherwise", ".pdf.00000000.gone", () => stage(".pdf.00000000.gone", second)],
    ["a link to what is locked", ".pdf.00000000.old", () => linkTo(".pdf.00000000.old", first)],
    ["a link to anything", ".evil.00000000.old", () => linkTo(".evil.00000000.old", second)],
    ["a file", ".pdf.00000000.old", () => room.write(".agents/skills/.pdf.00000000.old", "one")],
  ])("T44: %s, put aside by a clone, never comes to life, and is named", async (_what, name, make) => {
    room.write("skillward.lock", lockText({ pdf: lockedSkill(first) }));
    make();
    const before = room.everything();
    const { root, lock } = await openWorkspace(disk.files, room.root);
    const staying = await settleLeftovers(disk, root, lock);
    expect(staying).toEqual([`.agents/skills/${name}`]);
    expect(staying.map(noteOfStaying)).toEqual([
      expect.stringMatching(/is not put back: .* not as locked\. Look at it/),
    ]);
    expect(room.everything()).toEqual(before);
  });

  test("T44: a link that a clone calls something that was to go is taken away itself", async () => {
    linkTo(".pdf.00000000.gone", first);
    await room.settle();
    expect(Object.keys(filesIn(room))).toEqual(
      Object.keys(first)
        .map((path) => `elsewhere/${path}`)
        .toSorted(),
    );
  });

  test("what had made room stays, and is named, where somebody changed what took its place", async () => {
    await room.place(adding);
    stage(".pdf.0123abcd.old", { "SKILL.md": "Earlier work" });
    room.write(".agents/skills/pdf/SKILL.md", "My own work");
    const before = room.everything();
    const { root, lock } = await openWorkspace(disk.files, room.root);
    expect(await settleLeftovers(disk, root, lock)).toEqual([".agents/skills/.pdf.0123abcd.old"]);
    expect(room.everything()).toEqual(before);
    room.write(".agents/skills/pdf/SKILL.md", "one");
    expect(await settleLeftovers(disk, root, lock)).toEqual([]);
    expect(filesIn(room)).toEqual(stateOf(first));
  });

  test("a lock file that cannot be written leaves everything as it was", async () => {
    await room.place(adding);
    const before = room.everything();
    const write = () => Promise.reject(new AppError("disk.failed", "full"));
    const full = { ...disk, files: { ...disk.files, write } };
    await expect(room.place(updating, full)).rejects.toMatchObject({ code: "disk.failed", message: "full" });
    expect(room.everything()).toEqual(before);
  });

  test("folders that are not ours stay, whatever they are called", async () => {
    for (const name of [
      ".git",
      ".pdf.tmp",
      ".PDF.0123abcd.tmp",
      ".pdf.0123abcd.bak",
      ".pdf.0123ABCD.old",
      "pdf.0123abcd.tmp",
    ])
      room.write(`.agents/skills/${name}/SKILL.md`, "mine");
    const before = room.everything();
    await room.settle();
    expect(room.everything()).toEqual(before);
  });
});

describe("whole folders on a disk", () => {
  const { folders } = createWorld();

  test("nothing is written into what is there", async () => {
    room.write("there/a", "a");
    symlinkSync("there", room.at("link"));
    for (const path of ["there", "link"])
      await expect(folders.make(room.at(path), [])).rejects.toMatchObject({ code: "disk.failed" });
    expect(room.everything()).toEqual({ "there/": "", "there/a": "a", link: "link" });
  });

  test("nothing is moved over what is there", async () => {
    room.write("from/a", "a");
    mkdirSync(room.at("to"));
    await expect(folders.move(room.at("from"), room.at("to"))).rejects.toMatchObject({ code: "disk.failed" });
    await expect(folders.move(room.at("nowhere"), room.at("new"))).rejects.toMatchObject({ code: "path.missing" });
    expect(readdirSync(room.root).toSorted()).toEqual(["from", "to"]);
  });

  test("to remove what is not there is no error, and a link is removed itself", async () => {
    room.write("precious/a", "a");
    symlinkSync("precious", room.at("link"));
    await folders.remove(room.at("nothing"));
    await folders.remove(room.at("link"));
    expect(room.everything()).toEqual({ "precious/": "", "precious/a": "a" });
  });
});
