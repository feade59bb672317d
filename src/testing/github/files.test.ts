import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGitHub } from "./github.ts";
import type { FakeGitHub, FakeRepository } from "./script.ts";

const run = promisify(execFile);
const long = `${"deep/".repeat(30)}${"n".repeat(90)}.md`;

let github: FakeGitHub;
let skills: FakeRepository;
let folder: string;
let commit: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skillward-files-"));
  github = await startGitHub();
  skills = await github.repository("acme/skills");
  commit = await skills.push({
    "a/SKILL.md": "one\n",
    "a/Ünïcode #?%.md": "sharp\n",
    run: { executable: "x" },
    link: { link: "run" },
    module: { submodule: "c".repeat(40) },
    empty: "",
    [long]: "long\n",
  });
  await skills.branch("feature/x", commit);
  await skills.tag("v1", commit, { annotated: true });
});
afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true, force: true });
});

const raw = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${github.raw}/acme/skills/${path}`, { headers });

/** The names in a tarball, and the contents of those that were asked for, by the real tar. */
async function untar(name: string, ...files: string[]): Promise<{ names: string[]; contents: string[] }> {
  const answer = await fetch(`${github.codeload}/acme/${name}`);
  expect(answer.status).toBe(200);
  const file = join(folder, "x.tar.gz");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const names = (await run("tar", ["-tzf", file])).stdout.trim().split("\n");
  const contents = files.map(async (wanted) => (await run("tar", ["-xzOf", file, wanted])).stdout);
  return { names, contents: await Promise.all(contents) };
}

describe("raw files", () => {
  test("by commit, by branch and by tag", async () => {
    for (const ref of [commit, "main", "heads/feature/x", "feature/x", "refs/heads/feature/x", "v1", "refs/tags/v1"]) {
      const answer = await raw(`${ref}/a/SKILL.md`);
      expect([ref, answer.status, await answer.text()]).toEqual([ref, 200, "one\n"]);
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
    const name = `a/${encodeURIComponent("Ünïcode #?%.md")}`;
    expect(await (await raw(`${commit}/${name}`)).text()).toBe("sharp\n");
    expect(await (await raw(`${commit}/link`)).text()).toBe("run");
    expect(await (await raw(`${commit}/empty`)).text()).toBe("");
    expect(await (await raw(`${commit}/${long}`)).text()).toBe("long\n");
  });

  test("that are none: folders, submodules, other cases, unknown ids", async () => {
    const nowhere = [
      `${commit}/a`,
      `${commit}/module`,
      `${commit}/a/skill.md`,
      `${"e".repeat(40)}/run`,
      commit,
      "main",
    ];
    for (const path of [...nowhere, `${commit}/`, `${commit}//run`, `${commit}/a%2F..%2Frun`]) {
      const answer = await raw(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, "404: Not Found"]);
    }
  });

  test("have an entity tag", async () => {
    const etag = (await raw(`${commit}/run`)).headers.get("etag") ?? "";
    expect((await raw(`${commit}/run`, { "if-none-match": etag })).status).toBe(304);
    expect((await raw(`${commit}/link`, { "if-none-match": etag })).status).toBe(200);
  });
});

