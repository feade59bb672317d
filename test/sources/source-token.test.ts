import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { FakeRepository, FaultKind } from "../../src/testing/github/script.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import { skillText } from "../support/publish-site.ts";
import { SourceHome } from "./source-home.ts";

const token = "ghp_thetoken_0123456789abcdefghijklmnop";
const other = "ghp_another_0123456789abcdefghijklmnopq";
const env = { THE_TOKEN: token };

let at: SourceHome;
let repository: FakeRepository;

beforeEach(async () => {
  at = await SourceHome.open();
  repository = await at.github.repository("acme/secret", { private: { token } });
  await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "First."), "b/SKILL.md": skillText("b", "B.") });
});
afterEach(() => at.close());

async function add(more = ""): Promise<void> {
  const { exit, answer } = await at.json(`source add acme/secret --token-env THE_TOKEN${more}`, env);
  expect([exit, answer.results[0].status]).toEqual([0, "ok"]);
}

/** The rows of tokens, as they are kept. */
function secrets(): { name: string; secret: string }[] {
  const database = at.home.database;
  try {
    const rows: unknown = database
      .prepare("SELECT json_group_array(json_object('name', name, 'secret', secret)) AS all_rows FROM secrets")
      .get();
    return JSON.parse(Object(rows).all_rows);
  } finally {
    database.close();
  }
}

async function statusOf(id: string): Promise<string> {
  const { answer } = await at.json(`source sync ${id}`);
  const [{ status, error }] = answer.results;
  return error === undefined ? status : `${error.code}: ${error.message}`;
}

/** Every request that carried a token, by service and repository. No URL and no other header had one. */
function carried(requests = at.github.requests): string[] {
  return requests.flatMap(({ service, path, headers: { authorization, ...others } }) => {
    expect(path + JSON.stringify(others)).not.toContain("ghp_");
    const [, owner, name] = /^(?:\/repos)?\/([^/]+)\/([^/?]+)/.exec(path) ?? [];
    return authorization === undefined ? [] : [`${service} ${owner}/${name} ${authorization}`];
  });
}

describe("IN-6, T9: where a token goes", () => {
  test("in one header, to the three services of its own repository, and to nobody else", async () => {
    await at.skills("acme/public");
    await at.skills("acme/market");
    await add(" --trust verified");
    await at.json("source add acme/public");
    await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "Second.") });
    await at.json("source sync");
    expect([...new Set(carried())].toSorted()).toEqual([
      `api acme/secret Bearer ${token}`,
      `codeload acme/secret Bearer ${token}`,
      `raw acme/secret Bearer ${token}`,
    ]);
    expect(at.github.requests.some(({ path }) => path.includes("acme/public"))).toBe(true);
  });

  test("not after a redirect, wherever it points", async () => {
    const elsewhere = await startGitHub();
    onTestFinished(() => elsewhere.close());
    await add();
    for (const redirect of [301, 302, 303, 307, 308] as const) {
      at.github.next({ on: "api", how: { redirect, to: `${elsewhere.api}/repos/acme/secret` } });
      expect(await statusOf("secret")).toMatch(/^(?:source\.frozen|upstream\.)/);
    }
    expect(elsewhere.requests).toEqual([]);
    expect(await statusOf("secret")).toBe("ok");
  });
});

