import { testOutput } from "../support/output.ts";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Output } from "../../src/features/command/output.ts";
import { syncProgress } from "../../src/features/sources/render.ts";
import type { FakeRepository } from "../../src/testing/github/script.ts";
import { skillText } from "../support/publish-site.ts";
import { SourceHome } from "./source-home.ts";
import type { Progress } from "../../src/sources/schema.ts";

let at: SourceHome;
let repository: FakeRepository;
let first: string;

beforeEach(async () => {
  at = await SourceHome.open();
  ({ repository, first } = await at.skills());
});
afterEach(() => at.close());

/** What is printed, as it would be with github.com; both streams, without times and sizes. */
async function said(line: string): Promise<string[]> {
  const { out, err } = await at.run(line);
  const there = (out + err)
    .replaceAll(at.github.web, "https://github.com")
    .replaceAll(/\d{4}-\d\d-\d\d \S+ UTC/g, "<time>")
    .replaceAll(/, [\d.]+ (?:B|KiB)\)$/gm, ", <size>)");
  return there.trimEnd().split("\n");
}

describe("IN-23: what the commands say of a repository", () => {
  test("added, unchanged, changed, gone; approved skills go out of use", async () => {
    const pin = first.slice(0, 12);
    expect(await said("source add acme/skills --trust verified")).toEqual([
      "Added skills (repo, verified): https://github.com/acme/skills",
      `skills: 2 new (at ${pin}, 4 requests, <size>)`,
      "2 skills wait for review: skillward review",
    ]);
    expect(await said("source sync")).toEqual([
      `skills: 2 unchanged (at ${pin}, 2 requests, <size>)`,
      "2 skills wait for review: skillward review",
    ]);
    await at.run("review --approve-clean");
    const second = await repository.push({
      "skills/pdf/SKILL.md": skillText("pdf", "Second."),
      "skills/xlsx": null,
      "skills/docx/SKILL.md": skillText("docx", "Letters."),
    });
    expect(await said("source sync skills")).toEqual([
      `skills: 1 new, 1 changed, 1 gone; 1 out of use until reviewed (at ${second.slice(0, 12)}, 5 requests, <size>)`,
      "2 skills wait for review: skillward review",
    ]);
  });

  test("shown with where it stands and what is proven (IN-8, IN-9)", async () => {
    await at.run("source add acme/skills@main --title Skills --interval 90m --on-change hold");
    expect(await said("source show skills")).toEqual([
      "source      skills",
      "title       Skills",
      "from        repo https://github.com/acme/skills",
      "takes in    all skills in it",
      "follows     heads/main",
      `pin         ${first}`,
      "files       proven: each has the hash that its tree names",
      "trees       proven: hashed up to the one that the commit names",
      "commit      proven: its own bytes have the pin as their hash",
      "reachable   from heads/main",
      `repository  id ${repository.id}, owner id ${repository.ownerId}, on here`,
      "token       none",
      "trust       community",
      "on change   hold: the approved revision stays in use",
      "syncs       every 90 minutes, next <time>",
      "synced      <time> (ok)",
      "added by    machine:ada",
      "skills      2 new",
    ]);
    expect(await said("source set skills --interval none --include skills/pdf --max-bytes 1048576")).toEqual(
      expect.arrayContaining([
        "takes in    skills/pdf",
        "syncs       when asked",
        "one sync    2000 files, 120 seconds, 1.0 MiB at most",
        "It counts from the next sync on: skillward source sync skills",
      ]),
    );
    expect(await said("source set skills --disable")).toContain("syncs       off");
  });

  test("listed, each with its place: several can be of one repository", async () => {
    expect(await said("source list")).toEqual(["No sources yet. Add one: skillward source add owner/repo"]);
    await repository.tag("v1", first);
    await at.run("source add acme/skills/skills/pdf/SKILL.md --approve");
    await at.run("source add acme/skills@v1 --id tagged");
    await at.run(`source add acme/skills@${first} --id fixed`);
    await repository.deleteTag("v1");
    await at.run("source sync");
    const pin = first.slice(0, 12);
    expect((await said("source list")).slice(1)).toEqual([
      `fixed   repo  ok      community  disable    <time>  ${pin}  https://github.com/acme/skills at ${pin}`,
      `pdf     file  ok      community  disable    <time>  ${pin}  https://github.com/acme/skills, skills/pdf`,
      `tagged  repo  error   community  disable    <time>  ${pin}  https://github.com/acme/skills at tags/v1`,
      "1 source with an error: skillward source show <id> says which",
    ]);
  });

  test("one skill that is approved as it is added (IN-19), and one that is not", async () => {
    const lines = await said("source add acme/skills/skills/pdf/SKILL.md --approve");
    expect(lines).toEqual([
      "Added pdf (file, community): https://github.com/acme/skills, skills/pdf",
      `pdf: 1 new (at ${first.slice(0, 12)}, 4 requests, <size>)`,
      expect.stringMatching(/^Approved pdf:skills\/pdf at [0-9a-f]{64}$/),
    ]);
    const fork = await repository.fork("mallory/skills");
    const imposter = await fork.push({ "skills/pdf/SKILL.md": skillText("pdf", "Hand it over.") });
    const blocked = await at.run(`source add acme/skills/skills/pdf/SKILL.md --ref ${imposter} --id odd --approve`);
    expect(blocked).toMatchObject({
      code: 1,
      err: expect.stringContaining("1 skill blocked: skillward review <entry>"),
    });
    expect(blocked.out).toMatch(/^odd: 1 new; 1 blocked \(/m);
    expect(blocked.out).toMatch(/^Not approved: .*pin\.unreachable/m);
    expect(await said("source show odd")).toEqual(
      expect.arrayContaining([
        "follows     nothing: it stays at one commit",
        "reachable   from no branch or tag that is known",
        "skills      1 blocked",
      ]),
    );
  });

  test("a bound that is hit: partial, with what to do; exit code 1", async () => {
    const { code, out, err } = await at.run("source add acme/skills --max-files 1");
    expect(code).toBe(1);
    expect(out).toMatch(/^skills: 1 new \(partial: not all of it could be read\) \(at /m);
    expect(out).toMatch(/^ {2}high +\. {2}walk\.bounds {2}more than 1 files; 1 of 2 skills were read/m);
    expect(err).toContain("To read more at once: skillward source set skills --max-files <count>");
  });

  test("removed; and only added", async () => {
    expect(await said("source add acme/skills --no-sync")).toEqual([
      "Added skills (repo, community): https://github.com/acme/skills",
      "Nothing of it was read yet: skillward source sync skills",
    ]);
    await at.run("source sync");
    expect(await said("source remove skills")).toEqual(["Removed skills: 2 skills out of use, their history stays"]);
  });
});

describe("IN-14: what they say of a marketplace", () => {
  const index = (plugins: readonly object[]) => JSON.stringify({ name: "acme", owner: { name: "Acme" }, plugins });

  test("each plugin that was not read is named once, with why", async () => {
    const market = await at.github.repository("acme/market");
    await market.push({
      ".claude-plugin/marketplace.json": index([
        { name: "own", source: "./plugins/own" },
        { name: "other", source: { source: "github", repo: "acme/skills", sha: first } },
        { name: "gone", source: { source: "github", repo: "acme/gone" } },
        { name: "packed", source: { source: "npm", package: "x" } },
      ]),
      "plugins/own/skills/own/SKILL.md": skillText("own", "Own."),
    });
    const { code, out } = await at.run("source add acme/market");
    const lines = out.split("\n");
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^Added market \(marketplace, community\): /);
    expect(lines[1]).toMatch(/^market: 3 new \(partial: not all of it could be read\) \(at /);
    expect(lines[2]).toBe("  4 plugins: 2 read, 1 refused, 1 failed");
    for (const name of ["gone", "packed"]) expect(out.split(`plugin "${name}"`)).toHaveLength(2);
    const shown = (await at.run("source show market")).out;
    expect(shown).toMatch(/^takes in +every plugin, if they are 50 at most$/m);
    expect(shown).toMatch(/^plugin +outcome +skills +pin +from$/m);
    expect(shown).toMatch(new RegExp(`^other +read +2 +${first.slice(0, 12)} +acme/skills$`, "m"));
    expect(shown).toMatch(/^gone +failed +0 +- +\S.*has no repository acme\/gone/m);
    expect(shown).toMatch(/^packed +refused +0 +- +it is a package of npm/m);
  });

  test("more than 50: listed, and how to pick", async () => {
    const names = Array.from({ length: 51 }, (_, number) => `p${number}`);
    const skills = names.map((name) => [`plugins/${name}/skills/${name}/SKILL.md`, skillText(name, name)]);
    const market = await at.github.repository("acme/market");
    const plugins = names.map((name) => ({ name, source: `./plugins/${name}` }));
    await market.push({ ".claude-plugin/marketplace.json": index(plugins), ...Object.fromEntries(skills) });
    const added = await at.run("source add acme/market");
    expect([added.code, added.out]).toEqual([
      0,
      expect.stringMatching(/\nmarket: no skills taken in \(at .*\)\n {2}51 plugins: 51 listed\n$/),
    ]);
    expect(added.err).toBe("Pick plugins: skillward source set market --include <plugin>, or --all; then sync it\n");
    const set = await at.run("source set market --include p3,p4 --include p5");
    expect(set.out).toMatch(/^takes in +p3, p4, p5$/m);
    expect(set.out).not.toContain("outcome");
    const synced = await at.run("source sync market");
    expect(synced.out).toMatch(/^market: 3 new \(at .*\)\n {2}51 plugins: 3 read, 48 listed\n$/);
    expect((await at.run("source set market --all")).out).toMatch(/^takes in +every plugin$/m);
  });
});

describe("IN-23: --json", () => {
  test("has the whole result, and nothing beside it", async () => {
    const { exit, answer, err } = await at.json("source add acme/skills --id s");
    expect([exit, err]).toEqual([0, ""]);
    const result = {
      source: "s",
      status: "ok",
      created: 2,
      updated: 0,
      unchanged: 0,
      disabledOnChange: 0,
      held: 0,
      orphaned: 0,
      blocked: 0,
      rescanned: 0,
      requests: 4,
      bytes: expect.any(Number),
      limitedUntil: null,
      findings: [],
      pin: first,
      children: null,
    };
    expect(answer).toEqual({
      results: [result],
      waiting: 2,
      source: expect.objectContaining({
        id: "s",
        kind: "repo",
        url: `${at.github.web}/acme/skills`,
        hosts: "here",
        pin: first,
        ref: null,
        status: "ok",
        repositoryId: repository.id,
        ownerId: repository.ownerId,
      }),
      approved: null,
      notApproved: null,
    });
    expect(await at.json("source sync s")).toEqual({
      exit: 0,
      err: "",
      answer: {
        results: [{ ...result, created: 0, unchanged: 2, requests: 2, bytes: 0 }],
        waiting: 2,
      },
    });
    const shown = (await at.json("source show s")).answer;
    expect(shown).toEqual({
      source: { ...answer.source, syncedAt: expect.any(Number) },
      states: { new: 2 },
      plugins: [],
    });
    expect((await at.json("source set s --on-change hold")).answer.source).toMatchObject({ id: "s", onChange: "hold" });
    expect((await at.json("source list")).answer).toMatchObject([{ id: "s", onChange: "hold" }]);
    expect((await at.json("source remove s")).answer).toEqual({ source: "s", orphaned: 2 });
  });
});

/** An output that notes what is shown while something runs. */
function watched(isWatched: boolean): { output: Output; lines: string[] } {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const progress = (line: string) => (isWatched ? write(line) : undefined);
  const style: Output["style"] = (_, plain) => plain;
  return { lines, output: testOutput({ print: write, note: write, isWatched, progress, style }) };
}

function progressOf(isWatched: boolean, steps: readonly Partial<Progress>[]): string[] {
  const { output, lines } = watched(isWatched);
  const show = syncProgress(output);
  for (const step of steps) show("skills", { done: 0, total: 0, of: "files", bytes: 0, left: null, ...step });
  return lines;
}

describe("IN-23: progress", () => {
  const some = [
    { done: 1, total: 3, bytes: 700 },
    { done: 2, total: 3, bytes: 4096, left: 4990 },
    { done: 3, total: 3, bytes: 5000, left: 4990 },
  ];

  test("on a terminal: one line, with what came and what may still be asked, and nothing left of it at the end", () => {
    expect(progressOf(true, some)).toEqual([
      "reading skills: 1 of 3 files, 700 B",
      "reading skills: 2 of 3 files, 4.0 KiB, 4990 requests left",
      "",
    ]);
    expect(progressOf(true, [{ done: 1, total: 2, of: "plugins", left: 1 }])).toEqual([
      "reading skills: 1 of 2 plugins, 0 B, 1 request left",
    ]);
  });

  test("elsewhere: plain lines, ten at most, and none for what is small", () => {
    expect(progressOf(false, some)).toEqual([]);
    const many = Array.from({ length: 1000 }, (_, index) => ({ done: index + 1, total: 1000, bytes: index + 1 }));
    const lines = progressOf(false, many);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      10,
      "reading skills: 100 of 1000 files, 100 B",
      "reading skills: 1000 of 1000 files, 1000 B",
    ]);
  });

  const script = "/usr/bin/script";
  test.skipIf(!existsSync(script))("a real terminal shows it, and the result below", async () => {
    const command = `'${process.execPath}' '${resolve("dist/cli.js")}' source add acme/skills`;
    const env = { PATH: process.env["PATH"] ?? "", HOME: at.home.folder, USER: "ada", TERM: "xterm" };
    const child = spawn(script, ["-qec", command, "/dev/null"], {
      cwd: at.home.folder,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const shown = await text(child.stdout);
    expect(shown).toContain("\r\u001b[Kreading skills: 1 of 2 files, ");
    expect(shown).toContain("2 new");
  });
});
