import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { at, clientOf, hostsOf } from "../../../test/support/github-client.ts";
import { laterRefusal } from "../../../test/support/refusal.ts";
import { startGitHub } from "../../testing/github/github.ts";
import type { FakeGitHub } from "../../testing/github/script.ts";
import { findReachable, isOnBranch } from "./reachable.ts";

let fake: FakeGitHub;
beforeAll(async () => {
  fake = await startGitHub();
});
afterAll(() => fake.close());
afterEach(() => fake.misbehave(null));

async function pushed(name: string) {
  const remote = await fake.repository(name);
  const first = await remote.push({ "a/SKILL.md": "one" });
  const second = await remote.push({ "a/SKILL.md": "two" });
  const hosts = hostsOf(fake);
  const repository = at(hosts, name);
  const { github } = clientOf([hosts]);
  const find = (commit: string, ref: string | null = null) =>
    findReachable(github, repository, commit, { defaultBranch: "main", ref });
  const asked = async (act: () => Promise<unknown>) => {
    const before = fake.requests.length;
    const said = await act();
    return [said, fake.requests.length - before];
  };
  return { remote, first, second, github, repository, find, asked };
}

describe("IN-9: where a commit can be reached from", () => {
  test("the default branch: its head in one request, what lies behind in two", async () => {
    const { find, first, second, asked } = await pushed("acme/main");
    expect(await asked(() => find(second))).toEqual(["heads/main", 1]);
    expect(await asked(() => find(first))).toEqual(["heads/main", 2]);
  });

  test("then what was hinted at, by its whole name or a bare one", async () => {
    const { find, remote, first, asked } = await pushed("acme/hint");
    const third = await remote.push({ "b/SKILL.md": "x" }, { branch: "zz", from: first });
    const fourth = await remote.push({ "b/SKILL.md": "y" }, { branch: "zz" });
    await remote.tag("v4", fourth);
    expect(await asked(() => find(third, "heads/zz"))).toEqual(["heads/zz", 4]);
    expect(await find(third, "zz")).toBe("heads/zz");
    expect(await find(third, "tags/v4")).toBe("tags/v4");
    expect(await find(third, "v4")).toBe("tags/v4");
  });

  test("then heads of branches and of tags, then what lies behind them", async () => {
    const { find, remote, first } = await pushed("acme/others");
    const side = await remote.push({ "b/SKILL.md": "x" }, { branch: "side", from: first });
    const later = await remote.push({ "b/SKILL.md": "y" }, { branch: "side" });
    expect(await find(later)).toBe("heads/side");
    expect(await find(side)).toBe("heads/side");
    await remote.tag("v1", later);
    await remote.deleteBranch("side");
    expect(await find(later)).toBe("tags/v1");
    expect(await find(side)).toBe("tags/v1");
    expect(await find(side, "no..ref")).toBe("tags/v1");
  });
});

describe("T10: a stranger's commit is reached from nowhere", () => {
  test("one that only a fork has, served under the parent's name", async () => {
    const { find, remote, github, repository } = await pushed("acme/parent");
    const fork = await remote.fork("evil/parent");
    const ahead = await fork.push({ "a/SKILL.md": "evil" });
    const unrelated = await fork.push({ "a/SKILL.md": "evil" }, { branch: "new", from: null });
    await remote.tag("v1", (await remote.push({ c: "c" }, { branch: "side" })) ?? "");
    expect(await github.commit(repository, { kind: "commit", id: ahead }, null)).toMatchObject({
      facts: { id: ahead },
    });
    expect(await github.compare(repository, await head(), ahead)).toBe("ahead");
    for (const commit of [ahead, unrelated]) {
      expect(await find(commit)).toBeNull();
      expect(await find(commit, commit)).toBeNull();
      expect(await find(commit, "tags/v1")).toBeNull();
    }

    async function head(): Promise<string> {
      const answer = await github.commit(repository, { kind: "branch", name: "main" }, null);
      return answer === undefined || answer === "unchanged" ? "" : answer.facts.id;
    }
  });

  test.each([
    ["404", { status: 404 }],
    ["403", { status: 403 }],
    ["500", { status: 500 }],
    ["no JSON", "not-json"],
    ["a redirect", { redirect: 302, to: "/" }],
  ] as const)("nor is it when comparing gives %s", async (name, how) => {
    const { find, first, second } = await pushed(`acme/broken-${name.replace(" ", "-")}`);
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ on: /compare/, how }] });
    expect(await find(first)).toBeNull();
    expect(await find(second)).toBe("heads/main");
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ on: "api", how }] });
    expect(await find(second)).toBeNull();
  });

  test.each(["ahead", "diverged"])("nor when the service says %s", async (status) => {
    const { find, first } = await pushed(`acme/${status}`);
    const body = JSON.stringify({ status, merge_base_commit: { sha: first } });
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ on: /compare/, how: { status: 200, body } }] });
    expect(await find(first)).toBeNull();
  });

  test("IN-11: a rate limit is told, at once", async () => {
    const { find, first, asked } = await pushed("acme/limited");
    fake.next({ on: /compare/, how: { status: 429, headers: { "retry-after": "60" } } });
    const [said, requests] = await asked(() => laterRefusal(() => find(first)));
    expect([String(said).split(" ")[0], requests]).toEqual(["source.limited", 2]);
  });

  test("T8: however many branches and tags there are, and however broken the service is", async () => {
    const { find, remote, first, asked } = await pushed("acme/many");
    const fork = await remote.fork("evil/many");
    const evil = await fork.push({ "a/SKILL.md": "evil" });
    for (let count = 0; count < 12; count++) {
      const side = await remote.push({ n: String(count) }, { branch: `b${count}`, from: first });
      await remote.tag(`v${count}`, await remote.push({ m: String(count) }, { branch: "moving", from: side }));
    }
    expect(await asked(() => find(evil))).toEqual([null, 20]);
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ on: /compare/, how: { status: 500 } }] });
    expect(await asked(() => find(evil))).toEqual([null, 3 + 17 * 3]);
  });
});

describe("T11: a tag whose commit is on no branch", () => {
  test("is told from one that is", async () => {
    const { remote, first, second, github, repository } = await pushed("acme/tags");
    const side = await remote.push({ "b/SKILL.md": "x" }, { branch: "side", from: first });
    const on = (commit: string) => isOnBranch(github, repository, commit, "main");
    await remote.tag("v1", side);
    expect([await on(first), await on(second), await on(side)]).toEqual([true, true, true]);
    await remote.deleteBranch("side");
    expect(await on(side)).toBe(false);
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ on: "api", how: { status: 502 } }] });
    expect(await on(first)).toBe(false);
  });
});
