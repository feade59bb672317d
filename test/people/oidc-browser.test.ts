import { describe, expect, test } from "vitest";
import { disableUser, removeUser, addUser } from "../../src/registry/accounts/users.ts";
import { call } from "../support/http-serving.ts";
import { Browser, type OidcRoom, oidcRoom, outcome, refused, sharedOidcRoom } from "./oidc-room.ts";
import { ada } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const shared = sharedOidcRoom();
const cookie = "__Host-skillward-oidc";
const ended = async (browser: Browser, path: string) => (await browser.visit(path)).headers.location ?? "";

/** What another one, who may sign in, comes back with. */
async function begunBy(room: OidcRoom): Promise<{ browser: Browser; back: string }> {
  const browser = room.browser();
  return { browser, back: await browser.signInThere() };
}

/** Somebody who stole a code brings it to a sign-in of their own. */
function withCodeOf({ back }: { readonly back: string }): (browser: Browser) => Promise<string> {
  return async (browser) => {
    const own = new URLSearchParams((await browser.signInThere()).split("?")[1]);
    own.set("code", new URLSearchParams(back.split("?")[1]).get("code") ?? "");
    return ended(browser, `/auth/oidc/back?${own.toString()}`);
  };
}

describe("SV-11: a browser is signed in by what it began itself, once", () => {
  test("T37: without the cookie, an answer is nobody's", async () => {
    const room = shared();
    const since = room.oidc.requests.length;
    const { back } = await begunBy(room);
    expect(await outcome(room, (browser) => ended(browser, back))).toEqual(refused("cookie.missing"));
    expect(room.oidc.requests.slice(since).some(({ endpoint }) => endpoint === "token")).toBe(false);
  });

  test("T37: with another sign-in of its own, it is not signed in by somebody else's answer", async () => {
    const room = shared();
    const since = room.oidc.requests.length;
    const { back } = await begunBy(room);
    expect(
      await outcome(room, async (browser) => {
        await browser.signInThere();
        const location = await ended(browser, back);
        // Whoever is sent here by another page keeps what they have begun.
        expect([...browser.cookies.keys()]).toEqual([cookie]);
        return location;
      }),
    ).toEqual(refused("state.mismatch"));
    expect(room.oidc.requests.slice(since).some(({ endpoint }) => endpoint === "token")).toBe(false);
  });

  test("T37: another browser's cookie beside its own: twice is not once", async () => {
    const room = shared();
    const [one, other] = [await begunBy(room), await begunBy(room)];
    expect(
      await outcome(room, async (browser) => {
        browser.cookies.set(
          cookie,
          `${other.browser.cookies.get(cookie)}; ${cookie}=${one.browser.cookies.get(cookie)}`,
        );
        return ended(browser, one.back);
      }),
    ).toEqual(refused("cookie.missing"));
  });

  test("T37: a neighbour's cookie whose name only looks like ours is not what it began, alone or beside its own", async () => {
    const room = shared();
    const [one, other] = [await begunBy(room), await begunBy(room)];
    // Headers are sent byte by byte: this is the single byte A0.
    const planted = `\u00a0${cookie}`;
    expect(
      await outcome(room, async (browser) => {
        browser.cookies.set(planted, one.browser.cookies.get(cookie) ?? "");
        return ended(browser, one.back);
      }),
    ).toEqual(refused("cookie.missing"));
    other.browser.cookies.set(planted, one.browser.cookies.get(cookie) ?? "");
    expect(await ended(other.browser, other.back)).toBe("/");
  });

  test("an answer is good once: also where the service gives a token for a code as often as one likes", async () => {
    const room = shared();
    room.oidc.misbehave("codes-again");
    const { browser, back } = await begunBy(room);
    const kept = browser.cookies.get(cookie) ?? "";
    expect(await ended(browser, back)).toBe("/");
    const asked = room.oidc.requests.length;
    expect(
      await outcome(room, async (again) => {
        again.cookies.set(cookie, kept);
        return ended(again, back);
      }),
    ).toEqual(refused("state.used"));
    expect(room.oidc.requests.length).toBe(asked);
  });

  test("of two answers at the same moment one signs in", async () => {
    const room = shared();
    room.oidc.misbehave("codes-again");
    const { browser, back } = await begunBy(room);
    const twin = room.browser();
    twin.cookies.set(cookie, browser.cookies.get(cookie) ?? "");
    const sessions = room.content()["sessions"]?.length ?? 0;
    const endings = await Promise.all([ended(browser, back), ended(twin, back)]);
    expect(endings.toSorted()).toEqual(["/", "/#/sign-in/failed"]);
    expect(room.content()["sessions"]).toHaveLength(sessions + 1);
  });

  test("a code that was used is good for nothing on another node either", async () => {
    const room = shared();
    const { browser, back } = await begunBy(room);
    const other = new Browser(await room.another());
    other.cookies.set(cookie, browser.cookies.get(cookie) ?? "");
    expect(await ended(browser, back)).toBe("/");
    const before = room.content();
    expect(await ended(other, back)).toBe("/#/sign-in/failed");
    expect([other.session, room.reasons(), room.content()]).toEqual([undefined, ["code.refused"], before]);
  });

  test("a code for another verifier is good for nothing: PKCE", async () => {
    const room = shared();
    const one = await begunBy(room);
    expect(await outcome(room, withCodeOf(one))).toEqual(refused("code.refused"));
  });

  test("and where the service does not look at the verifier, the nonce is another one", async () => {
    const room = shared();
    room.oidc.misbehave("any-verifier");
    const one = await begunBy(room);
    expect(await outcome(room, withCodeOf(one))).toEqual(refused("token.nonce"));
  });

  test("after ten minutes a sign-in is over, whatever the browser has kept", async () => {
    const room = shared();
    const { browser, back } = await begunBy(room);
    room.home.clock.advance(600_000);
    const kept = browser.cookies.get(cookie) ?? "";
    expect(await ended(browser, back)).toBe("/");
    const later = await begunBy(room);
    room.home.clock.advance(600_001);
    expect(
      await outcome(room, async (again) => {
        again.cookies.set(cookie, later.browser.cookies.get(cookie) ?? kept);
        return ended(again, later.back);
      }),
    ).toEqual(refused("cookie.invalid"));
  });

  test.each([
    ["a changed letter", (sealed: string) => sealed.replace(/.(?=.{30}$)/, (letter) => (letter === "A" ? "B" : "A"))],
    ["nothing", () => ""],
    ["something else", () => "e30.e30.e30"],
    ["very much", (sealed: string) => sealed + "A".repeat(2000)],
  ])("a cookie with %s is not ours", async (_what, changed) => {
    const room = shared();
    const { browser, back } = await begunBy(room);
    expect(
      await outcome(room, async (again) => {
        again.cookies.set(cookie, changed(browser.cookies.get(cookie) ?? ""));
        return ended(again, back);
      }),
    ).toEqual(refused("cookie.invalid"));
  });

  test.each([
    ["no state", (query: URLSearchParams) => query.delete("state"), "state.mismatch"],
    ["two states", (query: URLSearchParams) => query.append("state", query.get("state") ?? ""), "state.mismatch"],
    ["no code", (query: URLSearchParams) => query.delete("code"), "answer.invalid"],
    ["two codes", (query: URLSearchParams) => query.append("code", "x"), "answer.invalid"],
    ["no issuer", (query: URLSearchParams) => query.delete("iss"), "answer.issuer"],
    ["an error", (query: URLSearchParams) => query.set("error", "x"), "issuer.refused"],
    ["a place to go", (query: URLSearchParams) => query.set("state", "https://evil.example"), "state.mismatch"],
  ])("an answer with %s signs nobody in", async (_what, change, reason) => {
    const room = shared();
    expect(
      await outcome(room, async (browser) => {
        const query = new URLSearchParams((await browser.signInThere()).split("?")[1]);
        change(query);
        return ended(browser, `/auth/oidc/back?${query.toString()}`);
      }),
    ).toEqual(refused(reason));
  });

  test("never an open redirect: what a request names as a place to go is not looked at", async () => {
    const room = shared();
    const evil =
      "?redirect=https://evil.example&next=//evil.example&return_to=https://evil.example&redirect_uri=https://evil.example";
    const browser = room.browser();
    const begun = new URL((await browser.visit(`/auth/oidc${evil}`)).headers.location ?? "");
    expect([begun.origin, begun.href.includes("evil")]).toEqual([room.oidc.issuer, false]);
    expect(await ended(browser, `/auth/oidc/back${evil}`)).toBe("/#/sign-in/failed");
    expect(await ended(browser, `${await browser.signInThere()}&${evil.slice(1)}`)).toBe("/");
  });
});

