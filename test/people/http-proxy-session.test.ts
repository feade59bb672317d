import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { disableUser } from "../../src/registry/accounts/users.ts";
import { passwordAlone } from "../../src/server/door.ts";
import { Browser } from "./http-browser.ts";
import { type Started, startTestServer } from "../support/http-serving.ts";
import { ada } from "../support/registry.ts";
import { browserWith, password, putUser } from "./session-room.ts";
import { allow } from "../support/permits.ts";

let server: Started;
beforeEach(async () => {
  // Stands for a proxy that is trusted: whom it has let in is in a header.
  const proxyUser = ({ headers }: { headers: Record<string, unknown> }) =>
    typeof headers["x-user"] === "string" ? headers["x-user"] : undefined;
  server = await startTestServer({ ways: { ...passwordAlone, proxyUser }, bounds: { triesPerPair: 3 } });
  for (const name of ["ann", "bob"]) await putUser(server.serving.accounts, name, "operator");
});
afterEach(() => server.stop());

const everything = () => structuredClone(server.serving.accounts.kept.rows);
const come = (browser: Browser, user: string | undefined, path = "/api/session", method = "GET") =>
  browser.call(method, path, { headers: { "x-user": user } });
const named = async (browser: Browser, user: string | undefined) => (await come(browser, user)).json().person?.name;

describe("SV-11: whom a trusted proxy has let in", () => {
  test("SV-11: is signed in with the first page, once, and signs out of it", async () => {
    const browser = new Browser(server);
    expect(await named(browser, "ann")).toBe("ann");
    const { cookie } = browser;
    expect([await named(browser, "ann"), browser.cookie]).toEqual(["ann", cookie]);
    expect(everything().audit.slice(-1)).toMatchObject([
      { act: "session.opened", by: "ann", details: '{"way":"proxy"}' },
    ]);
    const thief = browser.copy();
    expect((await come(browser, "ann", "/api/session", "DELETE")).status).toBe(200);
    expect((await come(thief, "ann", "/api/session", "DELETE")).status).toBe(401);
  });

  test("T37: the session counts only while the proxy says the same of the same request", async () => {
    const browser = new Browser(server);
    await come(browser, "ann");
    for (const user of [undefined, "bob", "Ann"]) {
      const { status } = await come(browser.copy(), user, "/api/injections/inj_x");
      expect([user, status]).toEqual([user, 401]);
    }
    expect((await come(browser, "ann", "/api/injections/inj_x")).status).toBe(404);
    expect(await named(browser.copy(), undefined)).toBeUndefined();
  });

  test("T37: somebody else at the same browser is somebody else, and the session of before is over", async () => {
    const browser = new Browser(server);
    await come(browser, "ann");
    const anns = browser.copy();
    expect(await named(browser, "bob")).toBe("bob");
    expect((await come(anns, "ann", "/api/injections/inj_x")).status).toBe(401);
  });

  test("T38: who has no account, or may not, is nobody; and a session by password stays what it is", async () => {
    await disableUser(server.serving.accounts, allow(ada), "bob");
    const before = everything();
    for (const user of ["nobody", "bob", "", "a b"]) expect(await named(new Browser(server), user)).toBeUndefined();
    expect(everything()).toEqual(before);
    const browser = browserWith(server, await server.serving.sessions.open("ann", "password"));
    expect(await named(browser, "bob")).toBe("ann");
    expect(await named(browser, undefined)).toBe("ann");
  });

  test("T37: nothing is opened for another site, in plain from elsewhere, or beside a key", async () => {
    const before = everything();
    const visit = (headers: Record<string, string>) =>
      new Browser(server).call("GET", "/api/session", { headers: { "x-user": "ann", ...headers } });
    expect((await visit({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    const keyed = await visit({ "x-api-key": server.serving.keys.reader });
    expect([keyed.status, keyed.json().person, keyed.headers["set-cookie"]]).toEqual([200, null, undefined]);
    expect(everything()).toEqual(before);
  });

  test("T41: whoever keeps no cookie does not fill the store", async () => {
    const replies: number[] = [];
    for (let at = 0; at < 10; at++) replies.push((await come(new Browser(server), "ann")).status);
    expect(replies).toEqual([200, 200, 200, ...Array(7).fill(429)]);
    expect(everything().sessions.size).toBe(3);
    expect(await named(new Browser(server), "bob")).toBe("bob");
  });

  test("SV-11: without a proxy that is trusted the header means nothing", async () => {
    const plain = await startTestServer();
    await putUser(plain.serving.accounts, "ann", "operator");
    expect(await named(new Browser(plain), "ann")).toBeUndefined();
    expect(plain.serving.accounts.kept.rows.sessions.size).toBe(0);
    await plain.stop();
  });

  test("SV-4: whoever came by the proxy changes their password and stays", async () => {
    const browser = new Browser(server);
    await come(browser, "ann");
    const json = { current: password, next: "another one entirely" };
    const headers = { "x-user": "ann" };
    expect((await browser.call("PUT", "/api/session/password", { json, headers })).status).toBe(200);
    expect(await named(browser, "ann")).toBe("ann");
    expect((await come(browser.copy(), undefined, "/api/injections/inj_x")).status).toBe(401);
  });
});
