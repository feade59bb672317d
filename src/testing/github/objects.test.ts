import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, readlink, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGitHub } from "./github.ts";
import type { FakeGitHub, FakeRepository } from "./script.ts";

const run = promisify(execFile);
const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };

/** The real git, asked in the folder of a repository. */
async function git(folder: string, ...args: string[]): Promise<string> {
  return (await run("git", args, { cwd: folder, env })).stdout;
}

let github: FakeGitHub;
let folder: string;
let number = 0;

beforeAll(async () => {
  github = await startGitHub();
  folder = await mkdtemp(join(tmpdir(), "skillward-clone-"));
});
afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

function repository(): Promise<FakeRepository> {
  number += 1;
  return github.repository(`acme/objects-${number}`);
}

async function clone(source: FakeRepository): Promise<string> {
  const target = join(folder, String(source.id));
  await git(folder, "clone", "--quiet", "--no-local", source.folder, target);
  return target;
}

describe("what is pushed is what git has", () => {
  test("files of every kind, checked out by the real git", async () => {
    const skills = await repository();
    const bytes = Buffer.from([0, 255, 10, 13, 10, 128]);
    await skills.push({
      "a/SKILL.md": "Zoë\n",
      "a.b": "sorts before the folder a\n",
      "a/bytes": bytes,
      empty: "",
      run: { executable: "#!/bin/sh\n" },
      link: { link: "a/SKILL.md" },
    });
    const copy = await clone(skills);
    expect(await readFile(join(copy, "a/SKILL.md"), "utf8")).toBe("Zoë\n");
    expect(await readFile(join(copy, "a/bytes"))).toEqual(bytes);
    expect(await readFile(join(copy, "empty"), "utf8")).toBe("");
    expect((await stat(join(copy, "run"))).mode & 0o111).not.toBe(0);
    expect(await readlink(join(copy, "link"))).toBe("a/SKILL.md");
    expect(await git(copy, "status", "--porcelain")).toBe("");
    await git(copy, "fsck", "--strict", "--full");
  });

  test("a push keeps other files, deletes what is null, and replaces a file by a folder and back", async () => {
    const skills = await repository();
    const names = async (commit: string): Promise<string[]> =>
      (await git(skills.folder, "ls-tree", "-r", "--name-only", commit)).trim().split("\n");
    const first = await skills.push({ "a/x": "1", "a/y": "2", "b/z": "3", c: "4" });
    const second = await skills.push({ "a/x": null, b: null, "c/d": "5", "not/there": null });
    const third = await skills.push({ c: "6" });
    expect(await names(first)).toEqual(["a/x", "a/y", "b/z", "c"]);
    expect(await names(second)).toEqual(["a/y", "c/d"]);
    expect(await names(third)).toEqual(["a/y", "c"]);
    expect(await git(skills.folder, "rev-list", "main")).toBe(`${third}\n${second}\n${first}\n`);
    await expect(skills.push({ "a//b": "" })).rejects.toThrow("not a path");
    await expect(skills.push({ "a/b": "", a: "" })).rejects.toThrow("a file and a folder in one");
  });

  test("T23, T24: names and modes that git would not check out are in the tree as they were said", async () => {
    const skills = await repository();
    const files = { "a/../b": "1", "c\\d": "2", "e.": "3", E: "4", e: "5", "s/m": { submodule: "a".repeat(40) } };
    const commit = await skills.push(files);
    const rows = (await git(skills.folder, "ls-tree", "-r", "-z", commit)).split("\0").slice(0, -1);
    expect(rows.map((row) => row.split("\t")[1])).toEqual(["E", "a/../b", "c\\d", "e", "e.", "s/m"]);
    expect(rows.at(-1)).toBe(`160000 commit ${"a".repeat(40)}\ts/m`);
  });

  test("what is listed is what git lists: modes, kinds, ids, sizes and order", async () => {
    const skills = await repository();
    const odd = { run: { executable: "#!\n" }, link: { link: "a" }, "m/n": { submodule: "a".repeat(40) } };
    const commit = await skills.push({ "a/b/c": "1", "a/b.c": "22", "a.b": "", "a-b": "é", "ü/ö": "3", ...odd });
    for (const [query, ...flags] of [[""], ["?recursive=1", "-r", "-t"]] as const) {
      const answer = await fetch(`${github.api}/repos/${skills.fullName}/git/trees/${commit}${query}`);
      const { tree }: { tree: Record<string, string>[] } = JSON.parse(await answer.text());
      const rows = tree.map(({ mode, type, sha, size = "-", path }) => `${mode} ${type} ${sha} ${size}\t${path}`);
      const listed = await git(skills.folder, "ls-tree", "-l", "-z", ...flags, commit);
      expect(rows).toEqual(listed.replaceAll(/ {2,}/g, " ").split("\0").slice(0, -1));
    }
  });

  test("thousands of files come in one push", async () => {
    const skills = await repository();
    const names = Array.from({ length: 5000 }, (_, at) => `skills/s${at}/SKILL.md`);
    const commit = await skills.push(Object.fromEntries(names.map((name) => [name, `This is ${name}.\n`])));
    const answer = await fetch(`${github.api}/repos/${skills.fullName}/git/trees/${commit}?recursive=1`);
    const { tree, truncated }: { tree: { path: string }[]; truncated: boolean } = JSON.parse(await answer.text());
    expect({ files: tree.length, truncated }).toEqual({ files: 10_001, truncated: false });
    await git(skills.folder, "fsck", "--strict", "--full");
  });
});