describe("SV-11: only users whom an admin added are signed in", () => {
  test.each([
    ["nobody here", { preferred_username: "mallory" }, "user.unknown"],
    ["no such claim", { name: "ada" }, "claim.invalid"],
    ["a list", { preferred_username: ["ada"] }, "claim.invalid"],
    ["an object", { preferred_username: { toString: "ada" } }, "claim.invalid"],
    ["nothing", { preferred_username: "" }, "claim.invalid"],
    ["an address of mail", { preferred_username: "ada@example.org" }, "claim.invalid"],
    ["a key", { preferred_username: "key:ada" }, "claim.invalid"],
    ["the machine", { preferred_username: "machine:root" }, "claim.invalid"],
    ["somebody beside", { preferred_username: "ada\u200b" }, "claim.invalid"],
    ["a letter that only looks like one", { preferred_username: "\u0430da" }, "claim.invalid"],
  ])("%s", async (_who, claims, reason) => {
    const room = shared();
    room.oidc.signedIn(claims);
    expect(await outcome(room, (browser) => browser.signIn())).toEqual(refused(reason));
  });

  test("what every object has is no claim", async () => {
    const room = await oidcRoom({ more: "    claim: constructor\n" });
    expect(await outcome(room, (browser) => browser.signIn())).toEqual(refused("claim.invalid"));
  });

  test("the Kelvin sign is no k", async () => {
    const room = shared();
    await addUser(room.app.accounts, allow(ada), { name: "kim", role: "admin", password: "a password of nobody" });
    room.oidc.signedIn({ preferred_username: "\u212aim" });
    expect(await outcome(room, (browser) => browser.signIn())).toEqual(refused("claim.invalid"));
  });

  test("somebody who was disabled or removed", async () => {
    const room = shared();
    const { accounts } = room.app;
    await addUser(accounts, allow(ada), { name: "ben", role: "admin", password: "a password of nobody" });
    room.oidc.signedIn({ preferred_username: "ben" });
    expect(await room.browser().signIn()).toBe("/");
    await disableUser(accounts, allow(ada), "ben");
    expect(await outcome(room, (browser) => browser.signIn())).toEqual(refused("user.unknown"));
    await removeUser(accounts, allow(ada), "ben");
    expect(await room.browser().signIn()).toBe("/#/sign-in/failed");
  });

  test("T18: a user whose row was written by hand", async () => {
    const room = await oidcRoom();
    await room.home.sql("UPDATE users SET role = 'reader'");
    expect(await outcome(room, (browser) => browser.signIn())).toEqual(refused("user.unknown"));
  });
});

