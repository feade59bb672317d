import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, clientOf, hostsOf } from "../../../test/support/github-client.ts";
import { laterRefusal } from "../../../test/support/refusal.ts";
import { startGitHub } from "../../testing/github/github.ts";
import type { FakeGitHub } from "../../testing/github/script.ts";
import type { GitHub } from "./github.ts";
import { parseTyped } from "../typed.ts";
import type { Repository } from "../repository.ts";
import { resolveName, resolveTyped } from "./resolve.ts";

let fake: FakeGitHub;
let github: GitHub;
let repository: Repository;
let first: string;

beforeAll(async () => {
  fake = await startGitHub();
  const remote = await fake.repository("acme/skills");
  first = await remote.push({ "a/SKILL.md": "one" });
  for (const branch of ["feature/x", "feature/x-y", "both", "deep/er/est", "deadbeef00", "1".repeat(40)])
    await remote.branch(branch, first);
  for (const tag of ["v1", "both", "rel/1", "shared/a/b"]) await remote.tag(tag, first, { annotated: tag === "v1" });
  await remote.branch("shared/a/c", first);
  await fake.repository("acme/empty");
});
afterAll(() => fake.close());

function open() {
  const hosts = hostsOf(fake);
  github = clientOf([hosts]).github;
  repository = at(hosts);
  return hosts;
}

/** As `ref path`, or the refusal. */
async function resolved(text: string, wanted: string | null = null): Promise<string> {
  const hosts = open();
  const typed = parseTyped(text.replace("WEB", fake.web).replace("RAW", fake.raw), [hosts]);
  if (typed.kind !== "repository") throw new Error("a folder");
  let said = "";
  const refused = await laterRefusal(async () => {
    const { ref, path, facts } = await resolveTyped(github, typed, wanted);
    expect(facts.defaultBranch).toBe("main");
    said = `${ref === null ? "default" : `${ref.kind} ${"id" in ref ? ref.id : ref.name}`} ${path}`;
  });
  return said === "" ? refused : said;
}

describe("IN-7: a name becomes a branch, a tag or a commit, never a guess", () => {
  test.each([
    ["acme/skills", null, "default "],
    ["acme/skills/a/b", null, "default a/b"],
    ["acme/skills@main", null, "branch main "],
    ["acme/skills@feature/x", null, "branch feature/x "],
    ["acme/skills/a@v1", null, "tag v1 a"],
    ["acme/skills@heads/both", null, "branch both "],
    ["acme/skills@tags/both", null, "tag both "],
    ["acme/skills", "main", "branch main "],
    ["acme/skills", "rel/1", "tag rel/1 "],
    ["acme/skills@main", "main", "branch main "],
    ["acme/skills@main", "heads/main", "branch main "],
    ["acme/skills@heads/main", "main", "branch main "],
    ["acme/skills@both", "tags/both", "tag both "],
    ["acme/skills@deadbeef00", null, "branch deadbeef00 "],
  ])("%s with --ref %s is %s", async (text, wanted, expected) => {
    expect(await resolved(text, wanted)).toBe(expected);
  });

  test("T3: a name that is both is refused, naming both", async () => {
    expect(await resolved("acme/skills@both")).toMatch(/^usage\.invalid .*--ref heads\/both.*--ref tags\/both/);
    expect(await resolved("acme/skills", "both")).toMatch(/^usage\.invalid /);
  });

  test("T3: 40 digits are that commit or none, whatever a branch is named", async () => {
    expect(await resolved(`acme/skills@${first}`)).toBe(`commit ${first} `);
    expect(await resolved(`WEB/acme/skills/blob/${first}/a/SKILL.md`)).toBe(`commit ${first} a/SKILL.md`);
    const absent = "2".repeat(40);
    expect(await resolved("acme/skills", absent)).toBe(
      `source.missing acme/skills has no commit ${absent}: check its digits`,
    );
    for (const text of ["acme/skills@", "WEB/acme/skills/tree/"])
      expect(await resolved(text + "1".repeat(40))).toMatch(/^digest\.mismatch commit 1{40} was asked for/);
  });

  test("T3: a part of a name is no name", async () => {
    expect(await resolved("acme/skills@feature")).toMatch(/^source\.missing /);
    expect(await resolved("acme/skills@mai")).toMatch(/^source\.missing /);
  });

  test("T3: short SHAs are refused, also those that are one", async () => {
    for (const sha of [first.slice(0, 7), first.slice(0, 39), first.toUpperCase()])
      expect(await resolved("acme/skills", sha)).toMatch(/^source\.missing .*short SHAs are not accepted; give all 40/);
  });

  test.each(["a..b", "@{-1}", "--upload-pack=x", "a b", "x~1", "x^", "a:b", ".hidden", "x.lock", "a\u202eb", ""])(
    "T3: %j is no name, and nothing is asked",
    async (name) => {
      const before = fake.requests.length;
      expect(await resolved("acme/skills", name)).toMatch(/^usage\.invalid /);
      expect(fake.requests).toHaveLength(before);
      expect(await laterRefusal(() => resolveName(github, repository, name))).toMatch(/^usage\.invalid /);
      expect(fake.requests).toHaveLength(before);
    },
  );

  test("two refs that differ are refused", async () => {
    expect(await resolved("acme/skills@main", "v1")).toMatch(/^usage\.invalid two different refs are given: main .*v1/);
    expect(await resolved("acme/skills@heads/both", "tags/both")).toMatch(/^usage\.invalid two different refs/);
    expect(await resolved("WEB/acme/skills/tree/main/a", "v1")).toMatch(/^usage\.invalid two different refs/);
  });

  test("a repository that is not there, and one that is empty", async () => {
    expect(await resolved("acme/none@main")).toMatch(/^source\.missing .*has no repository acme\/none/);
    expect(await resolved("acme/empty@main")).toMatch(/^source\.missing acme\/empty is empty/);
  });
});

