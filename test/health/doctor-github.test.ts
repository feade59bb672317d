import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { FakeGitHub, FaultKind } from "../../src/testing/github/script.ts";
import { DoctorRoom, impatient } from "./doctor-room.ts";
import { closedOrigin } from "../support/closed-port.ts";
import { serve } from "../support/loopback.ts";
import { skillText } from "../support/registry.ts";

const token = "ghp_onlyForItsOwnGitHub0123456789abcdef";

let github: FakeGitHub;
/** Of a source without a token, and of one with it. */
let open: DoctorRoom;
let known: DoctorRoom;
let start = 0;

beforeAll(async () => {
  github = await startGitHub();
  const files = { "pdf/SKILL.md": skillText("pdf") };
  await (await github.repository("acme/skills")).push(files);
  await (await github.repository("acme/secret", { private: { token } })).push(files);
  [open, known] = await Promise.all([roomOf("acme/skills", null), roomOf("acme/secret", token)]);
});
afterAll(async () => {
  await Promise.all([open.home.remove(), known.home.remove()]);
  await github.close();
});

beforeEach(() => {
  start = github.requests.length;
});
afterEach(() => {
  github.limit(null);
  for (const room of [open, known]) room.configure(github.configuration("here"));
});

async function roomOf(repository: string, secret: string | null): Promise<DoctorRoom> {
  const room = await DoctorRoom.open();
  room.configure(github.configuration("here"));
  await addSource(await room.home.open(), repository, { id: "skills", token: secret ?? undefined });
  await room.home.close();
  return room;
}

/** What this test has had asked about limits. */
function asked() {
  return github.requests.slice(start).filter(({ path }) => path === "/rate_limit");
}

const tokensSent = () => asked().map(({ headers }) => headers["authorization"]);

/** Ten minutes from now, as limits are told. */
const reset = () => open.home.clock.now() / 1000 + 600;
const resetText = () => new Date(open.home.clock.now() + 600_000).toISOString();

