import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Outgoing } from "../../core/transport.ts";
import { providerPolicy } from "../../net/policy.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { Issuer } from "./issuer.ts";
import { SignInRefused } from "./sign-in-refused.ts";

const name = "https://id.example.org/realms/house";
const good = {
  issuer: name,
  authorization_endpoint: "https://id.example.org/authorize",
  token_endpoint: "https://id.example.org/token",
  jwks_uri: "https://id.example.org/keys",
};

/** One that answers each request with these words, whatever was asked; and what it was asked. */
function issuerOf(answer: object | string, secret: string | null = null) {
  const asked: Outgoing[] = [];
  const body = typeof answer === "string" ? answer : JSON.stringify(answer);
  const send = async (request: Outgoing) => {
    asked.push(request);
    return { status: 200, headers: { "content-type": "application/json" }, body: Readable.from([Buffer.from(body)]) };
  };
  const settings = { issuer: name, clientId: "me", title: "", claim: "sub", publicUrl: "https://skills.example.org" };
  const policy = providerPolicy(new Map());
  const transport = async () => ({ send });
  return { issuer: new Issuer({ settings, secret, transport, policy, clock: fixedClock() }), asked };
}

const pending = { state: "s", nonce: "n", verifier: "v".repeat(43), begunAt: 0 };

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "believed",
    (error) => (error instanceof SignInRefused ? error.reason : String(error)),
  );
}

describe("SV-11: what an issuer says of itself", () => {
  test("is asked for beside its name, and believed", async () => {
    const { issuer, asked } = issuerOf(good);
    expect(await issuer.metadata()).toMatchObject(good);
    expect(asked).toMatchObject([{ method: "GET", url: `${name}/.well-known/openid-configuration`, body: null }]);
  });

  test.each([
    ["another name", { issuer: "https://evil.example.org" }],
    ["its name with a slash", { issuer: `${name}/` }],
    ["its name in other letters", { issuer: name.replace("id.", "ID.") }],
    ["no name", { issuer: undefined }],
    ["a name that is no URL", { issuer: "house" }],
    ["no keys", { jwks_uri: undefined }],
    ["addresses in a list", { token_endpoint: [good.token_endpoint] }],
    ["plain http for tokens", { token_endpoint: "http://id.example.org/token" }],
    ["plain http on this machine, where no pair allows it", { jwks_uri: "http://127.0.0.1:1/keys" }],
    ["plain http for browsers", { authorization_endpoint: "http://id.example.org/authorize" }],
    ["no URL", { token_endpoint: "/token" }],
    ["a script for browsers", { authorization_endpoint: "javascript:alert(1)" }],
  ])("%s: believed in nothing", async (_what, more) => {
    expect(await reasonOf(issuerOf({ ...good, ...more }).issuer.metadata())).toBe("issuer.invalid");
  });

  test.each(["", "[]", "null", '"x"', "{"])("%j is no description", async (answer) => {
    expect(await reasonOf(issuerOf(answer).issuer.metadata())).toBe("issuer.invalid");
  });
});

describe("SV-11: what is asked for a code", () => {
  const back = "https://skills.example.org/auth/oidc/back";
  const form = { grant_type: "authorization_code", code: "c", redirect_uri: back, code_verifier: pending.verifier };
  // RFC 6749, 2.3.1: each half is written as in a form first.
  const basic = `Basic ${Buffer.from("me:%25+a").toString("base64")}`;

  test.each([
    ["none", null, {}, { client_id: "me" }, undefined],
    ["where nothing is said", "% a", {}, {}, basic],
    ["where both are taken", "% a", { methods: ["client_secret_post", "client_secret_basic"] }, {}, basic],
    [
      "in the form alone",
      "% a",
      { methods: ["client_secret_post"] },
      { client_id: "me", client_secret: "% a" },
      undefined,
    ],
    ["where no list is given", "% a", { methods: "client_secret_post" }, {}, basic],
  ])("our secret: %s", async (_how, secret, { methods }: { methods?: unknown }, more, authorization) => {
    const described = { ...good, token_endpoint_auth_methods_supported: methods };
    const { issuer, asked } = issuerOf(described, secret);
    const reason = await reasonOf(issuer.claimsFor("c", pending, back, new AbortController().signal));
    // It answered with its description, in which there is no token.
    expect(reason).toBe("code.refused");
    const [, { method, url, headers, body } = {}] = asked;
    expect([asked.length, method, url]).toEqual([2, "POST", good.token_endpoint]);
    expect(Object.fromEntries(new URLSearchParams(Buffer.from(body ?? []).toString()))).toEqual({ ...form, ...more });
    expect([headers?.["authorization"], headers?.["user-agent"]]).toEqual([authorization, "skillward"]);
  });
});