describe("IN-2: the ref of an address ends where the repository says", () => {
  test.each([
    ["WEB/acme/skills/tree/main", null, "branch main "],
    ["WEB/acme/skills/tree/main/a", null, "branch main a"],
    ["WEB/acme/skills/tree/feature/x/a/b", null, "branch feature/x a/b"],
    ["WEB/acme/skills/tree/feature/x-y/a", null, "branch feature/x-y a"],
    ["WEB/acme/skills/tree/deep/er/est", null, "branch deep/er/est "],
    ["WEB/acme/skills/tree/shared/a/b/c", null, "tag shared/a/b c"],
    ["WEB/acme/skills/tree/shared/a/c/b", null, "branch shared/a/c b"],
    ["WEB/acme/skills/blob/v1/a/SKILL.md", null, "tag v1 a/SKILL.md"],
    ["RAW/acme/skills/main/a/SKILL.md", null, "branch main a/SKILL.md"],
    ["RAW/acme/skills/refs/heads/both/a/SKILL.md", null, "branch both a/SKILL.md"],
    ["RAW/acme/skills/refs/tags/both/a/SKILL.md", null, "tag both a/SKILL.md"],
    ["RAW/acme/skills/refs/heads/feature/x/a/SKILL.md", null, "branch feature/x a/SKILL.md"],
    ["WEB/acme/skills/tree/both/a", "heads/both", "branch both a"],
    ["WEB/acme/skills/tree/main/a", "main", "branch main a"],
  ])("%s with --ref %s is %s", async (text, wanted, expected) => {
    expect(await resolved(text, wanted)).toBe(expected);
  });

  test("what fits a branch and a tag is refused", async () => {
    expect(await resolved("WEB/acme/skills/tree/both/a")).toMatch(/^usage\.invalid .*heads\/both.*tags\/both/);
  });

  test("what fits nothing is missing", async () => {
    expect(await resolved("WEB/acme/skills/tree/feature/a")).toMatch(/^source\.missing .*no branch or tag feature\/…/);
    expect(await resolved("WEB/acme/skills/tree/mai")).toMatch(/^source\.missing .*no branch or tag mai:/);
    expect(await resolved("RAW/acme/skills/refs/tags/main/a/SKILL.md")).toMatch(/^source\.missing /);
    expect(await resolved("RAW/acme/skills/refs/heads/both/a", "tags/both")).toMatch(/^usage\.invalid /);
    expect(await resolved("WEB/acme/skills/blob/feature/x")).toMatch(/^usage\.invalid the URL names no file/);
  });

  test("IN-12: with it comes where it stands, so that nobody asks again", async () => {
    const hosts = open();
    for (const [text, requests] of [
      ["acme/skills", 2],
      ["acme/skills@heads/main", 2],
      ["acme/skills@main", 3],
    ] as const) {
      const typed = parseTyped(text, [hosts]);
      if (typed.kind !== "repository") throw new Error("a folder");
      const before = fake.requests.length;
      const { pin, facts } = await resolveTyped(github, typed, null);
      expect(pin).toEqual({
        facts,
        ref: { kind: "branch", name: "main" },
        commit: expect.objectContaining({ id: first, proof: "hashed" }),
        etags: { repository: expect.any(String), commit: expect.any(String) },
      });
      expect(fake.requests.length - before).toBe(requests);
    }
  });

  test("T8: in three requests, however long it is", async () => {
    const before = fake.requests.length;
    await resolved(`WEB/acme/skills/tree/main/${"a/".repeat(50)}b`);
    expect(fake.requests).toHaveLength(before + 3);
  });

  test("where the service has no list of refs they are asked for one by one, and not without end", async () => {
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ on: /matching-refs/, how: { status: 404 } }] });
    try {
      expect(await resolved("WEB/acme/skills/tree/feature/x/a/b")).toBe("branch feature/x a/b");
      const before = fake.requests.length;
      expect(await resolved(`WEB/acme/skills/tree/none/${"a/".repeat(50)}b`)).toMatch(/^source\.missing /);
      expect(fake.requests.length - before).toBe(2 + 2 * (1 + 8));
    } finally {
      fake.misbehave(null);
    }
  });
});
