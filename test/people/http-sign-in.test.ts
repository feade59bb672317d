import { afterEach, describe, expect, test } from "vitest";
import { AppError } from "../../src/core/error.ts";
import { firstAdminLink } from "../../src/registry/accounts/first-admin.ts";
import { disableUser } from "../../src/registry/accounts/users.ts";
import { passwordAlone } from "../../src/server/door.ts";
import { watchHashes } from "../../src/testing/watched-hashes.ts";
import { Browser } from "./http-browser.ts";
import { call, type Reply, type Started, startTestServer, until } from "../support/http-serving.ts";
import { ada } from "../support/registry.ts";
import { browserWith, password, putUser } from "./session-room.ts";
import { allow } from "../support/permits.ts";

let server: Started;
afterEach(() => server.stop());

const another = "another one entirely";
const everything = () => structuredClone(server.serving.accounts.kept.rows);
const signIn = (name: string, tried: string, headers: Record<string, string> = {}) =>
  call(server, "/api/session", { json: { name, password: tried }, headers });

/** How often which status came. */
function sumOf(replies: readonly Reply[]): Record<number, number> {
  const sums: Record<number, number> = {};
  for (const { status } of replies) sums[status] = (sums[status] ?? 0) + 1;
  return sums;
}

describe("T38: guessing passwords", () => {
  test("T38: 1,000 wrong tries on one account cost four hashes; health is answered meanwhile, and keys work", async () => {
    server = await startTestServer({ bounds: { triesPerPair: 4 } });
    await putUser(server.serving.accounts, "ann", "admin");
    const before = everything();
    const replies: Reply[] = [];
    const { started, mostAtOnce } = await watchHashes(async () => {
      for (let at = 0; at < 1000; at += 100) {
        const tries = Array.from({ length: 100 }, (_, each) => signIn("ann", `${another} ${at + each}`));
        const [health, right] = [
          call(server, "/healthz"),
          call(server, "/metrics", { key: server.serving.keys.reader }),
        ];
        expect([(await health).status, (await right).status]).toEqual([200, 200]);
        replies.push(...(await Promise.all(tries)));
      }
    });
    expect(sumOf(replies)).toEqual({ 401: 4, 429: 996 });
    expect([started, mostAtOnce <= 2]).toEqual([4, true]);
    expect(everything()).toEqual(before);
    // Not even the right one, until a try is due again.
    const { status, headers, json } = await signIn("ann", password);
    expect([status, headers["retry-after"], json().code]).toEqual([429, "15", "request.too-many"]);
    server.clock.advance(15_000);
    expect((await signIn("ann", password)).status).toBe(200);
    expect((await signIn("ann", password)).status).toBe(429);
    expect(server.door.loginThrottle.size).toEqual({ pairs: 1, accounts: 1, addresses: 1 });
  });

  test("T38: behind a proxy each has their own address; who guesses keeps nobody else out, and forging one is no use", async () => {
    server = await startTestServer({ proxies: ["127.0.0.1"] });
    await putUser(server.serving.accounts, "ann", "admin");
    const from = (address: string) => ({ "x-forwarded-for": address });
    const { sessions } = server.serving;
    // The hash is not what is looked at here.
    sessions.signIn = (name, tried) =>
      tried === password ? sessions.open(name, "password") : Promise.reject(new AppError("auth.failed", "wrong"));
    const replies: Reply[] = [];
    for (let at = 0; at < 200; at++) replies.push(await signIn(`guess-${at}`, another, from(`10.9.${at}.1, 10.0.0.1`)));
    for (let at = 0; at < 50; at++) replies.push(await signIn("ann", another, from(`10.9.${at}.1, 10.0.0.2`)));
    expect(sumOf(replies)).toEqual({ 401: 40, 429: 210 });
    expect((await signIn("ann", password, from("10.0.0.1"))).status).toBe(429);
    expect((await signIn("ann", password, from("10.0.0.3"))).status).toBe(200);
  });

  test("T38: whoever is not behind a proxy of ours is at the address they have, whatever they say", async () => {
    server = await startTestServer({ proxies: ["10.1.2.3"], bounds: { triesPerAddress: 3 } });
    const { started } = await watchHashes(async () => {
      for (let at = 0; at < 50; at++)
        await signIn(`guess-${at}`, another, { "x-forwarded-for": `10.0.0.${at}, 10.1.2.3` });
    });
    expect(started).toBe(3);
  });

  test("T38: one address with a new name each time gets no further", async () => {
    server = await startTestServer({ bounds: { triesPerAddress: 3 } });
    await putUser(server.serving.accounts, "ann", "admin");
    const before = everything();
    const replies: Reply[] = [];
    const { started } = await watchHashes(async () => {
      for (let at = 0; at < 300; at++) replies.push(await signIn(at % 2 === 0 ? "ann" : `guess-${at}`, another));
    });
    expect([started, sumOf(replies)]).toEqual([3, { 401: 3, 429: 297 }]);
    expect(everything()).toEqual(before);
    // Whoever is signed in already goes on.
    const browser = browserWith(server, await server.serving.sessions.open("ann", "password"));
    expect(await browser.whoami()).toBe("ann");
  });

  test("T38: no more than so many are worked on at once, whoever asks", async () => {
    server = await startTestServer({ bounds: { triesAtOnce: 3 } });
    const { sessions } = server.serving;
    const working: (() => void)[] = [];
    sessions.signIn = () =>
      new Promise((_, reject) => working.push(() => reject(new AppError("auth.failed", "wrong"))));
    const first = [signIn("a", another), signIn("b", another), signIn("c", another)];
    await until(() => working.length === 3);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, each) => signIn(`guess-${each}`, another)));
    expect([sumOf(replies), replies[0]?.headers["retry-after"], working.length]).toEqual([{ 429: 20 }, "1", 3]);
    for (const end of working.splice(0)) end();
    expect(sumOf(await Promise.all(first))).toEqual({ 401: 3 });
    const later = signIn("later", another);
    await until(() => working.length === 1);
    working[0]?.();
    expect((await later).status).toBe(401);
  });

  test("T38: unknown, disabled, tampered and wrong are answered alike, after the same work", async () => {
    server = await startTestServer();
    const { accounts } = server.serving;
    for (const name of ["ann", "bob", "eve"]) await putUser(accounts, name, "admin");
    await disableUser(accounts, allow(ada), "bob");
    const eve = accounts.kept.rows.users.get("eve");
    if (eve !== undefined) accounts.kept.rows.users.set("eve", { ...eve, role: "reader" });
    const before = everything();
    const answers: unknown[] = [];
    for (const [name, tried] of [
      ["ann", another],
      ["nobody", password],
      ["Not A Name", password],
      ["bob", password],
      ["eve", password],
    ] as const) {
      const { started } = await watchHashes(async () => {
        const { status, headers, json } = await signIn(name, tried, { "x-request-id": "one-and-the-same" });
        answers.push([status, { ...headers, date: "" }, json()]);
      });
      expect([name, started]).toEqual([name, 1]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject([401, {}, { detail: "the name or the password is wrong" }]);
    expect(everything()).toEqual(before);
  });

  test("T41: what is no name and password is refused before any work, and so is a body that is too large", async () => {
    server = await startTestServer();
    const before = everything();
    const odd = [{}, { name: "ann" }, { name: "a".repeat(65), password }, { name: "ann", password: "x".repeat(2049) }];
    const { started } = await watchHashes(async () => {
      for (const json of odd) expect((await call(server, "/api/session", { json })).status).toBe(400);
      const large = { name: "ann", password, more: "x".repeat(64 * 1024) };
      expect((await call(server, "/api/session", { json: large })).status).toBe(413);
      expect((await call(server, "/api/first", { json: large })).status).toBe(413);
    });
    expect([started, server.door.loginThrottle.size.accounts, everything()]).toEqual([0, 0, before]);
  });

  test("SV-11: where passwords are switched off, none is looked at", async () => {
    server = await startTestServer({ ways: { ...passwordAlone, password: false } });
    await putUser(server.serving.accounts, "ann", "admin");
    const { started } = await watchHashes(async () => expect((await signIn("ann", password)).status).toBe(403));
    expect(started).toBe(0);
    expect((await call(server, "/api/session")).json().ways).toEqual({ password: false, oidc: null });
  });
});

