import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { at, clientOf, type Scripted, scriptGitHub } from "../../../test/support/github-client.ts";
import { quoteOf, showsSecret } from "./client-secret.ts";

const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
const facts = { id: 7, full_name: "acme/skills", owner: { id: 3 }, default_branch: "main" };
const commit = "a".repeat(40);

async function client(answer: Scripted) {
  const scripted = await scriptGitHub(() => answer);
  const token = { secret, isFor: ({ owner }: { owner: string }) => owner === "acme" };
  return { ...scripted, ...clientOf([scripted.hosts], { token }), repository: at(scripted.hosts) };
}

/** Everything that comes out, as it would be shown by whoever shows the most. */
async function shown(asked: Promise<unknown>): Promise<string> {
  return inspect(await asked.catch((error: unknown) => error), { depth: 9, showHidden: true });
}

describe("T9: the token is shown to nobody but whom it is for", () => {
  test("in a header, to every service of its repository, and never in a URL", async () => {
    const { github, repository, server, paths } = await client({ body: facts });
    await github.facts(repository, null);
    await github.file(repository, commit, "x", 999);
    (await github.tarball(repository, commit)).destroy();
    expect(server.requests).toHaveLength(3);
    for (const request of server.requests) expect(request).toContain(`authorization: Bearer ${secret}\r\n`);
    expect(paths().join()).not.toContain("ghp");
  });

  test("not for other repositories", async () => {
    const { github, hosts, server } = await client({ body: { ...facts, full_name: "other/child" } });
    const child = at(hosts, "other/child");
    await github.facts(child, null);
    await github.file(child, commit, "x", 999);
    (await github.tarball(child, commit)).destroy();
    expect(server.requests).toHaveLength(3);
    expect(server.requests.join()).not.toMatch(/authorization|ghp_/i);
  });

  const echo = `no such token: ${secret}`;
  test.each<[string, Scripted]>([
    ["in the message of a 403", { status: 403, body: { message: echo } }],
    ["in part", { status: 403, body: { message: `token ${secret.slice(10, 18)} is bad` } }],
    ["spelled out", { status: 403, body: { message: secret.split("").join("\u200b") } }],
    ["in the message of a 500", { status: 500, body: { message: echo } }],
    ["in the message of a 418", { status: 418, body: { message: echo } }],
    [
      "in where a redirect points",
      { status: 302, headers: { location: `https://${secret.replace("_", "-")}.example/` } },
    ],
    ["in an encoding", { headers: { "content-encoding": secret } }],
    ["in a tag", { body: facts, headers: { etag: `"${secret}"` } }],
    ["in what is told", { body: { ...facts, default_branch: secret } }],
    ["in what is no JSON", { body: `{ ${secret}` }],
    ["in when to come back", { status: 429, headers: { "retry-after": secret } }],
  ])("sent back %s, it goes no further", async (_name, answer) => {
    const { github, repository } = await client(answer);
    expect(showsSecret(await shown(github.facts(repository, null)), secret)).toBe(false);
  });

  test("401 says what to do about it", async () => {
    const { github, repository } = await client({ status: 401, body: { message: "Bad credentials" } });
    expect(await shown(github.facts(repository, null))).toMatch(/does not accept the token; give a valid one/);
  });

  test("404 with a token says that it may lack rights", async () => {
    const { github, repository } = await client({ status: 404, body: { message: "Not Found" } });
    expect(await shown(github.facts(repository, null))).toMatch(/give the token the right to read it/);
  });
});

describe("what a service says is quoted with care", () => {
  test("on one line, short, with nothing unseen", () => {
    expect(quoteOf("Blocked", null)).toBe(" (it says: Blocked)");
    expect(quoteOf("a\u202eb\nc", null)).toBe(" (it says: a\\u{202e}b\\u{a}c)");
    expect(quoteOf("x".repeat(9999), null).length).toBeLessThan(140);
    expect(quoteOf("", secret)).toBe("");
  });

  test("a short secret counts as a whole, and none as none", () => {
    expect(showsSecret("a t0k3n b", "t0k3n")).toBe(true);
    expect(showsSecret("a t0k b", "t0k3n")).toBe(false);
    expect(showsSecret("anything", "")).toBe(false);
    expect(showsSecret(secret.slice(4, 11), secret)).toBe(false);
    expect(showsSecret(secret.slice(4, 12).toUpperCase(), secret)).toBe(true);
  });
});
