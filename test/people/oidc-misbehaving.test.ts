import { describe, expect, test } from "vitest";
import type { OidcEndpoint, OidcFault } from "../../src/testing/oidc/script.ts";
import { handTimer, until } from "../support/loopback.ts";
import { oidcRoom, outcome, refused, sharedOidcRoom } from "./oidc-room.ts";
import { generateKeyPairSync } from "node:crypto";

const faults: readonly [OidcFault, reason: string][] = [
  ["discovery-issuer", "issuer.invalid"],
  ["answer-issuer", "answer.issuer"],
  ["token-issuer", "token.issuer"],
  ["audience", "token.audience"],
  ["audiences", "token.audience"],
  ["authorized-party", "token.audience"],
  ["expired", "token.time"],
  ["issued-later", "token.time"],
  ["issued-before", "token.time"],
  ["not-yet", "token.time"],
  ["timeless", "token.time"],
  ["signature", "token.signature"],
  ["other-key", "token.signature"],
  ["key-id", "token.key"],
  ["unsigned", "token.algorithm"],
  ["shared-secret", "token.algorithm"],
  ["critical", "token.malformed"],
  ["nonce", "token.nonce"],
  ["no-nonce", "token.nonce"],
  ["denied", "issuer.refused"],
];

function rsaKey(modulusLength: number): string {
  return generateKeyPairSync("rsa", { modulusLength }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

const endpoints: readonly OidcEndpoint[] = ["discovery", "keys", "token"];

describe("SV-11: a service that misbehaves signs nobody in", () => {
  const shared = sharedOidcRoom();

  test.each(faults)("%s: %s", async (fault, reason) => {
    const room = shared();
    room.oidc.misbehave(fault);
    const isBefore = fault === "discovery-issuer";
    expect(
      await outcome(room, async (browser) =>
        isBefore ? ((await browser.visit("/auth/oidc")).headers.location ?? "") : browser.signIn(),
      ),
    ).toEqual(refused(reason));
    // SV-8: no token, code or claim is written down anywhere.
    for (const secret of ["eyJ", "a code for tests", "a+code", "a%20code", "an access token", "claimed@example.org"])
      expect(room.logged()).not.toContain(secret);
  });

  test("the public key for the secret of an HMAC, where the service signs with RSA", async () => {
    const key = rsaKey(2048);
    const room = await oidcRoom({ issuer: { key: { algorithm: "RS256", key } } });
    room.oidc.misbehave("shared-secret");
    expect(await outcome(room, (browser) => browser.signIn())).toEqual(refused("token.algorithm"));
  });

  test("a key that is too short for RSA signs nothing", async () => {
    const key = rsaKey(1024);
    const room = await oidcRoom({ issuer: { key: { algorithm: "RS256", key } } });
    expect(await outcome(room, (browser) => browser.signIn())).toEqual(refused("token.key"));
  });

  test.each(endpoints.flatMap((endpoint) => (["redirect", "endless"] as const).map((how) => [endpoint, how] as const)))(
    "T4, T7: the endpoint for %s that answers with %s is left alone",
    async (endpoint, how) => {
      const room = shared();
      const since = room.oidc.requests.length;
      room.oidc.misbehave(`${endpoint}-${how}`);
      const act = endpoint === "discovery" ? begin : whole;
      expect(await outcome(room, act)).toEqual(refused("issuer.unreachable"));
      expect(room.oidc.requests.slice(since).filter((request) => request.endpoint === endpoint)).toHaveLength(1);
      expect(room.logged()).toContain('"code":"upstream.invalid"');
    },
  );

  test.each<[OidcFault, string]>([
    ["keys-error", "issuer.invalid"],
    ["keys-garbage", "issuer.invalid"],
    ["token-error", "code.refused"],
    ["token-garbage", "code.refused"],
  ])("%s: %s", async (fault, reason) => {
    const room = shared();
    room.oidc.misbehave(fault);
    expect(await outcome(room, whole)).toEqual(refused(reason));
  });

  test.each<OidcFault>(["discovery-error", "discovery-garbage"])("%s", async (fault) => {
    const room = shared();
    room.oidc.misbehave(fault);
    expect(await outcome(room, begin)).toEqual(refused("issuer.invalid"));
  });

  test("what it did wrong is not kept: once it behaves, people sign in", async () => {
    const room = shared();
    for (const fault of ["discovery-error", "keys-garbage", "token-error"] as const) {
      room.oidc.misbehave(fault);
      await begin(room.browser());
      if (fault !== "discovery-error") expect(await whole(room.browser())).toBe("/#/sign-in/failed");
    }
    room.oidc.misbehave();
    expect(await whole(room.browser())).toBe("/");
  });
});

describe("T7: a service that goes silent", () => {
  const timer = handTimer();
  const shared = sharedOidcRoom({ world: { timer } });

  test.each(endpoints)("is given up at its endpoint for %s, after 15 seconds at the latest", async (endpoint) => {
    const room = shared();
    const since = room.oidc.requests.length;
    room.oidc.misbehave(`${endpoint}-stall`);
    const ended = outcome(room, endpoint === "discovery" ? begin : whole);
    const isSilent = () =>
      room.oidc.requests.slice(since).some((asked) => asked.endpoint === endpoint && asked.status > 0);
    await until(isSilent);
    timer.pass(15_000);
    expect(await ended).toEqual(refused("issuer.unreachable"));
    expect(room.logged()).toContain('"code":"upstream.timeout"');
  });
});

type Acting = Parameters<typeof outcome>[1];
const begin: Acting = async (browser) => (await browser.visit("/auth/oidc")).headers.location ?? "";
const whole: Acting = (browser) => browser.signIn();