describe("SV-4: one's own password", () => {
  const change = (browser: Browser, current: string, chosen: string) =>
    browser.call("PUT", "/api/session/password", { json: { current, next: chosen } });

  test("T37: takes the current one; every other session ends, this one goes on with another secret", async () => {
    server = await startTestServer();
    const { sessions, accounts } = server.serving;
    await putUser(accounts, "ann", "reader");
    const browser = browserWith(server, await sessions.open("ann", "password"));
    const elsewhere = browserWith(server, await sessions.open("ann", "password"));
    const before = everything();
    const former = browser.copy();
    const wrong = await change(browser, another, "yet another password");
    expect([wrong.status, wrong.json().detail]).toEqual([401, "the name or the password is wrong"]);
    expect((await change(browser, password, "short")).status).toBe(400);
    expect(everything()).toEqual(before);

    expect((await change(browser, password, another)).json().person.name).toBe("ann");
    expect(browser.cookie).not.toBe(former.cookie);
    expect([await browser.whoami(), await former.whoami(), await elsewhere.whoami()]).toEqual(["ann", null, null]);
    expect(everything().audit.slice(before.audit.length)).toMatchObject([
      { act: "user.changed", by: "ann", subject: "ann", details: '{"password":"replaced","seal":2}' },
      { act: "session.opened", by: "ann" },
    ]);
    expect([(await signIn("ann", password)).status, (await signIn("ann", another)).status]).toEqual([401, 200]);
  });

  test("T38: whoever sits at somebody's open browser guesses no better than at the sign-in", async () => {
    server = await startTestServer({ bounds: { triesPerPair: 3 } });
    await putUser(server.serving.accounts, "ann", "reader");
    const browser = browserWith(server, await server.serving.sessions.open("ann", "password"));
    const replies: Reply[] = [];
    const { started } = await watchHashes(async () => {
      for (let at = 0; at < 30; at++) replies.push(await change(browser, `${another} ${at}`, "yet another password"));
    });
    expect([started, sumOf(replies)]).toEqual([3, { 401: 3, 429: 27 }]);
  });
});

