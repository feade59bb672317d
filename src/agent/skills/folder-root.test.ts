import { describe, expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import type { Files } from "../../core/world.ts";
import { loadBundle } from "../../skill/load-bundle.ts";
import { limits } from "../../core/limits.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { type MemoryEntry, memoryFiles } from "../../testing/memory-files.ts";
import { createFolderRoot } from "./folder-root.ts";

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: Does ${name} when asked to.\n${more}---\n\nDo it.\n`;

/** A root over a tree in memory, and the paths of the files that were read. */
function rootOver(tree: Readonly<Record<string, MemoryEntry>>, options: { ignore?: readonly string[] } = {}) {
  const memory = memoryFiles(tree);
  const read: string[] = [];
  const files: Files & typeof memory = {
    ...memory,
    read: (path, max) => {
      read.push(path);
      return memory.read(path, max);
    },
    readStamped: (path, max) => {
      read.push(path);
      return memory.readStamped(path, max);
    },
  };
  const clock = fixedClock();
  const root = createFolderRoot(
    { files, clock },
    { id: "project", origin: "project", path: "/w", ignore: [], ...options },
  );
  return { root, files, clock, read };
}

const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);

describe("AG-1: the skills of a folder tree", () => {
  it("AG-1: every SKILL.md, hidden folders too, with what is known without scanning it", async () => {
    const { root } = rootOver({
      "/w/.claude/skills/deploy/SKILL.md": skill(
        "deploy",
        "disable-model-invocation: true\nuser-invocable: false\nargument-hint: [stage]\nallowed-tools: Read Bash(git:*)\n",
      ),
      "/w/a/b/tidy/SKILL.md": skill("tidy", "argument-hint: <file>\n"),
      "/w/a/b/tidy/references/SKILL.md": skill("inner"),
      "/w/node_modules/p/SKILL.md": skill("p"),
      "/w/.git/x/SKILL.md": skill("x"),
    });
    const { skills, findings, folders } = await root.load();
    expect(skills).toMatchObject([
      {
        entry: "project:.claude/skills/deploy",
        folder: "/w/.claude/skills/deploy",
        byModel: false,
        byPerson: false,
        argumentHint: "[stage]",
        asks: ["Read", "Bash(git:*)"],
        unusable: null,
      },
      { name: "tidy", byModel: true, byPerson: true, argumentHint: "<file>", approved: null },
    ]);
    expect(findings).toEqual([]);
    expect(folders).toEqual(
      expect.arrayContaining(["/w", "/w/a/b", "/w/a/b/tidy", "/w/a/b/tidy/references", "/w/.claude/skills/deploy"]),
    );
  });

  it("AG-1: the digest is that of the bundle, and opening gives its bytes", async () => {
    const { root, files } = rootOver({
      "/w/a/SKILL.md": skill("a"),
      "/w/a/scripts/run.sh": "echo",
      "/w/a/scope.yaml": "x",
    });
    const { skills } = await root.load();
    const bundle = await loadBundle(files, { path: "/w/a", role: "leaf" }, limits.skill.workspace);
    expect(skills[0]?.digest).toBe(bundle.digest);
    expect((await root.open("project:a")).digest).toBe(bundle.digest);
    await expect(root.open("project:b")).rejects.toMatchObject({ code: "record.missing" });
  });

  it("AG-1: at the root of a workspace only the skill's own files are of it, also when it is the only one", async () => {
    const { root, files } = rootOver({ "/w/SKILL.md": skill("w"), "/w/src/main.ts": "1", "/w/scripts/x.sh": "2" });
    const before = await root.load();
    await files.write("/w/src/main.ts", Buffer.from("other"));
    expect((await root.load()).skills).toEqual(before.skills);
    expect((await root.open("project:")).files.map(({ path }) => path)).toEqual(["SKILL.md", "scripts/x.sh"]);
  });

  it("AG-1: a file that fails leaves a finding, and the rest load", async () => {
    const { root } = rootOver({
      "/w/bad/SKILL.md": "---\nname: [\n---\n",
      "/w/good/SKILL.md": skill("good"),
      "/w/pipe/SKILL.md": { kind: "special" },
      "/w/link/SKILL.md": { kind: "link" },
    });
    const { skills } = await root.load();
    expect(skills.map(({ name, unusable }) => [name, unusable === null])).toEqual([
      ["bad", false],
      ["good", true],
      ["link", false],
      ["pipe", false],
    ]);
    expect(skills.map(({ digest }) => digest === null)).toEqual([false, false, true, true]);
  });

  it("AG-1: rejects only when the root itself cannot be listed", async () => {
    await expect(rootOver({ "/other/x": "" }).root.load()).rejects.toMatchObject({ code: "path.missing" });
    const { root, files } = rootOver({ "/w/a/SKILL.md": skill("a"), "/w/closed/x": "", "/w/z/SKILL.md": skill("z") });
    const memory = { ...files };
    files.list = async (folder, max) =>
      folder === "/w/closed" ? await memory.list("/w/nothing", max) : await memory.list(folder, max);
    const { skills, findings } = await root.load();
    expect([skills.length, codes(findings)]).toEqual([2, ["folder.unreadable"]]);
  });

  it("AG-1: what git ignores loads with a remark, and git is never asked", async () => {
    const { root } = rootOver({
      "/w/.gitignore": "local/\n",
      "/w/local/a/SKILL.md": skill("a"),
      "/w/b/SKILL.md": skill("b"),
      "/w/c/.gitignore": "*\n",
      "/w/c/d/SKILL.md": skill("d"),
    });
    const { skills } = await root.load();
    expect(skills.map(({ name, findings }) => [name, codes(findings)])).toEqual([
      ["b", []],
      ["d", ["agent.git-ignored"]],
      ["a", ["agent.git-ignored"]],
    ]);
  });

  it("AG-1: below what skillward.yaml ignores nothing is looked for", async () => {
    const tree = {
      "/w/vendor/a/SKILL.md": skill("a"),
      "/w/x/test/b/SKILL.md": skill("b"),
      "/w/c/SKILL.md": skill("c"),
    };
    const { root } = rootOver(tree, { ignore: ["vendor/", "**/test", "[ab]"] });
    const { skills, findings, folders } = await root.load();
    expect(skills.map(({ name }) => name)).toEqual(["c"]);
    expect(codes(findings)).toEqual(["agent.ignore-pattern"]);
    expect(folders).toEqual(["/w/c", "/w", "/w/x"]);
  });

  it("AG-1, SK-13: a path with what cannot be seen is not loaded, and is said without harm", async () => {
    const { root } = rootOver({ "/w/a\u001b[2Jb/SKILL.md": skill("evil"), "/w/b/SKILL.md": skill("b") });
    const { skills, findings } = await root.load();
    expect(skills.map(({ name }) => name)).toEqual(["b"]);
    expect(findings).toMatchObject([{ code: "path.unsafe", at: { file: "a\\u{1b}[2Jb" } }]);
  });

  it("AG-1: of 20,001 folders the first 20,000 are looked into, and that there are more is said", async () => {
    const { root, files } = rootOver({ "/w/000000/SKILL.md": skill("first") });
    const names = Array.from({ length: 20_000 }, (_, at) => at.toString().padStart(6, "0"));
    const memory = { ...files };
    files.list = async (folder, max) => {
      if (folder === "/w") return { entries: names.map((name) => ({ name, kind: "folder" })), complete: true };
      return folder === "/w/000000" ? await memory.list(folder, max) : { entries: [], complete: true };
    };
    const { skills, findings, folders } = await root.load();
    expect([skills.length, folders.length, codes(findings)]).toEqual([1, 20_000, ["walk.bounds"]]);
  });

  it("AG-1: many findings are cut to the heaviest, and that is said", async () => {
    const links = Array.from({ length: 300 }, (_, at) => [`/w/link${at}`, { kind: "link" }] as const);
    const { root } = rootOver({ ...Object.fromEntries(links), "/w/x/skill.md": "" });
    const { findings } = await root.load();
    expect(findings).toHaveLength(201);
    expect([findings[0]?.code, findings.at(-1)?.code]).toEqual(["skill.case", "agent.findings-cut"]);
  });
});

describe("AG-4: loading again", () => {
  const tree = {
    "/w/.gitignore": "x\n",
    "/w/a/SKILL.md": skill("a"),
    "/w/a/references/r.md": "one",
    "/w/b/SKILL.md": skill("b"),
    "/w/b/scope.yaml": "x: 1\n",
  };

  it("AG-4: what has not changed is not read again", async () => {
    const { root, read } = rootOver(tree);
    const first = await root.load();
    expect(read.toSorted()).toEqual(Object.keys(tree).toSorted());
    read.length = 0;
    expect((await root.load()).skills).toEqual(first.skills);
    expect(read).toEqual([]);
  });

  it("AG-4: after one edit exactly that file is read", async () => {
    const { root, files, read } = rootOver(tree);
    const first = await root.load();
    read.length = 0;
    await files.write("/w/a/references/r.md", Buffer.from("two"));
    const second = await root.load();
    expect(read).toEqual(["/w/a/references/r.md"]);
    expect(second.skills[0]?.digest).not.toBe(first.skills[0]?.digest);
    read.length = 0;
    await files.write("/w/a/SKILL.md", Buffer.from(skill("a", "license: MIT\n")));
    await root.load();
    expect(read).toEqual(["/w/a/SKILL.md"]);
  });

  it("AG-4: what is known stays true to the bytes, whatever was edited, added or removed", async () => {
    const { root, files } = rootOver(tree);
    const isTrue = async () => {
      const { skills } = await root.load();
      const fresh = createFolderRoot(
        { files, clock: fixedClock() },
        { id: "project", origin: "project", path: "/w", ignore: [] },
      );
      expect(skills).toEqual((await fresh.load()).skills);
    };
    await isTrue();
    const put = (path: string, text: string) => files.write(path, Buffer.from(text));
    await put("/w/b/scope.yaml", "version: 1\n");
    await isTrue();
    await put("/w/a/SKILL.md", "no header");
    await isTrue();
    await put("/w/a/SKILL.md", skill("renamed"));
    await put("/w/a/added.md", "");
    await isTrue();
    await files.remove("/w/a/references/r.md");
    await isTrue();
    await files.remove("/w/b/SKILL.md");
    await isTrue();
    await put("/w/c/SKILL.md", skill("c"));
    await isTrue();
  });

  it("AG-4: a file that was written a moment before it was read is read once more", async () => {
    const { root, files, clock, read } = rootOver({ "/w/a/SKILL.md": skill("a") });
    const memory = { ...files };
    const changedAt = clock.now() - 1_999;
    files.stamp = async (path) => ({ ...(await memory.stamp(path)), changedAt });
    files.readStamped = async (path, max) => {
      const { bytes } = await memory.readStamped(path, max);
      // The reading takes time, which makes the write before it no older.
      clock.advance(1);
      return { stamp: await files.stamp(path), bytes };
    };
    await root.load();
    read.length = 0;
    await root.load();
    expect(read).toEqual(["/w/a/SKILL.md"]);
    read.length = 0;
    await root.load();
    expect(read).toEqual([]);
  });

  it("AG-4: what was written while it was read is read once more, by the stamp of what was opened", async () => {
    const { root, files, read } = rootOver({ "/w/a/SKILL.md": skill("a"), "/w/a/r.md": "one" });
    const memory = { ...files };
    const write = (text: string) => files.write("/w/a/r.md", Buffer.from(text));
    files.readStamped = async (path, max) => {
      const opened = await memory.readStamped(path, max);
      if (path === "/w/a/r.md") await write("two");
      return opened;
    };
    const { skills } = await root.load();
    files.readStamped = (path, max) => memory.readStamped(path, max);
    read.length = 0;
    expect((await root.load()).skills[0]?.digest).not.toBe(skills[0]?.digest);
    expect(read).toEqual(["/w/a/r.md"]);
  });

  it("AG-4: a file that could not be read is left out with a finding, and is there as soon as it can be", async () => {
    const { root, files } = rootOver({ "/w/a/SKILL.md": skill("a"), "/w/a/r.md": "one" });
    const memory = { ...files };
    files.readStamped = async (path, max) => {
      if (path === "/w/a/r.md") throw new AppError("disk.failed", "permission denied");
      return await memory.readStamped(path, max);
    };
    const [first, again] = [await root.load(), await root.load()];
    expect(first.skills.map(({ findings }) => codes(findings))).toEqual([["path.unreadable"]]);
    expect(again.skills).toEqual(first.skills);
    files.readStamped = (path, max) => memory.readStamped(path, max);
    const { skills } = await root.load();
    expect(skills.map(({ findings }) => codes(findings))).toEqual([[]]);
    expect(skills[0]?.digest).toBe((await root.open("project:a")).digest);
  });
});
