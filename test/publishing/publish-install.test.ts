import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setDigest } from "../../src/core/digest.ts";
import type { FakeRepository } from "../../src/testing/github/script.ts";
import { Site, skillText } from "../support/publish-site.ts";

let site: Site;
let repository: FakeRepository;
let first: string;
beforeEach(async () => {
  site = await Site.open();
  ({ repository, first } = await site.skills());
  for (const name of ["pdf", "xlsx"]) await site.json(["add", `acme/skills/skills/${name}`, "--yes"]);
});
afterEach(() => site.close());

/** As a clone that has the lock file alone. */
function cloned(): void {
  rmSync(site.workspace.at(".agents"), { recursive: true });
}

const install = (...args: readonly string[]) => site.json(["install", ...args]);

describe("IN-25: skillward install", () => {
  test("exactly what is locked, whatever the branch says now", async () => {
    const before = site.written();
    await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "Second.") });
    cloned();
    expect(await install("--frozen")).toMatchObject({
      code: 0,
      skills: [
        { folder: "pdf", state: "installed" },
        { folder: "xlsx", state: "installed" },
      ],
    });
    expect(site.written()).toEqual(before);
    expect((await site.run(["verify"])).code).toBe(0);
  });

  test("what is there already costs no request", async () => {
    const spent = await site.requestsOf(async () =>
      expect(await install("--frozen")).toMatchObject({
        code: 0,
        skills: [{ state: "unchanged" }, { state: "unchanged" }],
      }),
    );
    expect(spent).toBe(0);
  });

  test("IN-12: skills of one commit are asked for once", async () => {
    cloned();
    const before = site.github.requests.length;
    await install();
    const api = site.github.requests.slice(before).filter(({ service }) => service === "api");
    expect(api.filter(({ path }) => path.includes("/git/trees/"))).toHaveLength(1);
    expect(api.length).toBeLessThanOrEqual(4);
  });

  test("what was changed here is left alone and reported; --frozen puts it back", async () => {
    site.workspace.write(".agents/skills/pdf/SKILL.md", "mine");
    site.workspace.write(".agents/skills/pdf/extra", "mine");
    const before = site.written();
    expect(await install()).toMatchObject({
      code: 1,
      skills: [
        {
          state: "drifted",
          drift: [
            { path: "SKILL.md", how: "changed" },
            { path: "extra", how: "extra" },
          ],
        },
        { state: "unchanged" },
      ],
    });
    expect(site.written()).toEqual(before);
    expect(await install("--frozen")).toMatchObject({
      code: 0,
      skills: [{ state: "replaced" }, { state: "unchanged" }],
    });
    expect((await site.run(["verify"])).code).toBe(0);
    expect(Object.keys(site.written())).not.toContain(".agents/skills/pdf/extra");
  });

  test("T13: bytes that are not the commit's: a mismatch, and nothing of that skill is written", async () => {
    cloned();
    repository.tamper("skills/pdf/references/notes.md");
    expect(await install("--frozen")).toMatchObject({
      code: 1,
      skills: [{ state: "failed", error: { code: "digest.mismatch" } }, { state: "installed" }],
    });
    expect(Object.keys(site.written()).filter((path) => path.includes("pdf"))).toEqual([]);
  });

  test.each<[string, (skill: Record<string, unknown>) => void]>([
    [
      "other bytes than the commit has",
      (skill) => {
        const files = { ...(skill["files"] as Record<string, string>), "references/notes.md": "a".repeat(64) };
        const digest = setDigest(Object.entries(files).map(([path, each]) => ({ path, digest: each })));
        Object.assign(skill, { files, digest });
      },
    ],
    [
      "a file less",
      (skill) => {
        const files = { ...(skill["files"] as Record<string, string>) };
        delete files["references/notes.md"];
        const digest = setDigest(Object.entries(files).map(([path, each]) => ({ path, digest: each })));
        Object.assign(skill, { files, digest });
      },
    ],
    ["another program", (skill) => Object.assign(skill, { executable: ["SKILL.md"] })],
    ["another tree", (skill) => Object.assign(skill, { tree: "a".repeat(40) })],
  ])("T44: a lock file that says %s than its commit: a mismatch, nothing is written", async (_what, change) => {
    cloned();
    site.writeLock((skills) => {
      delete skills["xlsx"];
      change(skills["pdf"] ?? {});
    });
    const before = site.written();
    expect(await install("--frozen")).toMatchObject({
      code: 1,
      skills: [{ state: "failed", error: { code: "digest.mismatch" } }],
    });
    expect(site.written()).toEqual(before);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["T12: another repository's id", { repositoryId: 4711 }, "source.frozen"],
    ["T12: another owner's id", { ownerId: 4711 }, "source.frozen"],
    ["a commit that is not there", { commit: "a".repeat(40) }, "source.missing"],
    ["T44: a GitHub that the user does not have", { hosts: "ghe.evil.example" }, "host.refused"],
  ])("T44: a lock file with %s installs nothing", async (_what, change, code) => {
    cloned();
    site.writeLock((skills) => {
      delete skills["xlsx"];
      Object.assign(skills["pdf"] ?? {}, change);
    });
    const before = site.written();
    expect(await install("--frozen")).toMatchObject({ skills: [{ state: "failed", error: { code } }] });
    expect(site.written()).toEqual(before);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["registered anew", () => site.github.repository("acme/skills")],
    ["renamed", () => repository.rename("acme/renamed")],
  ])("T12: %s, it is said what to do in a workspace, which has no sources", async (_what, change) => {
    cloned();
    await change();
    const before = site.written();
    const { code, skills } = await install();
    expect({ code, states: skills.map((skill: { state: string }) => skill.state) }).toEqual({
      code: 1,
      states: ["failed", "failed"],
    });
    for (const [at, folder] of ["pdf", "xlsx"].entries()) {
      const { error } = skills[at];
      expect(error).toEqual({
        code: "source.frozen",
        message: expect.stringContaining(`remove .agents/skills/${folder} and its entry in skillward.lock`),
      });
      expect(error.message).toContain(`${repository.id} of owner ${repository.ownerId}`);
      expect(error.message).not.toContain("the source");
    }
    expect(site.written()).toEqual(before);
  });

  test("IN-9, T44: a lock file cannot bring a fork's commit under the parent's name, also not by saying it was accepted", async () => {
    const fork = await repository.fork("mallory/skills");
    const strange = await fork.push({ "skills/pdf/SKILL.md": skillText("pdf", "Mallory's.") });
    rmSync(site.workspace.at("skillward.lock"));
    cloned();
    await site.json(["add", `acme/skills/skills/pdf@${strange}`, "--yes", "--accept", "pin.unreachable"]);
    site.writeLock((skills) =>
      Object.assign(skills["pdf"] ?? {}, { proof: { commit: "hashed", reachable: "heads/main" }, ref: "heads/main" }),
    );
    cloned();
    const before = site.written();
    expect(await install("--frozen")).toMatchObject({
      code: 1,
      skills: [{ state: "refused", refused: ["pin.unreachable"] }],
    });
    expect(site.written()).toEqual(before);
    expect(await install("--frozen", "--accept", "pin.unreachable")).toMatchObject({
      code: 0,
      skills: [{ state: "installed" }],
    });
  });

  test("a network that fails is a broken world: exit 3, and the rest is tried", async () => {
    cloned();
    site.github.misbehave({ rate: 1, random: () => 0, faults: [{ on: /SKILL\.md|tar\.gz/, how: { status: 500 } }] });
    expect(await install()).toMatchObject({ code: 3, skills: [{ state: "failed" }, { state: "failed" }] });
    expect(Object.keys(site.written())).toEqual(["skillward.lock"]);
  });

  test("T9: a token is for one GitHub, whatever else a lock file names", async () => {
    const secret = "token-3f9a1c77d2e84b60";
    cloned();
    const config = site.github
      .configuration()
      .replace(
        "github:\n",
        "github:\n  other: { api: https://ghe.example.org/api/v3, raw: https://ghe.example.org/raw, codeload: https://ghe.example.org/codeload, web: https://ghe.example.org }\n",
      );
    writeFileSync(site.home.at(".config/skillward/config.yaml"), config);
    const before = site.github.requests.length;
    const { code } = await site.json(["install", "--hosts", "other", "--token-env", "MY_TOKEN"], { MY_TOKEN: secret });
    expect(code).toBe(0);
    const seen = site.github.requests.slice(before);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(({ headers }) => headers["authorization"] !== undefined)).toEqual([]);
  });

  test("first is the commit that is locked, and no lock file is an error", async () => {
    expect(JSON.parse(site.workspace.lockText() ?? "").skills.pdf.commit).toBe(first);
    mkdirSync(site.workspace.at("empty/.git"), { recursive: true });
    expect(await install("--dir", site.workspace.at("empty"))).toMatchObject({
      code: 2,
      error: { code: "path.missing" },
    });
  });
});