describe("RV-12: the first admin", () => {
  const start = async () => {
    server = await startTestServer();
    const { accounts } = server.serving;
    accounts.kept.rows.users.clear();
    const link = (await firstAdminLink({ ...accounts, store: "store" }, "http://localhost")) ?? "";
    return { token: link.split("#/first/")[1] ?? "" };
  };
  const first = (browser: Browser, token: string, name: string) =>
    browser.call("POST", "/api/first", { json: { token, name, password } });

  test("RV-12: opens the link, is made and signed in at once; the link is over, and not in the log", async () => {
    const { token } = await start();
    const browser = new Browser(server);
    expect((await browser.call("GET", "/api/session")).json()).toMatchObject({ person: null, isFirst: true });
    const { status, json } = await first(browser, token, "ann");
    expect([status, json().person, json().isFirst]).toEqual([
      200,
      { name: "ann", role: "admin", rights: ["read", "operate", "review", "administer"] },
      false,
    ]);
    expect(await browser.whoami()).toBe("ann");
    const before = everything();
    const late = await first(new Browser(server), token, "eve");
    expect([late.status, late.json().code, late.headers["set-cookie"]]).toEqual([401, "auth.failed", undefined]);
    expect(everything()).toEqual(before);
    expect(server.log()).not.toContain(token);
    expect(JSON.stringify(everything().audit)).not.toContain(token);
  });

  test("RV-12: of two at once one is made; what is made up costs no hash and is slowed down", async () => {
    const { token } = await start();
    const before = everything();
    const { started } = await watchHashes(async () => {
      const tries = Array.from({ length: 40 }, (_, at) => first(new Browser(server), `${token}${at}`, "eve"));
      const { 401: wrong = 0, 429: slowed = 0 } = sumOf(await Promise.all(tries));
      expect([wrong + slowed, wrong <= 30]).toEqual([40, true]);
    });
    expect([started, everything()]).toEqual([0, before]);
    server.clock.advance(60_000);
    const replies = await Promise.all(["ann", "bob"].map((name) => first(new Browser(server), token, name)));
    expect(sumOf(replies)).toEqual({ 200: 1, 401: 1 });
    expect([...everything().users.values()].filter(({ role }) => role === "admin")).toHaveLength(1);
  });
});
