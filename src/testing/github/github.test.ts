import { execFile } from "node:child_process";
import { access, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startGitHub } from "./github.ts";
import type { FakeGitHub, FakeRepository } from "./script.ts";

let github: FakeGitHub;
let skills: FakeRepository;
let facts: string;

beforeEach(async () => {
  github = await startGitHub();
  skills = await github.repository("acme/skills");
  await skills.push({ a: "1" });
  facts = `${github.api}/repos/acme/skills`;
});
afterEach(() => github.close());

describe("IN-11: the rate limit", () => {
  test("counts down, says so, and refuses at nothing left", async () => {
    github.limit(2, 1_800_000_000);
    const left: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const answer = await fetch(facts);
      left.push([answer.status, answer.headers.get("x-ratelimit-remaining"), answer.headers.get("x-ratelimit-reset")]);
    }
    expect(left).toEqual([
      [200, "1", "1800000000"],
      [200, "0", "1800000000"],
      [403, "0", "1800000000"],
    ]);
    const refused = await fetch(facts);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining("rate limit exceeded") });
    expect((await fetch(`${github.raw}/acme/skills/main/a`)).status).toBe(200);
    github.limit(null);
    expect((await fetch(facts)).headers.get("x-ratelimit-remaining")).toBe("5000");
  });

  test("is told to whoever asks for it, which does not count, also when nothing is left", async () => {
    const told = async (): Promise<unknown> => (await fetch(`${github.api}/rate_limit`)).json();
    const core = { limit: 5000, used: 4999, remaining: 1, reset: 1_800_000_000 };
    github.limit(1, 1_800_000_000);
    for (let count = 0; count < 2; count += 1) expect(await told()).toEqual({ resources: { core }, rate: core });
    expect((await fetch(facts)).status).toBe(200);
    expect(await told()).toMatchObject({ rate: { remaining: 0 } });
    expect((await fetch(facts)).status).toBe(403);
    const refused = await fetch(`${github.api}/rate_limit`, { headers: { authorization: "Bearer nobody's" } });
    expect(refused.status).toBe(401);
  });

  test("does not count what did not change", async () => {
    const etag = (await fetch(facts)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[0-9a-f]+"$/);
    github.limit(1);
    for (const tag of [etag, etag.slice(2), `"other", ${etag}`]) {
      const answer = await fetch(facts, { headers: { "if-none-match": tag } });
      expect([answer.status, answer.headers.get("x-ratelimit-remaining"), await answer.text()]).toEqual([304, "1", ""]);
    }
    expect((await fetch(facts, { headers: { "if-none-match": 'W/"other"' } })).status).toBe(200);
    expect((await fetch(facts, { headers: { "if-none-match": etag } })).status).toBe(403);
  });
});

test("IN-11: entity tags change with what they stand for, and come back with it", async () => {
  const tag = async (): Promise<string | null> => (await fetch(`${facts}/commits/heads/main`)).headers.get("etag");
  const before = await tag();
  const first = await skills.push({ a: "1" });
  const second = await tag();
  await skills.push({ a: "2" });
  expect(new Set([before, second, await tag()]).size).toBe(3);
  await skills.branch("main", first);
  expect(await tag()).toBe(second);
});

test("requests are kept in order, as they came", async () => {
  await fetch(`${facts}/commits/heads%2Fmain?x=%20y`, { headers: { "X-Asked": "Yes", authorization: "Bearer wrong" } });
  await fetch(`${github.raw}/acme/skills/main/a`);
  await fetch(`${github.codeload}/acme/skills/tar.gz/main`);
  await fetch(`${github.web}/acme/skills`, { method: "POST", body: "x" });
  expect(github.requests).toMatchObject([
    {
      service: "api",
      method: "GET",
      path: "/repos/acme/skills/commits/heads%2Fmain?x=%20y",
      headers: { "x-asked": "Yes", authorization: "Bearer wrong" },
      status: 401,
    },
    { service: "raw", path: "/acme/skills/main/a", status: 200 },
    { service: "codeload", path: "/acme/skills/tar.gz/main", status: 200 },
    { service: "web", method: "POST", path: "/acme/skills", status: 405 },
  ]);
});