describe("IN-12: tarballs", () => {
  test("of a commit hold all of it below one folder", async () => {
    const top = `skills-${commit}`;
    const { names, contents } = await untar(`skills/tar.gz/${commit}`, `${top}/a/SKILL.md`, `${top}/${long}`);
    const files = names.filter((name) => !name.endsWith("/")).map((name) => name.slice(top.length + 1));
    // How tar shows the other letters depends on the machine.
    expect(files.filter((name) => !name.endsWith("code #?%.md"))).toEqual(["a/SKILL.md", long, "empty", "link", "run"]);
    expect(files).toHaveLength(6);
    expect(contents).toEqual(["one\n", "long\n"]);
  });

  test("of a branch are named by it", async () => {
    const { names } = await untar("skills/tar.gz/refs/heads/feature/x");
    expect(names[0]).toBe("skills-feature-x/");
  });

  test("are not there for other formats, unknown commits and unknown repositories", async () => {
    const paths = [
      `skills/zip/${commit}`,
      `skills/tar.gz/${"e".repeat(40)}`,
      `none/tar.gz/${commit}`,
      "skills/tar.gz/",
    ];
    for (const path of paths) expect((await fetch(`${github.codeload}/acme/${path}`)).status).toBe(404);
  });

  test("IN-8: attributes change what is in them, as with the real one", async () => {
    const attributes = "secret export-ignore\nversion export-subst\n*.txt text eol=crlf\n";
    const files = { ".gitattributes": attributes, secret: "s", version: "$Format:%H$\n", "a.txt": "one\ntwo\n" };
    const there = await github.repository("acme/attributes");
    const id = await there.push(files);
    const top = `attributes-${id}`;
    const { names, contents } = await untar(`attributes/tar.gz/${id}`, `${top}/version`, `${top}/a.txt`);
    expect(names).toEqual([`${top}/`, `${top}/.gitattributes`, `${top}/a.txt`, `${top}/version`]);
    expect(contents).toEqual([`${id}\n`, "one\r\ntwo\r\n"]);
    const plain = await fetch(`${github.raw}/acme/attributes/${id}/version`);
    expect(await plain.text()).toBe("$Format:%H$\n");
  });

  test("T23: names that git refuses to pack are in them all the same", async () => {
    const there = await github.repository("acme/hostile");
    const id = await there.push({ "a/../../escaped": "out\n", [`../${"x".repeat(80)}`]: "long\n", good: "in\n" });
    const top = `hostile-${id}`;
    const { names } = await untar(`hostile/tar.gz/${id}`);
    expect(names).toEqual([`${top}/../${"x".repeat(80)}`, `${top}/a/../../escaped`, `${top}/good`]);
    const { contents } = await untar(`hostile/tar.gz/${id}`, `${top}/good`);
    expect(contents).toEqual(["in\n"]);
    expect(await readdir(folder)).toEqual(["x.tar.gz"]);
  });
});

describe("T13: a file that is tampered with", () => {
  test.each(["a/SKILL.md", long])(
    "comes with one byte another, everywhere, and nothing else does: %s",
    async (path) => {
      const before = await readBoth(path);
      const tree = await (await fetch(`${github.api}/repos/acme/skills/git/trees/${commit}?recursive=1`)).text();
      skills.tamper(path);
      const after = await readBoth(path);
      for (const [at, bytes] of after.entries()) {
        expect(differences(bytes, before[at] ?? Buffer.alloc(0))).toBe(1);
      }
      expect(await (await raw(`${commit}/run`)).text()).toBe("x");
      expect(await (await fetch(`${github.api}/repos/acme/skills/git/trees/${commit}?recursive=1`)).text()).toBe(tree);
      skills.tamper();
      expect(await readBoth(path)).toEqual(before);
    },
  );

  async function readBoth(path: string): Promise<Buffer[]> {
    const { contents } = await untar(`skills/tar.gz/${commit}`, `skills-${commit}/${path}`);
    const plain = Buffer.from(await (await raw(`${commit}/${path}`)).arrayBuffer());
    return [plain, Buffer.from(contents.join(""))];
  }

  function differences(one: Buffer, other: Buffer): number {
    expect(one.length).toBe(other.length);
    return one.filter((byte, at) => byte !== other[at]).length;
  }
});

test("what a tarball says is read by the real tar from disk, too", async () => {
  const answer = await fetch(`${github.codeload}/acme/skills/tar.gz/${commit}`);
  expect(answer.headers.get("content-length")).toBeNull();
  const file = join(folder, "x.tar.gz");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  await run("tar", ["-xzf", file, "-C", folder]);
  expect(await readFile(join(folder, `skills-${commit}`, "link"), "utf8")).toBe("x");
});
