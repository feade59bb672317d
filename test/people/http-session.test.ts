import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../../src/core/digest.ts";
import { disableUser, resetPassword, setRole } from "../../src/registry/accounts/users.ts";
import { version } from "../../src/core/version.ts";
import type { Browser } from "./http-browser.ts";
import { callRaw } from "../support/http-serving.ts";
import { ada } from "../support/registry.ts";
import { browserWith, openSessionRoom, password, putUser, type SessionRoom } from "./session-room.ts";
import { allow } from "../support/permits.ts";

let room: SessionRoom;
const [minute, hour] = [60_000, 3_600_000];
const publicOrigin = "https://skills.example.org";
const another = "another one entirely";

beforeAll(async () => {
  room = await openSessionRoom();
});
afterAll(() => room.close());
beforeEach(async () => {
  // Whatever a test before has tried or changed is over.
  room.folder.clock.advance(24 * hour);
  await putUser(room.app.accounts, "bob", "operator");
});

const operators = ["read", "operate"];

/** Whoever holds this cookie reads and writes nothing, and nothing comes of trying. */
async function expectDead(browser: Browser): Promise<void> {
  const before = room.everything();
  const thief = browser.copy();
  const read = await thief.copy().call("GET", "/api/audit");
  const written = await thief
    .copy()
    .call("PUT", "/api/session/password", { json: { current: password, next: another } });
  expect([read.status, written.status]).toEqual([401, 401]);
  expect(await thief.whoami()).toBeNull();
  expect(thief.cookie).toBeUndefined();
  expect(room.everything()).toEqual(before);
}

/** Used by whoever sits at it; that is written down once it was answered. */
async function used(browser: Browser, headers = {}): Promise<string | undefined> {
  const { json } = await browser.call("GET", "/api/session", { headers });
  // The writer takes one after the other.
  await room.app.kept.transaction(async () => {});
  return json().person?.name;
}