describe("SV-10: a GitHub that a source is of", () => {
  test("SV-10: is asked once how much is left, with the token of its own source; a GitHub of none is not asked", async () => {
    const other = await startGitHub();
    const [sets = "", pairs = ""] = other
      .configuration("there")
      .replace("github:\n", "")
      .split("network:\n  private:\n");
    known.configure(`${github.configuration("here").replace("network:", `${sets}network:`)}${pairs}`);
    github.limit(41, reset());
    const { host } = new URL(github.api);
    const left = `41 of 5000 requests left with the token of source skills, counted anew at ${resetText()}`;
    expect(await known.said()).toEqual([`ok github: ${host} answers: ${left}`]);
    expect([tokensSent(), other.requests]).toEqual([[`Bearer ${token}`], []]);
    await other.close();
  });

  test("SV-10: without a token it is asked as anybody; one that counts nothing is fine", async () => {
    expect(await open.said()).toEqual([
      expect.stringMatching(/^ok github: .* 5000 of 5000 requests left without a token$/),
    ]);
    expect(tokensSent()).toEqual([undefined]);
    github.next({ how: { status: 404, body: JSON.stringify({ message: "Rate limiting is not enabled." }) } });
    expect(await open.said()).toEqual([expect.stringMatching(/^ok github: .* answers, and counts no requests$/)]);
  });

  test("IN-11: none left is said with the moment from which on there are more", async () => {
    github.limit(0, reset());
    const [check] = await open.elsewhere();
    const says = expect.stringContaining(`allows no more requests until ${resetText()}`);
    expect(check).toMatchObject({ state: "warn", says, todo: expect.stringContaining("--token-env") });
    const [withToken] = await known.elsewhere();
    expect(withToken).toMatchObject({ state: "warn", says, todo: expect.stringContaining("--interval") });
  });

  const faults: readonly (readonly [string, FaultKind, RegExp])[] = [
    ["500", { status: 500 }, /answered 500 when asked for its limits/],
    ["404", { status: 404 }, /answered 404 when asked for its limits/],
    ["a page for people", "not-json", /not JSON/],
    ["other JSON", { status: 200, body: '{"resources":{"core":{"limit":"many"}}}' }, /malformed: rate_limit/],
    ["numbers that are none", { status: 200, body: '{"resources":{"core":{"reset":-1}}}' }, /malformed: rate_limit/],
    ["bytes without end", "endless", /more than 65536 bytes/],
    ["a bomb", "bomb", /more than|larger/],
    ["half an answer", "cut", /closed the connection/],
    ["a limit without words", { status: 429 }, /allows no more requests/],
  ];
  test.each(faults)("SV-10: that answers %s is something to look at, after one request", async (_name, how, says) => {
    github.next({ on: /rate_limit/, how });
    const [check, ...others] = await open.elsewhere();
    expect([check?.state, others]).toEqual(["warn", []]);
    expect(check?.says).toMatch(says);
    expect(check?.todo).toMatch(/\w/);
    expect(asked()).toHaveLength(1);
  });

  test("T4: that points elsewhere is not followed, and nobody else hears of the token", async () => {
    const elsewhere = await serve(null);
    known.configure(github.configuration("here"), [elsewhere.origin]);
    for (const redirect of [301, 302, 303, 307, 308] as const) {
      github.next({ on: /rate_limit/, how: { redirect, to: `${elsewhere.origin}/rate_limit?token=${token}` } });
      const [check] = await known.elsewhere();
      expect([check?.state, check?.says]).toEqual(["warn", expect.stringContaining("redirects are not followed")]);
    }
    expect([asked().length, elsewhere.bytes(), elsewhere.connections.length]).toEqual([5, 0, 0]);
  });

  test("SV-10: that does not answer is given up", async () => {
    github.next({ on: /rate_limit/, how: "stall" });
    const [line] = await open.said({ timer: impatient(() => asked().length > 0) });
    expect(line).toMatch(/^warn github: .* did not answer within 3 seconds$/);
  });

  test("SV-10: where nobody listens is said with what to do", async () => {
    const hostOf = (origin: string) => JSON.stringify(new URL(origin).host);
    const configuration = github.configuration("here").replace(`api: ${github.api}\n`, `api: ${closedOrigin}\n`);
    open.configure(configuration.replace(hostOf(github.api), hostOf(closedOrigin)));
    const [check] = await open.elsewhere();
    expect(check).toMatchObject({ state: "warn", says: expect.stringContaining("nobody listens there") });
    expect(check?.todo).toContain("`github` in the configuration");
  });

  test.each<readonly [string, FaultKind]>([
    ["401", { status: 401, body: JSON.stringify({ message: `Bad credentials: ${token}` }) }],
    ["403", { status: 403, body: JSON.stringify({ message: `no right for ${token}` }) }],
    ["500", { status: 500, body: JSON.stringify({ message: Buffer.from(token).toString("base64") }) }],
    ["a redirect to it", { redirect: 302, to: `https://${token.replaceAll("_", "-")}.example.org/` }],
  ])("T9: whatever it says of the token with %s, it is in nothing that is shown", async (name, how) => {
    github.next({ on: /rate_limit/, how });
    const diagnosis = await known.look();
    const found = diagnosis.checks.find((check) => check.name === "github");
    expect(found?.state).toBe("warn");
    if (name === "401") expect(found?.says).toMatch(/does not accept the token of source skills$/);
    const shown = JSON.stringify(diagnosis);
    expect(shown.toLowerCase()).not.toContain("onlyforitsowngithub");
    expect(shown).not.toContain(Buffer.from(token).toString("base64").slice(0, 16));
  });

  test("T9: a token whose source was changed by hand goes nowhere; that is said, and it is asked as anybody", async () => {
    const copy = await known.home.copy();
    await copy.sql("UPDATE sources SET record = replace(record, 'acme/secret', 'evil/secret')");
    const { checks } = await new DoctorRoom(copy).look();
    expect(checks.filter((check) => check.name === "github").map(({ state, says }) => `${state} ${says}`)).toEqual([
      expect.stringMatching(/^warn the token of source "skills" cannot be used/),
      expect.stringMatching(/^ok .* without a token/),
    ]);
    expect(tokensSent()).toEqual([undefined]);
  });
});
