import { createHash, createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fixedClock } from "../fixed-clock.ts";
import { startOidc } from "./oidc.ts";
import type { FakeOidc } from "./script.ts";

const clock = fixedClock();
const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");
const back = "https://client.example/back";
const asked = {
  tenant: "house",
  response_type: "code",
  client_id: "skillward",
  redirect_uri: back,
  scope: "openid",
  state: "s",
  nonce: "n",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

let oidc: FakeOidc;
beforeAll(async () => void (oidc = await startOidc({ clock })));
afterAll(() => oidc.close());
beforeEach(() => oidc.misbehave());

async function authorize(more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const url = `${oidc.issuer}/authorize?${new URLSearchParams({ ...asked, ...more }).toString()}`;
  return fetch(url, { redirect: "manual" });
}

async function codeOf(): Promise<string> {
  return new URL((await authorize()).headers.get("location") ?? "").searchParams.get("code") ?? "";
}

async function token(code: string, more: Readonly<Record<string, string>> = {}) {
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: back,
    client_id: "skillward",
    code_verifier: verifier,
  };
  const answer = await fetch(`${oidc.issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({ ...form, ...more }),
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

async function read(path: string) {
  return JSON.parse(await (await fetch(`${oidc.issuer}/${path}`)).text());
}

/** The claims of a token whose signature fits a key of the set. */
async function claimsOf(text: string): Promise<Record<string, unknown>> {
  const [head = "", body = "", signature = ""] = text.split(".");
  const { kid } = JSON.parse(Buffer.from(head, "base64url").toString());
  const { keys } = await read("keys");
  const named = keys.find((each: { kid: string }) => each.kid === kid);
  if (named === undefined) throw new Error("no such key");
  const key = createPublicKey({ key: named, format: "jwk" });
  const signed = { key, dsaEncoding: "ieee-p1363" } as const;
  const isSigned = verify("sha256", Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, "base64url"));
  if (!isSigned) throw new Error("not signed");
  return JSON.parse(Buffer.from(body, "base64url").toString());
}

describe("an OpenID Connect service for tests", () => {
  test("describes itself under its own name", async () => {
    expect(await read(".well-known/openid-configuration")).toMatchObject({
      issuer: oidc.issuer,
      token_endpoint: `${oidc.issuer}/token`,
      jwks_uri: `${oidc.issuer}/keys`,
    });
  });

  test("sends the browser back with a code and the state, and gives a signed token for it, once", async () => {
    oidc.signedIn({ preferred_username: "ada" });
    const location = new URL((await authorize()).headers.get("location") ?? "");
    expect([location.origin + location.pathname, location.searchParams.get("state")]).toEqual([back, "s"]);
    const code = location.searchParams.get("code") ?? "";
    const { status, json } = await token(code);
    const at = clock.now() / 1000;
    expect([status, await claimsOf(json.id_token)]).toEqual([
      200,
      { sub: "1", preferred_username: "ada", iss: oidc.issuer, aud: "skillward", nonce: "n", iat: at, exp: at + 300 },
    ]);
    expect(await token(code)).toEqual({ status: 400, json: { error: "invalid_grant" } });
  });

  test.each([
    ["another verifier", { code_verifier: "w".repeat(43) }, "invalid_grant"],
    ["another redirect address", { redirect_uri: "https://evil.example" }, "invalid_grant"],
    ["another client", { client_id: "other" }, "invalid_client"],
    ["another grant", { grant_type: "password" }, "invalid_grant"],
  ])("gives none for %s", async (_what, more, error) => {
    expect((await token(await codeOf(), more)).json).toEqual({ error });
  });

  test.each([
    { client_id: "other" },
    { code_challenge_method: "plain" },
    { scope: "profile" },
    { response_type: "token" },
  ])("sends nobody back who asks for %j", async (more) => {
    expect((await authorize(more)).status).toBe(400);
  });

  test("signs with another key after a rotation, and forgets the one before", async () => {
    const { json } = await token(await codeOf());
    oidc.rotate();
    await expect(claimsOf(json.id_token)).rejects.toThrow("no such key");
    expect(await claimsOf((await token(await codeOf())).json.id_token)).toMatchObject({ aud: "skillward" });
  });

  test("misbehaves as it is told to, until it is told to behave", async () => {
    oidc.misbehave("signature", "keys-error");
    expect((await fetch(`${oidc.issuer}/keys`)).status).toBe(500);
    oidc.misbehave("signature");
    const { json } = await token(await codeOf());
    await expect(claimsOf(json.id_token)).rejects.toThrow("not signed");
    oidc.misbehave();
    expect(await claimsOf((await token(await codeOf())).json.id_token)).toMatchObject({ nonce: "n" });
  });

  test("keeps every request", async () => {
    const since = oidc.requests.length;
    await token(await codeOf());
    expect(oidc.requests.slice(since)).toMatchObject([
      { endpoint: "authorize", status: 302, fields: { nonce: "n" } },
      { endpoint: "token", status: 200, fields: { code_verifier: verifier } },
    ]);
  });
});