describe("SV-4: signing in", () => {
  test("T37: a cookie for this browser alone, a token for its pages, and what one may", async () => {
    const browser = room.browser();
    const nobody = { person: null, token: null, isFirst: false, ways: { password: true, oidc: null }, version };
    expect((await browser.call("GET", "/api/session")).json()).toEqual(nobody);
    const { headers, json } = await browser.signIn("bob", password);
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(/^skillward=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const person = { name: "bob", role: "operator", rights: operators };
    expect(json()).toEqual({ ...nobody, person, token: expect.stringMatching(/^[\w-]{43}$/) });
    expect((await browser.call("GET", "/api/session")).json()).toEqual(json());
    expect((await browser.call("GET", "/api/users")).json()).toMatchObject({ code: "auth.forbidden" });
    expect(room.audited(1)).toEqual([
      { act: "session.opened", by: "bob", subject: "bob", details: '{"way":"password"}' },
    ]);
  });

  test("T37: through a proxy with TLS the cookie has the prefix that browsers hold to TLS and this host", async () => {
    const browser = await room.signedIn("bob", publicOrigin);
    expect(browser.cookie).toMatch(/^__Host-skillward=/);
    expect(await browser.whoami()).toBe("bob");
    const { headers } = await room.browser(publicOrigin).signIn("bob", password);
    expect(headers["set-cookie"]?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    // Another page under the same domain can set a cookie of the plain name; it is not looked at here.
    browser.cookie = browser.cookie?.replace("__Host-", "");
    expect(await browser.whoami()).toBeNull();
  });

  test("T37: in plain from elsewhere nobody signs in, and no cookie counts", async () => {
    const browser = await room.signedIn("bob", publicOrigin);
    const before = room.everything();
    const plain = room.browser("http://skills.example.org");
    const { status, json } = await plain.call("POST", "/api/session", { json: { name: "bob", password } });
    expect([status, json().detail]).toEqual([403, expect.stringContaining("signing in takes https")]);
    Object.assign(plain, { cookie: browser.cookie?.replace("__Host-", ""), token: browser.token });
    expect((await plain.call("DELETE", "/api/session")).status).toBe(401);
    expect(room.everything()).toEqual(before);
  });

  test("T37: another secret at each sign-in; the former one ends, and one that somebody planted never begins", async () => {
    const browser = await room.signedIn("bob");
    const former = browser.copy();
    await browser.signIn("bob", password);
    expect(browser.cookie).not.toBe(former.cookie);
    expect(room.audited(3).map(({ act }) => act)).toEqual(["session.opened", "session.opened", "session.closed"]);
    await expectDead(former);
    const victim = browserWith(room, "A".repeat(43));
    const planted = victim.copy();
    await victim.signIn("bob", password);
    expect(victim.cookie).not.toBe(planted.cookie);
    await expectDead(planted);
  });

  test("T37: two cookies of the name are none: one of them is somebody else's", async () => {
    const browser = await room.signedIn("bob");
    for (const both of [`${browser.cookie}; ${browser.cookie}`, `skillward=${"A".repeat(43)}; ${browser.cookie}`])
      expect(await Object.assign(browser.copy(), { cookie: both }).whoami()).toBeNull();
    expect(await Object.assign(browser.copy(), { cookie: `a=b; ${browser.cookie}; c` }).whoami()).toBe("bob");
  });

  test("T37: a name that only looks blank before ours is another name, which a neighbour can set", async () => {
    for (const origin of [undefined, publicOrigin]) {
      const browser = await room.signedIn("bob", origin);
      const cookie = browser.cookie ?? "";
      const stranger = cookie.replace(/=.*/, `=${"A".repeat(43)}`);
      const host = origin === undefined ? `localhost:${room.port}` : new URL(origin).host;
      // As bytes: no client would send these as they are.
      const whoami = async (sent: string) => {
        const head = `GET /api/session HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncookie: ${sent}\r\n\r\n`;
        const [, body = ""] = (await callRaw(room, Buffer.from(head, "latin1"))).split("\r\n\r\n");
        return JSON.parse(body).person?.name ?? null;
      };
      for (const blank of ["\u00a0", "\u00a0 ", "\u0085"]) expect(await whoami(`${blank}${cookie}`)).toBeNull();
      expect(await whoami(cookie.replace("=", "\u00a0="))).toBeNull();
      expect(await whoami(`\u00a0${stranger}; ${cookie}`)).toBe("bob");
      expect(await whoami(`${cookie};\u00a0${stranger}`)).toBe("bob");
      expect(await whoami(`a=b;\t ${cookie} \t;c=d`)).toBe("bob");
      // All that stands behind the name is the value, and this one is no secret of ours.
      for (const more of ["=", "=more", "\u00a0"]) expect(await whoami(`${cookie}${more}`)).toBeNull();
    }
  });

  test("SV-8: neither a password nor a secret nor a token is in the log, the audit or any row", async () => {
    const browser = await room.signedIn("bob");
    await browser.call("POST", "/api/session", { json: { name: "bob", password: another } });
    const [, secret = "none"] = browser.cookie?.split("=") ?? [];
    const kept = room.logged() + JSON.stringify(room.everything());
    for (const unseen of [secret, browser.token ?? "none", password, another]) expect(kept).not.toContain(unseen);
    expect(room.logged()).toContain('"route":"POST /api/session","status":200');
  });
});

describe("T37: what ends a session", () => {
  test("signing out: the cookie is taken back, and whoever has copied it has nothing", async () => {
    const browser = await room.signedIn("bob");
    const thief = browser.copy();
    const { status, headers, json } = await browser.call("DELETE", "/api/session");
    expect([status, json().person, headers["set-cookie"]?.[0]]).toEqual([
      200,
      null,
      expect.stringMatching(/Max-Age=0$/),
    ]);
    await expectDead(thief);
  });

  test("disabling, another password by an admin, and removal of the rights of a role, at once", async () => {
    const browser = await room.signedIn("bob");
    await setRole(room.app.accounts, allow(ada), "bob", "reader");
    expect((await browser.call("GET", "/api/session")).json().person).toMatchObject({
      role: "reader",
      rights: ["read"],
    });
    await resetPassword(room.app.accounts, allow(ada), "bob", another);
    await expectDead(browser);
    await browser.signIn("bob", another);
    await disableUser(room.app.accounts, allow(ada), "bob");
    await expectDead(browser);
  });

  test("half an hour without use", async () => {
    const browser = await room.signedIn("bob");
    for (const _ of ["once", "again"]) {
      room.folder.clock.advance(30 * minute - 1);
      expect(await used(browser)).toBe("bob");
    }
    room.folder.clock.advance(30 * minute);
    await expectDead(browser);
  });

  test("half an hour beside a page that only asks by itself; whatever else it asks, it asks as ever", async () => {
    const browser = await room.signedIn("bob");
    const headers = { "x-skillward-background": "1" };
    const byItself = async () => [
      (await browser.call("GET", "/api/skills", { headers })).status,
      (await browser.call("GET", "/api/users", { headers })).status,
      (await browser.call("HEAD", "/api/events")).status,
      (await browser.call("GET", "/api/session", { headers })).json().person?.name,
    ];
    const before = room.everything()["sessions"];
    for (let minutes = 0; minutes < 29; minutes++) {
      expect(await byItself()).toEqual([200, 403, 200, "bob"]);
      room.folder.clock.advance(minute);
    }
    // Had one of them been written down behind its answer, it would be there before this.
    await room.app.kept.transaction(async () => {});
    expect(room.everything()["sessions"]).toEqual(before);
    // What says it otherwise does not say it.
    expect(await used(browser, { "x-skillward-background": "yes" })).toBe("bob");
    room.folder.clock.advance(29 * minute);
    expect(await used(browser)).toBe("bob");
    room.folder.clock.advance(30 * minute);
    expect((await browser.copy().call("GET", "/api/skills", { headers })).status).toBe(401);
    await expectDead(browser);
  });

  test("twelve hours also for what a page asks by itself; and no token, no write", async () => {
    const browser = await room.signedIn("bob");
    const headers = { "x-skillward-background": "1" };
    const unproven = { ...headers, "x-skillward-token": undefined };
    const json = { current: password, next: another };
    expect((await browser.copy().call("PUT", "/api/session/password", { json, headers: unproven })).status).toBe(403);
    for (let times = 0; times < 35; times++) {
      room.folder.clock.advance(20 * minute);
      expect(await used(browser)).toBe("bob");
    }
    room.folder.clock.advance(20 * minute);
    expect((await browser.call("GET", "/api/skills", { headers })).status).toBe(401);
  });

  test("a read waits for no writer", async () => {
    const browser = await room.signedIn("bob");
    room.folder.clock.advance(2 * minute);
    let free = () => {};
    const writing = room.app.kept.transaction(() => new Promise<void>((resolve) => (free = resolve)));
    expect(await browser.whoami()).toBe("bob");
    expect((await browser.call("GET", "/api/skills")).status).toBe(200);
    free();
    await writing;
  });

  test("twelve hours with it; that it is used makes no new generation and no audit record", async () => {
    const browser = await room.signedIn("bob");
    const [before, records] = [await room.app.kept.read.generation(), room.everything()["audit"]?.length];
    for (let times = 0; times < 35; times++) {
      room.folder.clock.advance(20 * minute);
      expect(await used(browser)).toBe("bob");
    }
    expect([await room.app.kept.read.generation(), room.everything()["audit"]?.length]).toEqual([before, records]);
    room.folder.clock.advance(20 * minute);
    await expectDead(browser);
  });

  test("T18: a row that was edited or written by hand is nobody's", async () => {
    const browser = await room.signedIn("bob");
    room.folder.sql("UPDATE sessions SET owner = 'ann' WHERE owner = 'bob'");
    await expectDead(browser);
    room.folder.sql("UPDATE sessions SET owner = 'bob' WHERE owner = 'ann'");
    expect(await browser.whoami()).toBe("bob");
    const known = "k".repeat(43);
    const copied = "INSERT INTO sessions SELECT ?, owner, way, created_at, seen_at, seal FROM sessions LIMIT 1";
    room.folder.sql(copied, sha256(Buffer.from(known)));
    await expectDead(browserWith(room, known));
    room.folder.sql("UPDATE sessions SET seen_at = seen_at + 1000");
    await expectDead(browser);
  });
});