describe("where it is", () => {
  test("IN-3: the configuration names all four services and allows their addresses", () => {
    const { api, raw, codeload, web } = github;
    const hosts = [api, raw, codeload, web].map((url) => new URL(url).host);
    expect(new Set(hosts).size).toBe(4);
    expect(load(github.configuration("ghe.example"))).toEqual({
      github: { "ghe.example": { api, raw, codeload, web } },
      network: { private: Object.fromEntries(hosts.map((host) => [host, "127.0.0.1/32"])) },
    });
  });

  test("IN-3: base URLs may carry paths, and beside those there is nothing", async () => {
    const other = await startGitHub({ paths: true });
    try {
      const commit = await (await other.repository("acme/skills")).push({ a: "1" });
      expect(new URL(other.api).pathname).toBe("/api/v3");
      const answer = await fetch(`${other.api}/repos/acme/skills`);
      expect(await answer.json()).toMatchObject({ url: `${other.api}/repos/acme/skills` });
      expect(await (await fetch(`${other.raw}/acme/skills/${commit}/a`)).text()).toBe("1");
      expect((await fetch(`${other.codeload}/acme/skills/tar.gz/${commit}`)).status).toBe(200);
      expect((await fetch(new URL("/repos/acme/skills", other.api))).status).toBe(404);
      expect((await fetch(new URL(`/acme/skills/${commit}/a`, other.raw))).status).toBe(404);
      expect(other.requests[0]?.path).toBe("/api/v3/repos/acme/skills");
    } finally {
      await other.close();
    }
  });

  test("a port of one's choice, or word that it is taken", async () => {
    const { other, port } = await startAtFirstFree(20_000 + (process.pid % 10_000));
    expect(other.api).toBe(`http://127.0.0.1:${port}`);
    await expect(startGitHub({ port })).rejects.toThrow("EADDRINUSE");
    await other.close();
  });

  /** Below the ports that systems hand out themselves: from there, another process could take it at any moment. */
  async function startAtFirstFree(port: number): Promise<{ other: FakeGitHub; port: number }> {
    try {
      return { other: await startGitHub({ port }), port };
    } catch (error) {
      if (!String(error).includes("EADDRINUSE")) throw error;
      return startAtFirstFree(port + 1);
    }
  }
});

