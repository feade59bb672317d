import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { lookAtSession } from "../../src/registry/accounts/sessions.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import type { OidcKey } from "../../src/testing/oidc/script.ts";
import { Browser, oidcRoom, publicUrl, sharedOidcRoom } from "./oidc-room.ts";

const pem = { type: "pkcs8", format: "pem" } as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export(pem).toString();
const edwards = generateKeyPairSync("ed25519").privateKey.export(pem).toString();

describe("SV-11: signing in through OpenID Connect", () => {
  const shared = sharedOidcRoom();

  test("the whole way: there with PKCE, state and nonce, and back with a session", async () => {
    const room = shared();
    const browser = room.browser();
    const begun = await browser.visit("/auth/oidc");
    const there = new URL(begun.headers.location ?? "");
    expect([begun.status, there.origin, there.pathname]).toEqual([302, room.oidc.issuer, "/authorize"]);
    expect(Object.fromEntries(there.searchParams)).toEqual({
      tenant: "house",
      response_type: "code",
      client_id: "skillward",
      redirect_uri: `${publicUrl}/auth/oidc/back`,
      scope: "openid profile",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const [pending = ""] = begun.headers["set-cookie"] ?? [];
    expect(pending).toMatch(
      /^__Host-skillward-oidc=[\w.-]{100,}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    for (const secret of ["state", "nonce", "code_challenge"])
      expect(pending).not.toContain(there.searchParams.get(secret));

    const back = await browser.visit(await browser.signInThere());
    expect([back.status, back.headers.location, back.text]).toEqual([303, "/", ""]);
    expect(back.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-skillward=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
      "__Host-skillward-oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
    ]);
    expect([...browser.cookies.keys()]).toEqual(["__Host-skillward"]);
    expect(await lookAtSession(room.app.accounts, browser.session ?? "")).toMatchObject({
      person: { name: "ada", role: "admin" },
      way: "oidc",
    });
    const session = (await browser.visit("/api/session")).json();
    expect(session).toMatchObject({ person: { name: "ada" }, ways: { oidc: { title: "Single sign-on" } } });
    expect(room.reasons()).toEqual([]);
  });

  test.each<[OidcKey["algorithm"], OidcKey | undefined]>([
    ["ES256", undefined],
    ["RS256", { algorithm: "RS256", key: rsa }],
    ["PS256", { algorithm: "PS256", key: rsa }],
    ["EdDSA", { algorithm: "EdDSA", key: edwards }],
  ])("a token that is signed with %s", async (_algorithm, key) => {
    const room = shared();
    room.oidc.rotate(key);
    expect(await room.browser().signIn()).toBe("/");
  });

  test.each(["client_secret_basic", "client_secret_post"] as const)("we prove who we are by %s", async (proof) => {
    const secret = "s3cret: of + the % client&";
    const room = await oidcRoom({ issuer: { secret, proof, clientId: "skill:ward" }, secret });
    expect(await room.browser().signIn()).toBe("/");
    expect(room.logged()).not.toContain("s3cret");
    const { headers, fields } = room.oidc.requests.findLast(({ endpoint }) => endpoint === "token") ?? {};
    expect([headers?.authorization === undefined, fields?.["client_secret"] === undefined]).toEqual(
      proof === "client_secret_basic" ? [false, true] : [true, false],
    );
  });

  test("without our secret, where the service wants one, nobody is signed in", async () => {
    const room = await oidcRoom({ issuer: { secret: "right" }, secret: "wrong" });
    expect([await room.browser().signIn(), room.reasons()]).toEqual(["/#/sign-in/failed", ["code.refused"]]);
  });

  test("capitals in the claim do not count, and which claim it is is configured", async () => {
    const room = await oidcRoom({ more: "    claim: https://example.org/login\n    title: House account\n" });
    room.oidc.signedIn({ preferred_username: "nobody", "https://example.org/login": "ADA" });
    const browser = room.browser();
    expect(await browser.signIn()).toBe("/");
    expect((await browser.visit("/api/session")).json().ways.oidc).toEqual({ title: "House account" });
  });

  test("any node can finish what another has begun", async () => {
    const room = shared();
    const [here, there] = [room.browser(), new Browser(await room.another())];
    const back = await here.signInThere();
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    expect((await there.visit(back)).headers.location).toBe("/");
  });

  test("description and keys are asked for once in ten minutes, whoever signs in", async () => {
    const room = shared();
    const since = room.oidc.requests.length;
    const asked = () => room.oidc.requests.slice(since).filter(({ endpoint }) => /discovery|keys/.test(endpoint));
    const endings = await Promise.all([1, 2, 3, 4].map(() => room.browser().signIn()));
    expect([endings, asked().length]).toEqual([["/", "/", "/", "/"], 2]);
    room.home.clock.advance(599_999);
    expect([await room.browser().signIn(), asked().length]).toEqual(["/", 2]);
    room.home.clock.advance(1);
    expect([await room.browser().signIn(), asked().length]).toEqual(["/", 4]);
  });

  test("a new key of the service is found when a token comes with it; one that nobody has is asked for once in 30 seconds", async () => {
    const room = shared();
    const since = room.oidc.requests.length;
    const asked = () => room.oidc.requests.slice(since).filter(({ endpoint }) => endpoint === "keys").length;
    expect([await room.browser().signIn(), asked()]).toEqual(["/", 1]);
    room.oidc.rotate();
    room.home.clock.advance(30_000);
    expect([await room.browser().signIn(), asked()]).toEqual(["/", 2]);
    room.oidc.misbehave("key-id");
    for (let at = 0; at < 5; at++) expect(await room.browser().signIn()).toBe("/#/sign-in/failed");
    expect([room.reasons(), asked()]).toEqual([Array(5).fill("token.key"), 2]);
    room.home.clock.advance(30_000);
    for (let at = 0; at < 5; at++) expect(await room.browser().signIn()).toBe("/#/sign-in/failed");
    expect(asked()).toBe(3);
  });

  test("without a service configured there is no such door", async () => {
    const room = shared();
    const { app } = room;
    const signIn = { ...app.config.signIn, oidc: null };
    const plain = { ...app, config: { ...app.config, signIn } };
    const server = await serveApp(plain, { host: "127.0.0.1", port: 0, log: { write: () => {} } });
    try {
      const browser = new Browser(server.port);
      expect([(await browser.visit("/auth/oidc")).status, (await browser.visit("/auth/oidc/back")).status]).toEqual([
        404, 404,
      ]);
    } finally {
      await server.stop();
    }
  });

  test("invariant 4: a service on a private address that nobody allowed is said at the start", async () => {
    const room = shared();
    const { app } = room;
    const network = { private: new Map() };
    const held = { ...app, config: { ...app.config, network } };
    const since = room.oidc.requests.length;
    await expect(serveApp(held, { host: "127.0.0.1", port: 0, log: { write: () => {} } })).rejects.toThrow(
      "plain http is for loopback addresses in `network.private` only",
    );
    expect(room.oidc.requests.length).toBe(since);
  });
});
