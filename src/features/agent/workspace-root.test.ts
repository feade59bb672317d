import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, open, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Files } from "../../core/world.ts";
import { createFolderRoot } from "../../agent/skills/folder-root.ts";
import { createWorld } from "../../app/world/world.ts";

const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name} when asked to.\n---\n\nDo it.\n`;

let room: string;

beforeEach(async () => {
  room = await realpath(await mkdtemp(join(tmpdir(), "skillward-root-")));
  await mkdir(join(room, "w"));
});

afterEach(() => rm(room, { recursive: true, force: true }));

const put = async (path: string, content: string) => {
  await mkdir(join(room, path, ".."), { recursive: true });
  await writeFile(join(room, path), content);
};

/** The workspace of the room on the real disk, and every path that was listed or read, and the bytes of it. */
function workspace() {
  const { files, clock } = createWorld();
  const touched: string[] = [];
  const counts = { bytes: 0 };
  const watched: Files = {
    ...files,
    list: (folder, max) => {
      touched.push(folder);
      return files.list(folder, max);
    },
    read: async (path, max) => {
      touched.push(path);
      const read = await files.read(path, max);
      if (read instanceof Uint8Array) counts.bytes += read.length;
      return read;
    },
    readStamped: async (path, max) => {
      touched.push(path);
      const read = await files.readStamped(path, max);
      counts.bytes += read.bytes?.length ?? 0;
      return read;
    },
  };
  const options = { id: "project", origin: "project", path: join(room, "w"), ignore: [] } as const;
  return { root: createFolderRoot({ files: watched, clock }, options), touched, counts };
}

describe("AG-1: a hostile workspace on a real disk", () => {
  it("AG-1, T24: links that loop or lead out are not followed, and nothing of outside is read", async () => {
    await put("outside/secret/SKILL.md", skill("secret"));
    await put("outside/info/exclude", "*\n");
    await put("w/a/SKILL.md", skill("a"));
    await symlink(join(room, "w"), join(room, "w/loop"));
    await symlink(join(room, "outside"), join(room, "w/out"));
    await symlink("../../outside/secret/SKILL.md", join(room, "w/a/notes.md"));
    await symlink(join(room, "outside"), join(room, "w/.git"));
    await mkdir(join(room, "w/b"));
    await symlink(join(room, "outside/secret/SKILL.md"), join(room, "w/b/SKILL.md"));
    const { root, touched } = workspace();
    const { skills, findings } = await root.load();
    expect(skills.map(({ name, digest, unusable }) => [name, digest === null, unusable?.split(":")[0]])).toEqual([
      ["a", false, "path.link"],
      ["b", true, "path.link"],
    ]);
    expect(findings.map(({ code, at }) => [code, at.file])).toEqual([
      ["walk.link", ".git"],
      ["walk.link", "loop"],
      ["walk.link", "out"],
    ]);
    expect(skills.flatMap((each) => each.findings).filter(({ code }) => code === "agent.git-ignored")).toEqual([]);
    expect(touched.filter((path) => !path.startsWith(join(room, "w")))).toEqual([]);
    expect(touched.filter((path) => /\/(?:out|loop|\.git|notes\.md)\b|\/b\/SKILL/.test(path))).toEqual([]);
  });

  it("AG-1: a folder above that became a link after the listing is not opened", async () => {
    await put("w/deep/a/SKILL.md", skill("a"));
    await put("outside/a/SKILL.md", skill("a"));
    const { root, touched } = workspace();
    await root.load();
    await rename(join(room, "w/deep"), join(room, "w/moved"));
    await symlink(join(room, "outside"), join(room, "w/deep"));
    touched.length = 0;
    await expect(root.open("project:deep/a")).rejects.toMatchObject({ code: "path.wrong-kind" });
    expect(touched).toEqual([]);
  });

  it("SK-3: a SKILL.md of a gigabyte is not read, nor is a pipe waited for", async () => {
    await put("w/huge/SKILL.md", "");
    const handle = await open(join(room, "w/huge/SKILL.md"), "r+");
    await handle.truncate(2 ** 30);
    await handle.close();
    await mkdir(join(room, "w/pipe"));
    spawnSync("mkfifo", [join(room, "w/pipe/SKILL.md")]);
    await put("w/good/SKILL.md", skill("good"));
    const { root, counts } = workspace();
    const { skills } = await root.load();
    expect(skills.map(({ name, unusable }) => [name, unusable?.split(":")[0]])).toEqual([
      ["good", undefined],
      ["huge", "file.size"],
      ["pipe", "path.special"],
    ]);
    expect(counts.bytes).toBe(skill("good").length);
  });

  it("AG-4: an edit, also one of the same length right after the first, is seen", async () => {
    await put("w/a/SKILL.md", skill("one"));
    const { root } = workspace();
    await root.load();
    await put("w/a/SKILL.md", skill("two"));
    expect((await root.load()).skills.map(({ name }) => name)).toEqual(["two"]);
  });
});