describe("SV-4: cookies of a sign-in", () => {
  test("on the machine itself without TLS, under a plain name", async () => {
    const room = shared();
    const { headers } = await room.browser().visit("/auth/oidc", `localhost:${room.port}`);
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(/^skillward-oidc=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test.each(["/auth/oidc", "/auth/oidc/back?state=x&code=y"])(
    "in plain from elsewhere there are none: %s",
    async (path) => {
      const room = shared();
      const origin = "http://skills.example.org";
      const { headers } = await call(room, path, { headers: { host: "skills.example.org", origin } });
      expect([headers.location, room.reasons()]).toEqual(["/#/sign-in/failed", ["channel.plain"]]);
    },
  );

  test("T41: whoever is sent here without having begun takes nobody's place, as often as a page of others likes", async () => {
    const room = shared();
    const stranger = room.browser();
    for (let at = 0; at < 61; at++)
      expect(await ended(stranger, "/auth/oidc/back?state=x&code=y")).toBe("/#/sign-in/failed");
    expect(await room.browser().signIn()).toBe("/");
  });

  test("T41: who fails too often is not heard for a while, and nothing is asked of the service any more", async () => {
    const room = shared();
    room.oidc.misbehave("token-error");
    for (let at = 0; at < 60; at++) expect(await room.browser().signIn()).toBe("/#/sign-in/failed");
    const asked = room.oidc.requests.length;
    room.oidc.misbehave();
    expect(await ended(room.browser(), "/auth/oidc")).toBe("/#/sign-in/failed");
    expect([room.oidc.requests.length, room.reasons().at(-1)]).toEqual([asked, "too-many"]);
    room.home.clock.advance(60_000);
    expect(await room.browser().signIn()).toBe("/");
  });
});