describe("IN-6, T9, T40: what is kept and shown of a token", () => {
  const answers: readonly FaultKind[] = [
    { status: 401, body: JSON.stringify({ message: `Bad credentials: ${token}` }) },
    { status: 403, body: JSON.stringify({ message: `the token ${token} may not do that` }) },
    { status: 404, body: JSON.stringify({ message: `no ${token}` }) },
    { status: 418, body: JSON.stringify({ message: Buffer.from(token).toString("base64") }) },
    { status: 403, headers: { "retry-after": "60", "x-hint": token }, body: token },
    { status: 200, headers: { etag: `W/"${token}"` }, body: JSON.stringify({ id: 1, full_name: token }) },
    { status: 200, body: token },
    { redirect: 302, to: `https://github.com/?token=${token}` },
    { redirect: 301, to: `https://github.com/?token=${token}` },
  ];

  test("nothing, in all that is printed and all that is written, whatever is answered", async () => {
    await add();
    // While somebody reads, what was written last stays in the write-ahead log.
    const reader = at.home.database;
    onTestFinished(() => reader.close());
    reader.exec("BEGIN; SELECT count(*) FROM sources");
    for (const how of answers) {
      at.github.next({ on: "api", how });
      const { code, out } = await at.run("source sync secret", { SKILLWARD_DEBUG: "1" });
      expect([code, out]).toEqual([expect.toBeOneOf([1, 3]), expect.stringMatching(/^secret: not synced: /)]);
    }
    for (let count = 0; count < 3; count++)
      at.github.next({ on: "api", how: { status: 502, body: JSON.stringify({ message: token }) } });
    expect(await statusOf("secret")).toMatch(/^upstream\.unreachable: .* answered 502/);
    at.github.next({ on: "api", how: { status: 401, body: token } });
    expect(await at.refused("source add acme/secret --id twice --token-env THE_TOKEN", env)).toMatchObject({ exit: 2 });
    const wal = join(at.home.folder, ".local/share/skillward/skillward.db-wal");
    expect(existsSync(wal) && readFileSync(wal).length).toBeGreaterThan(0);
    expect(at.leaks(token)).toEqual([]);

    expect((await at.run("source show secret")).out).toMatch(/^token +kept encrypted$/m);
    const debug = { SKILLWARD_DEBUG: "1" };
    for (const line of [
      "source list",
      "source show secret",
      "source sync secret --repair",
      "source set secret --token-env THE_TOKEN --interval 6h",
      "skill list",
      "review",
      "review secret:skills/pdf",
      "audit list",
      "audit export",
      "audit verify",
      "doctor",
      "keys show",
      "keys rotate",
      "source sync secret",
      "source set secret --no-token",
      "source remove secret",
    ]) {
      const human = await at.run(line, { ...env, ...debug });
      const asJson = /^(?:audit export|keys rotate|source remove)/.test(line)
        ? human
        : await at.run(`${line} --json`, { ...env, ...debug });
      expect([line, human.code, asJson.code]).toEqual([line, 0, 0]);
    }
    // What is there is found by the same search.
    expect(at.leaks("acme/secret")).toContain("printed");
    expect(at.leaks(token)).toEqual([]);
  });

  test("a new secret in the key file encrypts it anew, and it goes on working", async () => {
    await add();
    const [before] = secrets();
    expect(await at.run("keys rotate")).toMatchObject({ code: 0 });
    const [after] = secrets();
    expect(after?.secret).not.toBe(before?.secret);
    expect(await statusOf("secret")).toBe("ok");
    expect(at.leaks(token)).toEqual([]);
  });

  test("encrypted for one source: moved to another, or to another repository, it opens nothing", async () => {
    await at.github.repository("acme/open", { private: { token: other } });
    const trap = await at.github.repository("mallory/trap", { private: { token: other } });
    await trap.push({ "SKILL.md": skillText("trap", "Give it to me.") });
    await add();
    const trapped = await at.json("source add mallory/trap --token-env OTHER", { OTHER: other });
    expect(trapped.exit).toBe(0);
    const database = at.home.database;
    database.exec(
      "UPDATE secrets SET secret = (SELECT secret FROM secrets WHERE name = 'source:secret') WHERE name = 'source:trap'",
    );
    const since = at.github.requests.length;
    expect(await statusOf("trap")).toMatch(/^keys\.unusable: /);
    database.exec("UPDATE sources SET record = replace(record, 'acme/secret', 'mallory/trap') WHERE id = 'secret'");
    database.close();
    expect(await statusOf("secret")).toMatch(/^keys\.unusable: .*changed by hand/);
    expect(carried(at.github.requests.slice(since))).toEqual([]);
    expect((await at.run("keys rotate")).out).toContain("token");
    expect(at.leaks(token)).toEqual([]);
  });
});

describe("IN-6: a token's life", () => {
  test("it is replaced, taken away, and gone with its source", async () => {
    await add();
    expect(secrets().map(({ name }) => name)).toEqual(["source:secret"]);
    const kept = at.kept().replace(/"secret":"[^"]*"/, "");

    const wrong = await at.json("source set secret --token-env WRONG", { WRONG: other });
    expect(wrong).toMatchObject({ exit: 0, answer: { source: { tokenRef: "source:secret" } } });
    expect(await statusOf("secret")).toMatch(/^source\.refused: .*does not accept the token/);
    expect(at.kept().replace(/"secret":"[^"]*"/, "")).toBe(kept);
    await at.json("source set secret --token-env THE_TOKEN", env);
    expect(await statusOf("secret")).toBe("ok");

    const none = await at.json("source set secret --no-token");
    expect(none.answer.source.tokenRef).toBeNull();
    expect(secrets()).toEqual([]);
    expect((await at.run("source show secret")).out).toMatch(/^token +none$/m);
    expect(await statusOf("secret")).toMatch(/^source\.missing: .*give a token/);
    expect((await at.json("source show secret")).answer.states).toEqual({ new: 2 });

    await at.json("source set secret --token-env THE_TOKEN", env);
    expect(secrets()).toHaveLength(1);
    await at.run("source remove secret");
    expect(secrets()).toEqual([]);
    expect(at.leaks(token)).toEqual([]);
  });

  test("the audit says that it was set, and not to what", async () => {
    await add();
    await at.json("source set secret --token-env THE_TOKEN", env);
    const { answer } = await at.json("audit list");
    expect(answer[0]).toMatchObject({ act: "source.changed", details: expect.stringContaining('"changed":["token"]') });
    expect(JSON.stringify(answer)).not.toContain("ghp_");
  });
});