describe("it holds", () => {
  test("without git on the PATH it says so, and leaves nothing behind", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillward-no-git-"));
    try {
      const { stdout } = await promisify(execFile)("sh", ["-c", "command -v sh; command -v env"]);
      for (const program of stdout.trim().split("\n")) await symlink(program, join(folder, basename(program)));
      vi.stubEnv("TMPDIR", folder);
      for (const path of [folder, join(folder, "nothing")]) {
        vi.stubEnv("PATH", path);
        await expect(startGitHub()).rejects.toThrow("needs the program git");
      }
      expect((await readdir(folder)).toSorted()).toEqual(["env", "sh"]);
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    }
  });

  test("two at once know nothing of each other", async () => {
    const other = await startGitHub();
    other.next({ how: { status: 500 } });
    other.limit(0);
    expect((await fetch(facts)).status).toBe(200);
    expect((await fetch(`${other.api}/repos/acme/skills`)).status).toBe(500);
    await other.close();
    expect((await fetch(facts)).status).toBe(200);
  });

  test("many requests and pushes at the same time", async () => {
    const repositories = await Promise.all(["a", "b", "c"].map((name) => github.repository(`acme/${name}`)));
    const pushes = repositories.flatMap((repository) =>
      Array.from({ length: 8 }, async (_, at) => [
        repository.fullName,
        at,
        await repository.push({ [`f${at}`]: `${at}` }),
      ]),
    );
    const pushed = await Promise.all(pushes);
    const reads = pushed.flatMap(([name, at, commit]) => [
      fetch(`${github.raw}/${name}/${commit}/f${at}`).then((answer) => answer.text()),
      fetch(`${github.api}/repos/${name}/compare/main...${commit}`).then(async (answer) => {
        const { status }: { status: string } = JSON.parse(await answer.text());
        return status;
      }),
    ]);
    const expected = pushed.flatMap(([, at]) => [String(at), at === 7 ? "identical" : "behind"]);
    expect(await Promise.all(reads)).toEqual(expected);
  });

  test("T7: closing while clients wait ends them, and leaves nothing behind", async () => {
    for (const how of ["stall", "drip", "endless", "stall"] as const) github.next({ how });
    const urls = [facts, `${facts}/branches`, `${github.codeload}/acme/skills/tar.gz/main`, `${facts}/tags`];
    const answers = await Promise.all(urls.map((url) => fetch(url)));
    const bodies = answers.map((answer) => answer.text());
    await Promise.all([github.close(), expect(Promise.any(bodies)).rejects.toThrow("All promises were rejected")]);
    await expect(access(skills.folder)).rejects.toThrow("ENOENT");
    await expect(fetch(facts)).rejects.toThrow("fetch failed");
    await github.close();
  });

  test("closing while git is at work", async () => {
    const other = await startGitHub();
    const there = await other.repository("acme/skills");
    await there.push({ a: "1" });
    const pushed = Promise.allSettled([there.push({ b: "2" })]);
    const read = fetch(`${other.codeload}/acme/skills/tar.gz/main`).then(
      () => "answered",
      () => "ended",
    );
    await other.close();
    await pushed;
    expect(["answered", "ended"]).toContain(await read);
    await expect(access(there.folder)).rejects.toThrow("ENOENT");
    await expect(there.push({ c: "3" })).rejects.toThrow("closed");
  });

  test("closing after any of the git commands of a test: what it cuts off rejects, also when nobody waits for it yet", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skillward-held-git-"));
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    try {
      const { stdout } = await promisify(execFile)("sh", ["-c", "command -v git"]);
      await writeFile(join(folder, "git"), heldGit(folder, stdout.trim()), { mode: 0o755 });
      vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
      const ends: string[] = [];
      for (let command = 1; command <= 3; command += 1) ends.push(await closeAfter(command, folder));
      // The number of each change whose promise was fulfilled. A push to a branch that is known needs no command.
      expect(ends).toEqual(["0 1 3", "0 1 2 3", "0 1 2 3 4"]);
      expect(unhandled).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      process.off("unhandledRejection", note);
      await rm(folder, { recursive: true });
    }
  });

  /** Git that runs a command and, when it is the one whose number is in `hold`, ends only when there is a file `go`. */
  function heldGit(folder: string, git: string): string {
    return `#!/bin/sh
"${git}" "$@"; code=$?
case "$*" in *--version) exit $code; esac
echo >> "${folder}/log"
if [ "$(wc -l < "${folder}/log")" -eq "$(cat "${folder}/hold")" ]; then
  : > "${folder}/held"
  while [ ! -e "${folder}/go" ]; do sleep 0.01; done
fi
exit $code
`;
  }

  /** Closes while a command is held, and looks at the changes only when all is over: which of them were made. */
  async function closeAfter(command: number, folder: string): Promise<string> {
    for (const name of ["log", "held", "go"]) await rm(join(folder, name), { force: true });
    await writeFile(join(folder, "hold"), String(command));
    const other = await startGitHub();
    const there = await other.repository("acme/skills");
    const changes: Promise<unknown>[] = [there.push({ a: "1" }), there.tag("v1", "HEAD"), there.branch("one", "HEAD")];
    changes.push(there.push({ b: "2" }), there.push({ c: "3" }, { branch: "two" }));
    await expect.poll(() => readdir(folder), { interval: 5 }).toContain("held");
    const closed = other.close();
    await writeFile(join(folder, "go"), "");
    await closed;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    const ended = await Promise.allSettled(changes);
    return ended.flatMap(({ status }, at) => (status === "fulfilled" ? [at] : [])).join(" ");
  }
});
