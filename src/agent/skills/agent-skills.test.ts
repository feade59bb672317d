import { describe, expect, it, vi } from "vitest";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import type { AgentSkill, AgentSkills, SkillOrigin, SkillRoot, TrustBook } from "./agent-skill.ts";
import { createAgentSkills } from "./agent-skills.ts";
import { createFolderRoot } from "./folder-root.ts";

const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: Does ${name} when asked to.\n${more}---\n\nDo it.\n`;

function memoryBook(): TrustBook & { marks: Set<Digest> } {
  const marks = new Set<Digest>();
  return {
    marks,
    read: async () => ({ marks: new Set(marks), findings: [] }),
    add: async (added) => {
      for (const { mark } of added) marks.add(mark);
    },
  };
}

function roomOf(tree: Readonly<Record<string, string>>, options: { trustAll?: boolean; scan?: () => Finding[] } = {}) {
  const files = memoryFiles(tree);
  const book = memoryBook();
  const again = () => createAgentSkills({ book, scan: () => [], ...options });
  const root = (id: string, origin: SkillOrigin, path = `/${id}`) =>
    createFolderRoot({ files, clock: fixedClock() }, { id, origin, path, ignore: [] });
  const put = (path: string, text: string) => files.write(path, Buffer.from(text));
  return { files, book, skills: again(), again, root, put };
}

function only(skills: AgentSkills, name: string): AgentSkill {
  const found = skills.find(name);
  if (found.is !== "one") throw new Error(`${name}: ${found.is}`);
  return found.skill;
}

const standings = (skills: AgentSkills) => skills.set.skills.map(({ alias, standing }) => `${alias} ${standing}`);

describe("AG-1, AG-4: loading and loading again", () => {
  it("AG-1: loading a root replaces what it gave and keeps the others", async () => {
    const { skills, root, put, files } = roomOf({ "/project/a/SKILL.md": skill("a"), "/user/b/SKILL.md": skill("b") });
    await skills.loadSkills(root("user", "user"));
    const project = root("project", "project");
    expect(await skills.loadSkills(project)).toMatchObject({ generation: 2, added: ["a"], changed: [], removed: [] });
    await files.remove("/project/a/SKILL.md");
    await put("/project/c/SKILL.md", skill("c"));
    expect(await skills.loadSkills(project)).toMatchObject({ generation: 3, added: ["c"], removed: ["a"] });
    expect(skills.set.skills.map(({ alias }) => alias)).toEqual(["b", "c"]);
    expect(skills.folders).toEqual(expect.arrayContaining(["/user", "/user/b", "/project", "/project/c"]));
  });

  it("AG-4: the generation is the next one exactly when something changed", async () => {
    const { skills, root, put } = roomOf({ "/project/a/SKILL.md": skill("a") });
    await skills.loadSkills(root("project", "project"));
    const { set } = skills;
    expect(await skills.reload()).toEqual({
      generation: 1,
      added: [],
      changed: [],
      removed: [],
      confirmed: [],
      findings: [],
    });
    expect(skills.set.generation).toBe(1);
    await put("/project/a/SKILL.md", skill("a", "license: MIT\n"));
    expect(await skills.reload()).toMatchObject({ generation: 2, changed: ["a"] });
    expect(set.skills[0]?.digest).not.toBe(skills.set.skills[0]?.digest);
  });

  it("AG-4: a root that cannot be listed keeps what it gave, with a finding, and comes back", async () => {
    const { skills, root } = roomOf({ "/project/a/SKILL.md": skill("a"), "/user/b/SKILL.md": skill("b") });
    const project = root("project", "project");
    let isGone = false;
    const flaky: SkillRoot = {
      ...project,
      id: "project",
      origin: "project",
      load: () => (isGone ? Promise.reject(new AppError("disk.failed", "the disk is gone")) : project.load()),
      open: (entry) => project.open(entry),
    };
    await skills.loadSkills(flaky);
    isGone = true;
    expect(await skills.reload()).toMatchObject({
      generation: 1,
      removed: [],
      findings: [{ code: "agent.root-failed" }],
    });
    expect(skills.set.skills.map(({ alias }) => alias)).toEqual(["a"]);
    isGone = false;
    expect(await skills.reload()).toMatchObject({ generation: 1, findings: [] });
    expect(skills.set.findings).toEqual([]);
  });

  it("AG-4: callers that come while one loads share one more, which sees what the first did not", async () => {
    const { skills, root, put } = roomOf({ "/project/a/SKILL.md": skill("a") });
    const inner = root("project", "project");
    let open = () => {};
    const gate = new Promise<void>((go) => {
      open = go;
    });
    let [loads, underWay] = [0, 0];
    const slow: SkillRoot = {
      id: "project",
      origin: "project",
      open: (entry) => inner.open(entry),
      load: async () => {
        loads++;
        expect(++underWay).toBe(1);
        const loaded = await inner.load();
        await gate;
        underWay--;
        return loaded;
      },
    };
    const first = skills.loadSkills(slow);
    await vi.waitFor(() => expect(underWay).toBe(1));
    const others = [skills.reload(), skills.reload(), skills.reload()];
    await put("/project/b/SKILL.md", skill("b"));
    open();
    expect(await first).toMatchObject({ generation: 1, added: ["a"] });
    for (const change of await Promise.all(others)) expect(change).toMatchObject({ generation: 2, added: ["b"] });
    expect(loads).toBe(2);
    await skills.reload();
    expect(loads).toBe(3);
  });
});

describe("AG-2: trust", () => {
  it("AG-2: what a repository brings is unconfirmed, the person's own is confirmed", async () => {
    const { skills, root } = roomOf({ "/project/a/SKILL.md": skill("a"), "/user/b/SKILL.md": skill("b") });
    await skills.loadSkills(root("project", "project"));
    await skills.loadSkills(root("user", "user"));
    expect(standings(skills)).toEqual(["a unconfirmed", "b confirmed"]);
    expect(skills.set.skills.map(({ trust }) => trust)).toEqual(["untrusted", "first_party"]);
  });

  it("AG-2: a word holds for these bytes at this place, also for the next agent", async () => {
    const { skills, again, root, put } = roomOf({ "/project/a/SKILL.md": skill("a", "allowed-tools: Read\n") });
    await skills.loadSkills(root("project", "project"));
    expect(await skills.confirm([only(skills, "a")], { grants: false })).toMatchObject({
      generation: 2,
      confirmed: ["a"],
    });
    const next = again();
    await next.loadSkills(root("project", "project"));
    expect(next.set.skills).toMatchObject([{ standing: "confirmed", trust: "first_party", grants: [] }]);
    await next.confirm(next.set.skills, { grants: true });
    expect(next.set.skills).toMatchObject([{ grants: ["Read"] }]);
    await put("/project/moved/SKILL.md", skill("a", "allowed-tools: Read\n"));
    const elsewhere = again();
    await elsewhere.loadSkills(root("project", "project", "/project/moved"));
    expect(standings(elsewhere)).toEqual(["a unconfirmed"]);
    await put("/project/a/SKILL.md", skill("a", "allowed-tools: Bash\n"));
    await next.reload();
    expect(next.set.skills.find(({ path }) => path === "a")).toMatchObject({ standing: "unconfirmed", grants: [] });
  });

  it("AG-2: what is confirmed is what was shown, not what lies there by then", async () => {
    const { skills, root, put } = roomOf({ "/project/a/SKILL.md": skill("a") });
    await skills.loadSkills(root("project", "project"));
    const shown = only(skills, "a");
    await put("/project/a/SKILL.md", skill("a", "license: evil\n"));
    await skills.reload();
    await skills.confirm([shown], { grants: true });
    expect(standings(skills)).toEqual(["a unconfirmed"]);
  });

  it("AG-2: what the agent wrote is the session's, whatever the book or the start says, until a person confirms it", async () => {
    for (const trustAll of [false, true]) {
      const { skills, root, put } = roomOf(
        { "/project/a/SKILL.md": skill("a"), "/project/ab/SKILL.md": skill("ab") },
        { trustAll },
      );
      await skills.loadSkills(root("project", "project"));
      await skills.confirm(skills.set.skills, { grants: true });
      skills.noteWritten("/project/a/scripts/run.sh");
      expect(standings(skills)).toEqual(["a session", "ab confirmed"]);
      expect(only(skills, "a")).toMatchObject({ trust: "untrusted", grants: [] });
      await put("/project/a/scripts/run.sh", "echo");
      expect(await skills.reload()).toMatchObject({ changed: ["a"] });
      expect(standings(skills)).toEqual(["a session", "ab confirmed"]);
      expect(await skills.confirm([only(skills, "a")], { grants: false })).toMatchObject({ confirmed: ["a"] });
      expect(standings(skills)).toEqual(["a confirmed", "ab confirmed"]);
      skills.noteWritten("/project/a/SKILL.md");
      expect(standings(skills)).toEqual(["a session", "ab confirmed"]);
    }
  });

  it("AG-2: what the agent wrote into the person's own folder, or as a new skill, is the session's too", async () => {
    const { skills, root, put } = roomOf({ "/user/b/SKILL.md": skill("b"), "/project/x": "" }, { trustAll: true });
    await skills.loadSkills(root("user", "user"));
    await skills.loadSkills(root("project", "project"));
    for (const path of ["/user/b/SKILL.md", "/project/new/SKILL.md"]) {
      skills.noteWritten(path);
      await put(path, skill("written"));
    }
    await put("/project/new/SKILL.md", skill("new"));
    await skills.reload();
    expect(standings(skills)).toEqual(["new session", "written session"]);
  });

  it("AG-2: writing beside the skill at the root of a workspace does not touch it", async () => {
    const { skills, root } = roomOf({ "/project/SKILL.md": skill("p"), "/project/src/x": "" }, { trustAll: true });
    await skills.loadSkills(root("project", "project"));
    skills.noteWritten("/project/src/x");
    expect(standings(skills)).toEqual(["p confirmed"]);
    skills.noteWritten("/project/scripts/new.sh");
    expect(standings(skills)).toEqual(["p session"]);
  });

  it("AG-2, CO-10: of the registry, what people approved of what it asks for", async () => {
    const { skills } = roomOf({});
    const entry = { entry: "team:x", path: "x", folder: null, name: "x", description: "", digest: "d".repeat(64) };
    const rest = {
      unusable: null,
      byModel: true,
      byPerson: true,
      argumentHint: null,
      asks: ["Read", "Bash"],
      findings: [],
    };
    const approved = { trust: "verified", grants: ["Read", "Write"] } as const;
    await skills.loadSkills({
      id: "team",
      origin: "registry",
      load: async () => ({ skills: [{ ...entry, ...rest, approved }], findings: [], folders: [] }),
      open: () => Promise.reject(new AppError("record.missing", "no")),
    });
    expect(skills.set.skills).toMatchObject([{ standing: "confirmed", trust: "verified", grants: ["Read"] }]);
  });

  it("AG-2: a book that cannot be read vouches for nothing", async () => {
    const { root, book } = roomOf({ "/project/a/SKILL.md": skill("a") });
    const torn = { ...book, read: () => Promise.reject(new AppError("disk.failed", "torn")) };
    const skills = createAgentSkills({ book: torn, scan: () => [] });
    const change = await skills.loadSkills(root("project", "project"));
    expect(change.findings).toMatchObject([{ code: "agent.trust-unread" }]);
    expect(standings(skills)).toEqual(["a unconfirmed"]);
  });
});

describe("CO-2: opening", () => {
  it("CO-2: gives the bytes of the set with what the scanner says", async () => {
    const seen: Finding = { code: "scan.x", level: "low", message: "m", at: { file: "SKILL.md", line: 1 } };
    const { skills, root } = roomOf({ "/project/a/SKILL.md": skill("a") }, { scan: () => [seen] });
    await skills.loadSkills(root("project", "project"));
    const opened = await skills.open(only(skills, "a"));
    expect([opened.skill.body.trim(), opened.findings, opened.bundle.digest]).toEqual([
      "Do it.",
      [seen],
      opened.of.digest,
    ]);
  });

  it("CO-2: refuses what is another by now, what cannot be used and what the scanner blocks, in words", async () => {
    const blocking: Finding = {
      code: "scan.evil",
      level: "high",
      message: "very bad",
      at: { file: "SKILL.md", line: 1 },
    };
    const { skills, root, put } = roomOf(
      {
        "/project/a/SKILL.md": skill("a"),
        "/project/bad/SKILL.md": "---\nname: [\n---\n",
        "/project/c/SKILL.md": skill("c"),
      },
      { scan: () => [blocking] },
    );
    await skills.loadSkills(root("project", "project"));
    const [a, bad, c] = [only(skills, "a"), only(skills, "bad"), only(skills, "c")];
    await put("/project/a/SKILL.md", skill("a", "license: MIT\n"));
    const refused = (message: RegExp) => ({ code: "entry.unusable", message: expect.stringMatching(message) });
    await expect(skills.open(a)).rejects.toMatchObject(refused(/changed since it was read/));
    await expect(skills.read(a)).rejects.toMatchObject(refused(/changed since it was read/));
    await skills.reload();
    await expect(skills.open(a)).rejects.toMatchObject(refused(/another one/));
    await expect(skills.open(bad)).rejects.toMatchObject(refused(/yaml\.invalid/));
    await expect(skills.open(c)).rejects.toMatchObject(refused(/scan\.evil: very bad/));
    expect((await skills.read(c)).digest).toBe(c.digest);
  });
});