describe("commits", () => {
  test("the same script gives the same ids, in another fake and beside other repositories", async () => {
    const script = async (there: FakeGitHub): Promise<unknown> => {
      const skills = await there.repository("acme/same");
      const [first, second] = await Promise.all([skills.push({ a: "1" }), skills.push({ b: "2" })]);
      await skills.tag("v1", second, { annotated: true });
      return [first, second, await git(skills.folder, "rev-parse", "v1")];
    };
    const other = await startGitHub();
    try {
      const [here, there] = await Promise.all([script(github), script(other)]);
      expect(here).toEqual(there);
    } finally {
      await other.close();
    }
  });

  test("have the zone and the message that was said, and times that count up", async () => {
    const skills = await repository();
    await skills.push({ a: "1" }, { message: "First\n\nWith a body." });
    await skills.push({ a: "2" }, { zone: "-0330", message: "" });
    const log = await git(skills.folder, "log", "--reverse", "--format=%ai|%ci|%B", "main");
    expect(log).toBe(
      "2023-11-14 22:14:20 +0000|2023-11-14 22:14:20 +0000|First\n\nWith a body.\n\n" +
        "2023-11-14 18:45:20 -0330|2023-11-14 18:45:20 -0330|\n",
    );
  });

  test("IN-8: a signed one carries the header, and payload and signature make up its id again", async () => {
    const skills = await repository();
    const commit = await skills.push({ a: "1" }, { signed: true, zone: "+0530" });
    const answer = await fetch(`${github.api}/repos/${skills.fullName}/commits/${commit}`);
    const { verification }: { verification: Record<string, string> } = JSON.parse(await answer.text()).commit;
    const { payload = "", signature = "" } = verification;
    const end = payload.indexOf("\n\n");
    const whole = `${payload.slice(0, end)}\ngpgsig ${signature.replaceAll("\n", "\n ")}${payload.slice(end)}`;
    expect(whole).toBe(await git(skills.folder, "cat-file", "commit", commit));
    expect(createHash("sha1").update(`commit ${whole.length}\0${whole}`).digest("hex")).toBe(commit);
    await git(skills.folder, "fsck", "--strict", "--full");
  });

  test("T14: a force-push leaves the old commit where it was, by its id", async () => {
    const skills = await repository();
    const first = await skills.push({ a: "1" });
    const second = await skills.push({ a: "2" });
    const forced = await skills.push({ a: "3" }, { from: first });
    const alone = await skills.push({ a: "4" }, { from: null, branch: "alone" });
    const branched = await skills.push({ b: "1" }, { branch: "feature/x" });
    expect(await git(skills.folder, "rev-parse", "main", "main~1", "alone", "feature/x~1")).toBe(
      [forced, first, alone, forced, ""].join("\n"),
    );
    expect(await git(skills.folder, "rev-list", "--count", "alone")).toBe("1\n");
    expect(await git(skills.folder, "rev-parse", "feature/x")).toBe(`${branched}\n`);
    expect((await fetch(`${github.api}/repos/${skills.fullName}/commits/${second}`)).status).toBe(200);
    await expect(skills.push({ a: "5" }, { from: "b".repeat(40) })).rejects.toThrow("there is no commit");
  });

  test("T14: what is compared is what git compares: the common commit, and those on either side of it", async () => {
    const skills = await repository();
    const first = await skills.push({ a: "1" });
    const second = await skills.push({ a: "2" });
    const other = await skills.push({ a: "3" }, { from: first });
    const last = await skills.push({ a: "4" });
    const named = [first, second, other, last];
    for (const [base, head] of named.flatMap((one) => named.map((two) => [one, two] as const))) {
      const answer = await fetch(`${github.api}/repos/${skills.fullName}/compare/${base}...${head}`);
      const facts: { commits: { sha: string }[] } & Record<string, unknown> = JSON.parse(await answer.text());
      const common = (await git(skills.folder, "merge-base", base, head)).trim();
      const range = async (...args: string[]) =>
        (await git(skills.folder, "rev-list", ...args)).split("\n").slice(0, -1);
      expect(facts).toMatchObject({ merge_base_commit: { sha: common } });
      expect(facts.commits.map(({ sha }) => sha)).toEqual(await range("--reverse", `${base}..${head}`));
      expect(facts["behind_by"]).toBe((await range(`${head}..${base}`)).length);
    }
  });

  test("T11: branches and tags are created, moved and deleted, in git as in the answers", async () => {
    const skills = await repository();
    const [first, second] = [await skills.push({ a: "1" }), await skills.push({ a: "2" })];
    await skills.branch("old", first);
    await skills.tag("v1", first);
    await skills.tag("v1", second);
    await skills.tag("v2", first, { annotated: true });
    await skills.branch("gone", first);
    await skills.deleteBranch("gone");
    await skills.tag("gone", first);
    await skills.deleteTag("gone");
    const refs = await git(
      skills.folder,
      "for-each-ref",
      "--format=%(refname) %(objecttype) %(objectname)%(*objectname)",
    );
    const tag = (await git(skills.folder, "rev-parse", "v2")).trim();
    expect(refs.trim().split("\n")).toEqual([
      `refs/heads/main commit ${second}`,
      `refs/heads/old commit ${first}`,
      `refs/tags/v1 commit ${second}`,
      `refs/tags/v2 tag ${tag}${first}`,
    ]);
    await expect(skills.deleteTag("gone")).rejects.toThrow("there is no refs/tags/gone");
    await expect(skills.branch("a..b", first)).rejects.toThrow("update-ref");
    await expect(skills.branch("main/below", first)).rejects.toThrow("update-ref");
    await expect(skills.branch("nothing", "b".repeat(40))).rejects.toThrow("update-ref");
    expect((await fetch(`${github.api}/repos/${skills.fullName}/commits/heads/nothing`)).status).toBe(422);
  });
});
