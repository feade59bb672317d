import { symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Site, skillText } from "../support/publish-site.ts";

let site: Site;
beforeEach(async () => {
  site = await Site.open();
});
afterEach(() => site.close());

describe("AG-11: skillward add", () => {
  test("fetched, proven, shown, written as a whole and locked; verify agrees", async () => {
    const { repository, first } = await site.skills();
    const { code, out } = await site.run(["add", "acme/skills/skills/pdf", "--yes"]);
    expect(code).toBe(0);
    for (const shown of [
      "Says how to pdf.",
      first,
      "heads/main",
      "3 files, ",
      "scripts/run.sh",
      "Added .agents/skills/pdf",
    ])
      expect(out).toContain(shown);
    expect(site.workspace.everything(site.workspace.skill("pdf"))).toEqual({
      "SKILL.md": skillText("pdf", "First."),
      "references/": "",
      "references/notes.md": "notes\n",
      "scripts/": "",
      "scripts/run.sh": "x echo 1\n",
    });
    expect(JSON.parse(site.workspace.lockText() ?? "")).toMatchObject({
      version: 1,
      skills: {
        pdf: {
          source: "acme/skills",
          hosts: "local",
          path: "skills/pdf",
          ref: "heads/main",
          commit: first,
          repositoryId: repository.id,
          ownerId: repository.ownerId,
          executable: ["scripts/run.sh"],
          accepted: [],
          proof: { commit: "hashed", reachable: "heads/main" },
        },
      },
    });
    expect((await site.run(["verify"])).code).toBe(0);
    expect(await site.requestsOf(() => site.run(["verify"]))).toBe(0);
    expect(site.github.requests.filter(({ service }) => service === "web")).toEqual([]);
  });

  test("without a terminal and without --yes nothing is written: exit 1, and how to say yes", async () => {
    await site.skills();
    const { code, out, err } = await site.run(["add", "acme/skills/skills/pdf"]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("--yes") });
    expect(out).toContain("Says how to pdf.");
    expect(site.written()).toEqual({});
    expect(await site.json(["add", "acme/skills/skills/pdf"])).toMatchObject({ code: 1, state: "not added" });
    expect(site.written()).toEqual({});
  });

  test("several below: none is guessed, each is named with its command", async () => {
    await site.skills();
    const { code, err } = await site.run(["add", "acme/skills", "--yes"]);
    expect(code).toBe(2);
    for (const name of ["pdf", "xlsx"]) expect(err).toContain(`skillward add acme/skills/skills/${name}@heads/main`);
    expect(site.written()).toEqual({});
  });

  test("T34: no command is offered that a shell would read more into; long lists are cut", async () => {
    const repository = await site.github.repository("mallory/many");
    const names = Array.from({ length: 25 }, (_, at) => `s${at}`);
    const files = names.map((name) => [`skills/${name}/SKILL.md`, skillText(name, "x")]);
    await repository.push({ ...Object.fromEntries(files), "a;touch x/$(id)/evil/SKILL.md": skillText("evil", "x") });
    const { code, err } = await site.run(["add", "mallory/many", "--yes"]);
    expect(code).toBe(2);
    expect(err.split("\n").filter((line) => line.includes("skillward add"))).toHaveLength(20);
    expect(err).toContain("and 6 more");
    const inHostile = await site.run(["add", "mallory/many/a;touch x", "--ref", "main"]);
    expect(inHostile.out).toContain("evil");
    await repository.push({ "a;touch x/$(id)/worse/SKILL.md": skillText("worse", "x") });
    const hostile = await site.run(["add", "mallory/many/a;touch x"]);
    expect(hostile.err).toContain('"a;touch x/$(id)/evil"');
    expect(hostile.err).not.toContain("skillward add");
  });

  test("none there: it says where there are some", async () => {
    await site.skills();
    const { code, err } = await site.run(["add", "acme/skills/elsewhere", "--yes"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("skillward add acme/skills/skills/pdf@") });
    expect(site.written()).toEqual({});
  });

  test("the only one below, and the one at the root under the repository's name", async () => {
    const one = await site.github.repository("acme/one");
    await one.push({ "deep/er/only/SKILL.md": skillText("only", "x") });
    expect(await site.json(["add", "acme/one", "--yes"])).toMatchObject({
      code: 0,
      skill: { folder: "only", path: "deep/er/only" },
    });
    const root = await site.github.repository("acme/rooted");
    await root.push({
      "SKILL.md": skillText("rooted", "x"),
      "skills/other/SKILL.md": skillText("other", "y"),
      LICENSE: "l",
    });
    const { code, skill } = await site.json(["add", "acme/rooted", "--yes"]);
    expect({ code, folder: skill.folder, files: skill.files }).toEqual({
      code: 0,
      folder: "rooted",
      files: [expect.objectContaining({ path: "SKILL.md" })],
    });
    expect((await site.run(["verify"])).code).toBe(0);
  });

  test("by address, by tag and by commit; a tag or commit is what is locked", async () => {
    const { repository, first } = await site.skills();
    await repository.tag("v1", first);
    await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "Second.") });
    const url = `${site.github.web}/acme/skills/blob/main/skills/xlsx/SKILL.md`;
    expect(await site.json(["add", url, "--yes"])).toMatchObject({
      code: 0,
      skill: { folder: "xlsx", ref: "heads/main" },
    });
    const byTag = await site.json(["add", "acme/skills/skills/pdf@v1"]);
    expect(byTag).toMatchObject({ skill: { ref: "tags/v1", commit: first, refused: [] } });
    const byCommit = await site.json(["add", `acme/skills/skills/pdf@${first}`]);
    expect(byCommit).toMatchObject({
      skill: { ref: null, commit: first, proof: { reachable: "heads/main" }, refused: [] },
    });
    const byOption = await site.json(["add", "acme/skills/skills/pdf", "--ref", "tags/v1"]);
    expect(byOption).toMatchObject({ skill: { ref: "tags/v1", commit: first } });
  });

  test("IN-9: a commit of a fork is not the repository's; accepted by name it is, and that is recorded", async () => {
    const { repository } = await site.skills();
    const fork = await repository.fork("mallory/skills");
    const strange = await fork.push({ "skills/pdf/SKILL.md": skillText("pdf", "Mallory's.") });
    const typed = `acme/skills/skills/pdf@${strange}`;
    expect(await site.json(["add", typed, "--yes"])).toMatchObject({
      code: 1,
      state: "refused",
      skill: { refused: ["pin.unreachable"] },
    });
    expect(site.written()).toEqual({});
    const { code, err } = await site.run(["add", typed, "--yes"]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("--accept pin.unreachable") });
    expect(await site.json(["add", typed, "--yes", "--accept", "pin.unreachable"])).toMatchObject({
      code: 0,
      state: "added",
    });
    expect(JSON.parse(site.workspace.lockText() ?? "").skills.pdf).toMatchObject({
      accepted: ["pin.unreachable"],
      proof: { reachable: null },
    });
  });

  test("T24: a link in a skill is a high finding, left out; nobody writes it", async () => {
    const { repository } = await site.skills();
    await repository.push({
      "skills/pdf/secret": { link: "/etc/passwd" },
      "skills/pdf/sub": { submodule: "a".repeat(40) },
    });
    const refused = await site.json(["add", "acme/skills/skills/pdf", "--yes"]);
    expect(refused).toMatchObject({ code: 1, state: "refused", skill: { refused: ["path.link", "path.special"] } });
    expect(site.written()).toEqual({});
    const accepted = ["--accept", "path.link", "--accept", "path.special"];
    expect(await site.json(["add", "acme/skills/skills/pdf", "--yes", ...accepted])).toMatchObject({ code: 0 });
    expect(Object.values(site.written())).not.toContain("link");
    expect((await site.run(["verify"])).code).toBe(0);
  });

  test("T23: paths that leave the folder are left out and refused", async () => {
    const { repository } = await site.skills();
    await repository.push({ "skills/pdf/a\\b": "x", "skills/pdf/UP": "1", "skills/pdf/up": "2" });
    expect(await site.json(["add", "acme/skills/skills/pdf", "--yes"])).toMatchObject({
      code: 1,
      skill: { refused: expect.arrayContaining(["path.unsafe", "path.twin"]) },
    });
    expect(site.written()).toEqual({});
  });

  test("IN-8: a changed byte on the way is a mismatch; nothing is written", async () => {
    const { repository } = await site.skills();
    repository.tamper("skills/pdf/references/notes.md");
    expect(await site.json(["add", "acme/skills/skills/pdf", "--yes"])).toMatchObject({
      code: 1,
      error: { code: "digest.mismatch" },
    });
    expect(site.written()).toEqual({});
  });

  test("a skill that cannot be loaded is refused by what is wrong with it", async () => {
    const { repository } = await site.skills();
    await repository.push({ "skills/bad/SKILL.md": "---\nname: bad\nname: bad\ndescription: d\n---\n" });
    expect(await site.json(["add", "acme/skills/skills/bad", "--yes"])).toMatchObject({
      code: 1,
      state: "refused",
      skill: { refused: ["yaml.duplicate"] },
    });
    expect(site.written()).toEqual({});
  });

  test("a folder that cannot be one is refused before its bytes are fetched", async () => {
    const { repository } = await site.skills();
    await repository.push({ "skills/My_Skill/SKILL.md": skillText("my-skill", "x") });
    const { code, error } = await site.json(["add", "acme/skills/skills/My_Skill", "--yes"]);
    expect({ code, error }).toEqual({
      code: 2,
      error: { code: "usage.invalid", message: expect.stringContaining("My_Skill") },
    });
    expect(site.github.requests.some(({ service }) => service === "raw" || service === "codeload")).toBe(false);
    expect(site.written()).toEqual({});
  });

  test("what is there is never overwritten: locked says update, anything else is somebody's own", async () => {
    await site.skills();
    site.workspace.write(".agents/skills/xlsx/SKILL.md", "mine");
    await site.run(["add", "acme/skills/skills/pdf", "--yes"]);
    const before = site.written();
    expect(await site.json(["add", "acme/skills/skills/pdf", "--yes"])).toMatchObject({
      code: 2,
      error: { code: "record.exists", message: expect.stringContaining("skillward update pdf") },
    });
    expect(await site.json(["add", "acme/skills/skills/xlsx", "--yes"])).toMatchObject({
      code: 2,
      error: { code: "record.exists" },
    });
    expect(site.written()).toEqual(before);
  });

  test("T44: .agents that is a link out of the workspace: refused before anybody is asked", async () => {
    await site.skills();
    symlinkSync(site.home.root, site.workspace.at(".agents"));
    const before = site.home.everything();
    const spent = await site.requestsOf(async () =>
      expect(await site.json(["add", "acme/skills/skills/pdf", "--yes"])).toMatchObject({
        code: 2,
        error: { code: "path.wrong-kind" },
      }),
    );
    expect(spent).toBe(0);
    expect(site.home.everything()).toEqual(before);
  });

  test("T44: configuration of the workspace counts for nothing; only the user's own names hosts", async () => {
    await site.skills();
    site.home.write(".config/skillward/config.yaml", "");
    for (const name of ["skillward.yaml", "config.yaml", ".config/skillward/config.yaml"])
      site.workspace.write(name, site.github.configuration());
    const spent = await site.requestsOf(async () =>
      expect(await site.json(["add", `${site.github.web}/acme/skills/tree/main/skills/pdf`, "--yes"])).toMatchObject({
        code: 2,
        error: { code: "host.refused" },
      }),
    );
    expect(spent).toBe(0);
  });

  test("IN-6, T9: a private repository by a token from a variable, which is shown nowhere", async () => {
    const secret = "token-3f9a1c77d2e84b60";
    const repository = await site.github.repository("acme/hidden", { private: { token: secret } });
    await repository.push({ "skills/own/SKILL.md": skillText("own", "x") });
    const typed = ["add", "acme/hidden/skills/own", "--yes"];
    expect(await site.json(typed)).toMatchObject({ code: 2, error: { code: "source.missing" } });
    expect(await site.json([...typed, "--token-env", "NOT_SET"])).toMatchObject({
      code: 2,
      error: { code: "usage.invalid" },
    });
    const { code, out, err } = await site.run([...typed, "--token-env", "MY_TOKEN"], { MY_TOKEN: secret });
    expect(code).toBe(0);
    expect(out + err + JSON.stringify(site.written())).not.toContain(secret);
    expect((await site.run(["verify"])).code).toBe(0);
  });

  test("--hosts: an unknown name is refused and the known ones are named", async () => {
    await site.skills();
    expect(await site.json(["add", "acme/skills/skills/pdf", "--hosts", "elsewhere"])).toMatchObject({
      code: 2,
      error: { code: "usage.invalid", message: expect.stringContaining("local, github.com") },
    });
    expect(await site.json(["add", "acme/skills/skills/pdf", "--hosts", "local"])).toMatchObject({
      state: "not added",
    });
  });

  test("IN-11: no more requests allowed is said with the time; nothing is written", async () => {
    await site.skills();
    const reset = Math.floor(Date.now() / 1000) + 1800;
    site.github.limit(0, reset);
    expect(await site.json(["add", "acme/skills/skills/pdf", "--yes"])).toMatchObject({
      code: 3,
      error: { code: "source.limited", message: expect.stringContaining(new Date(reset * 1000).toISOString()) },
    });
    expect(site.written()).toEqual({});
  });
});
