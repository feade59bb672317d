import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { at, clientOf, hostsOf } from "../../../test/support/github-client.ts";
import { laterRefusal } from "../../../test/support/refusal.ts";
import { startGitHub } from "../../testing/github/github.ts";
import type { FakeGitHub } from "../../testing/github/script.ts";
import type { GitHub } from "./github.ts";
import { type KnownPin, type Pin, pinRepository } from "./pin.ts";
import type { Ref } from "../ref.ts";
import type { Repository } from "../repository.ts";

let fake: FakeGitHub;
beforeAll(async () => {
  fake = await startGitHub();
});
afterAll(() => fake.close());

const nothing: KnownPin = {
  repositoryId: null,
  ownerId: null,
  defaultBranch: null,
  etags: { repository: null, commit: null },
  commit: null,
};

function knownBy({ facts, etags, commit }: Pin): KnownPin {
  const { id: repositoryId, ownerId, defaultBranch } = facts;
  return { repositoryId, ownerId, defaultBranch, etags, commit: commit.id };
}

async function firstPin(github: GitHub, repository: Repository, ref: Ref | null = null): Promise<Pin> {
  const pin = await pinRepository(github, repository, ref, nothing);
  if ("unchanged" in pin) throw new Error("nothing was known before");
  return pin;
}

async function pushed(name: string) {
  const remote = await fake.repository(name);
  const first = await remote.push({ "a/SKILL.md": "one" });
  const hosts = hostsOf(fake);
  return { remote, first, repository: at(hosts, name), ...clientOf([hosts]) };
}

describe("IN-7: a ref becomes a commit", () => {
  test("of the default branch where none is named, which it then is", async () => {
    const { github, repository, remote, first } = await pushed("acme/default");
    expect(await firstPin(github, repository)).toMatchObject({
      facts: { id: remote.id, ownerId: remote.ownerId, defaultBranch: "main" },
      ref: { kind: "branch", name: "main" },
      commit: { id: first, parents: [], proof: "hashed" },
      etags: { repository: expect.any(String), commit: expect.any(String) },
    });
    expect(github.spent.requests).toBe(2);
  });

  test("of a branch with slashes, of tags of both kinds, and by its id", async () => {
    const { github, repository, remote, first } = await pushed("acme/refs");
    const second = await remote.push({ "b/SKILL.md": "two" }, { branch: "feature/x", signed: true });
    await remote.tag("v1", first);
    await remote.tag("v2", second, { annotated: true });
    const refs: [Ref, string][] = [
      [{ kind: "branch", name: "feature/x" }, second],
      [{ kind: "tag", name: "v1" }, first],
      [{ kind: "tag", name: "v2" }, second],
      [{ kind: "commit", id: first }, first],
    ];
    for (const [ref, id] of refs)
      expect(await firstPin(github, repository, ref)).toMatchObject({ ref, commit: { id, proof: "hashed" } });
  });

  test("T3: a branch named like a commit is not taken for it", async () => {
    const { github, repository, remote, first } = await pushed("acme/named");
    const absent = "1".repeat(40);
    await remote.branch(absent, first);
    const ref: Ref = { kind: "commit", id: absent };
    expect(await laterRefusal(() => firstPin(github, repository, ref))).toMatch(/^digest\.mismatch /);
  });

  test("one that is gone is said to be gone", async () => {
    const { github, repository, remote, first } = await pushed("acme/gone");
    await remote.branch("side", first);
    const side: Ref = { kind: "branch", name: "side" };
    const known = knownBy(await firstPin(github, repository, side));
    await remote.deleteBranch("side");
    expect(await laterRefusal(() => pinRepository(github, repository, side, known))).toMatch(
      /^source\.missing branch side is gone from acme\/gone/,
    );
    const commit: Ref = { kind: "commit", id: "2".repeat(40) };
    expect(await laterRefusal(() => firstPin(github, repository, commit))).toMatch(
      /^source\.missing commit 2{40} is gone/,
    );
    await remote.remove();
    expect(await laterRefusal(() => pinRepository(github, repository, side, known))).toMatch(
      /^source\.missing .*has no repository acme\/gone/,
    );
  });

  test("an empty repository is said to be empty", async () => {
    await fake.repository("acme/empty");
    const hosts = hostsOf(fake);
    const { github } = clientOf([hosts]);
    expect(await laterRefusal(() => firstPin(github, at(hosts, "acme/empty")))).toMatch(
      /^source\.missing acme\/empty is empty/,
    );
  });
});

describe("IN-11, IN-12: what did not change costs two requests", () => {
  test("both conditional, both answered 304", async () => {
    const { github, repository } = await pushed("acme/same");
    const known = knownBy(await firstPin(github, repository));
    const before = fake.requests.length;
    expect(await pinRepository(github, repository, null, known)).toHaveProperty("unchanged");
    expect(fake.requests.slice(before).map(({ status }) => status)).toEqual([304, 304]);
  });

  test("a new commit is told with the ids that are known", async () => {
    const { github, repository, remote } = await pushed("acme/new");
    const known = knownBy(await firstPin(github, repository));
    const second = await remote.push({ "a/SKILL.md": "two" });
    fake.next({ on: /^api \S*\/acme\/new$/, how: { status: 304 } });
    expect(await pinRepository(github, repository, null, known)).toMatchObject({
      facts: { id: remote.id, ownerId: remote.ownerId, defaultBranch: "main" },
      commit: { id: second },
      etags: { repository: known.etags.repository },
    });
  });

  test("the commit that is known is unchanged also where it was told in full", async () => {
    const { github, repository } = await pushed("acme/told");
    const known = { ...knownBy(await firstPin(github, repository)), etags: nothing.etags };
    expect(await pinRepository(github, repository, null, known)).toHaveProperty("unchanged");
    expect(await pinRepository(github, repository, null, { ...known, commit: null })).toMatchObject({ commit: {} });
  });

  test("without the ids nothing can stay as it was: all is asked", async () => {
    const { github, repository } = await pushed("acme/unknown");
    const { etags } = knownBy(await firstPin(github, repository));
    const before = fake.requests.length;
    expect(await pinRepository(github, repository, null, { ...nothing, etags })).toMatchObject({ facts: {} });
    expect(fake.requests.slice(before).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("the tag of one branch is not used for another", async () => {
    const { github, repository } = await pushed("acme/branches");
    const known = { ...knownBy(await firstPin(github, repository)), defaultBranch: "old" };
    fake.next({ on: /^api \S*\/acme\/branches$/, how: { status: 200, body: JSON.stringify(factsOf(known)) } });
    expect(await pinRepository(github, repository, null, known)).toHaveProperty("unchanged");
    expect(fake.requests.at(-1)).toMatchObject({
      status: 200,
      headers: expect.not.objectContaining({ "if-none-match": expect.anything() }),
    });
  });

  function factsOf({ repositoryId, ownerId }: KnownPin) {
    return { id: repositoryId, full_name: "acme/branches", owner: { id: ownerId }, default_branch: "main" };
  }
});

describe("T12: a repository that is not the one that was added is frozen", () => {
  test("registered anew under the same name, and nothing of it is read", async () => {
    const { github, repository, remote } = await pushed("acme/taken");
    const known = knownBy(await firstPin(github, repository));
    const other = await fake.repository("acme/taken");
    await other.push({ "a/SKILL.md": "evil" });
    const before = fake.requests.length;
    const refused = await laterRefusal(() => pinRepository(github, repository, null, known));
    expect(refused).toMatch(/^source\.frozen acme\/taken is not the repository that was added/);
    expect(refused).toContain(`the repository's id was ${remote.id} and is ${other.id}`);
    expect(refused).toContain(`its owner's id was ${remote.ownerId} and is ${other.ownerId}`);
    expect(fake.requests).toHaveLength(before + 1);
  });

  test("another owner alone is enough", async () => {
    const { github, repository, remote } = await pushed("acme/owned");
    const known = { ...knownBy(await firstPin(github, repository)), ownerId: remote.ownerId + 1 };
    const etags = { repository: null, commit: null };
    expect(await laterRefusal(() => pinRepository(github, repository, null, { ...known, etags }))).toMatch(
      /^source\.frozen .*: its owner's id was \d+ and is \d+\./,
    );
  });

  test("renamed or transferred: 301, and nobody goes there", async () => {
    const { github, repository, remote } = await pushed("acme/renamed");
    const known = knownBy(await firstPin(github, repository));
    await remote.rename("acme/renamed-now");
    const before = fake.requests.length;
    expect(await laterRefusal(() => pinRepository(github, repository, null, known))).toMatch(
      /^source\.frozen acme\/renamed was renamed or transferred/,
    );
    await remote.transfer("evil/renamed");
    expect(await laterRefusal(() => pinRepository(github, repository, null, known))).toMatch(/^source\.frozen /);
    expect(fake.requests).toHaveLength(before + 2);
  });
});
