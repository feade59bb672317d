import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { keyFor, parseIdToken, parseKeySet, verifyIdToken } from "./id-token.ts";
import { SignInRefused } from "./sign-in-refused.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const now = 1_000_000_000;
const expected = { issuer: "https://id.example.org", clientId: "me", nonce: "n", begunAt: now, now };
const good = {
  iss: "https://id.example.org",
  aud: "me",
  nonce: "n",
  iat: now / 1000,
  exp: now / 1000 + 60,
  name: "ada",
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function tokenOf(claims: object, header?: object): string {
  return signedOf(JSON.stringify(claims), header);
}

function signedOf(claims: string, header: object = { alg: "ES256", kid: "k" }): string {
  const text = `${encode(header)}.${Buffer.from(claims).toString("base64url")}`;
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

function setOf(key: KeyObject, more: object = {}): object {
  return { ...createPublicKey(key).export({ format: "jwk" }), kid: "k", ...more };
}

/** The name in the token, or why it is not believed. */
async function read(token: string, keys: readonly object[] = [setOf(privateKey)], wanted = expected): Promise<unknown> {
  try {
    const parsed = parseIdToken(token);
    const known = parseKeySet({ keys });
    const key = known && (await keyFor(known, parsed));
    return key === undefined ? "token.key" : (await verifyIdToken(parsed, key, wanted))["name"];
  } catch (error) {
    if (error instanceof SignInRefused) return error.reason;
    throw error;
  }
}

describe("SV-11: an ID token", () => {
  test("is believed as it was signed, and with any other letter not", async () => {
    const token = tokenOf(good);
    expect(await read(token)).toBe("ada");
    for (let at = 0; at < token.length; at++) {
      const letter = token[at] === "A" ? "B" : "A";
      expect(await read(`${token.slice(0, at)}${letter}${token.slice(at + 1)}`)).toMatch(/^token\./);
    }
  });

  test.each([
    ["another client", { aud: "you" }, "token.audience"],
    ["a list with us", { aud: ["me"] }, "ada"],
    ["a list without us", { aud: ["you"] }, "token.audience"],
    ["nobody", { aud: undefined }, "token.audience"],
    ["an empty list", { aud: [] }, "token.audience"],
    ["an object", { aud: { me: "me" } }, "token.audience"],
    ["others too, given to us", { aud: ["me", "you"], azp: "me" }, "ada"],
    ["others too, given to nobody", { aud: ["me", "you"] }, "token.audience"],
    ["us, given to others", { aud: "me", azp: "you" }, "token.audience"],
    ["us, given to null", { aud: "me", azp: null }, "token.audience"],
  ])("for %s", async (_whom, claims, result) => {
    expect(await read(tokenOf({ ...good, ...claims }))).toBe(result);
  });

  const at = now / 1000;
  test.each([
    ["a moment over", { exp: at - 59 }, "ada"],
    ["over", { exp: at - 60 }, "token.time"],
    ["without an end", { exp: undefined }, "token.time"],
    ["with a text for its end", { exp: String(at + 60) }, "token.time"],
    ["of a moment to come", { iat: at + 60 }, "ada"],
    ["of later", { iat: at + 61 }, "token.time"],
    ["of a moment before", { iat: at - 60 }, "ada"],
    ["of before the sign-in", { iat: at - 61 }, "token.time"],
    ["without a beginning", { iat: undefined }, "token.time"],
    ["good from a moment to come on", { nbf: at + 60 }, "ada"],
    ["good from later on", { nbf: at + 61 }, "token.time"],
    ["good from a text on", { nbf: "0" }, "token.time"],
  ])("%s", async (_when, claims, result) => {
    expect(await read(tokenOf({ ...good, ...claims }))).toBe(result);
  });

  test.each([
    ["", "token.malformed"],
    ["a.b", "token.malformed"],
    ["a.b.c.d.e", "token.malformed"],
    [`${encode([])}.${encode({})}.AA`, "token.malformed"],
    [`${encode({ alg: "ES256" })}.${encode("x")}.AA`, "token.malformed"],
    [`${encode({ alg: "none" })}.${encode(good)}.`, "token.algorithm"],
    [`${encode({ alg: "NONE" })}.${encode(good)}.`, "token.algorithm"],
    [`${encode({ alg: "es256" })}.${encode(good)}.AA`, "token.algorithm"],
    [`${encode({ alg: "HS256" })}.${encode(good)}.AA`, "token.algorithm"],
    [`${encode({ alg: "constructor" })}.${encode(good)}.AA`, "token.algorithm"],
    [`${encode({ alg: ["ES256"] })}.${encode(good)}.AA`, "token.algorithm"],
    [`${encode({ alg: "ES256", kid: "k" })}.${encode(good)}.`, "token.signature"],
    [tokenOf(good, { alg: "RS256", kid: "k" }), "token.key"],
    [`${tokenOf(good)}${"A".repeat(17_000)}`, "token.malformed"],
    [`${tokenOf(good)}==`, "token.malformed"],
    [`${tokenOf(good)} `, "token.malformed"],
    [tokenOf(good, { alg: "ES256", kid: "k", crit: ["b64"], b64: true }), "token.malformed"],
    [tokenOf(good, { alg: "ES256", kid: ["k"] }), "token.key"],
  ])("that is none: %#", async (token, reason) => {
    expect(await read(token)).toBe(reason);
  });

  test.each([
    ["exp", "1e999"],
    ["nbf", "-1e999"],
  ])("a number without an end is no time: %s", async (name, number) => {
    const text = JSON.stringify({ ...good, [name]: 0 }).replace(`"${name}":0`, `"${name}":${number}`);
    expect(JSON.parse(text)[name]).toBe(Number(number));
    expect(await read(signedOf(text))).toBe("token.time");
  });

  test("a signature of the curve in its other form is none", async () => {
    const text = `${encode({ alg: "ES256", kid: "k" })}.${encode(good)}`;
    const der = sign("sha256", Buffer.from(text), privateKey).toString("base64url");
    expect(await read(`${text}.${der}`)).toBe("token.signature");
  });
});

describe("SV-11: the keys of a service", () => {
  const token = tokenOf(good);
  const nameless = tokenOf(good, { alg: "ES256" });
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  test("a token that names no key is for the only one there is, or for none", async () => {
    expect(await read(nameless)).toBe("ada");
    expect(await read(nameless, [setOf(privateKey), setOf(other, { kid: "o" })])).toBe("token.key");
    expect(await read(token, [setOf(privateKey), setOf(other)])).toBe("token.key");
  });

  test.each([
    ["to encrypt with", { use: "enc" }],
    ["for another algorithm", { alg: "ES384" }],
    ["of another curve", { crv: "P-384" }],
    ["of another name", { kid: "K" }],
    ["without a point", { x: undefined }],
    ["with a point beside the curve", { x: Buffer.alloc(32, 7).toString("base64url") }],
  ])("one %s signs nothing", async (_what, more) => {
    expect(await read(token, [setOf(privateKey, more)])).toBe("token.key");
  });

  test.each(["HS256", "ES256"])("a secret that is shared is no key, also not for %s", async (alg) => {
    const shared = parseKeySet({ keys: [{ kty: "oct", kid: "k", k: "AAAA", alg }] });
    expect(await shared?.({ alg, kid: "k" }).catch(() => "no key")).toBe("no key");
    expect(await read(token, [{ kty: "oct", kid: "k", k: "AAAA", alg }])).toBe("token.key");
  });

  test.each([null, [], {}, { keys: {} }, { keys: Array.from({ length: 65 }, () => ({})) }])(
    "%j is no key set",
    (value) => {
      expect(parseKeySet(value)).toBeUndefined();
    },
  );
});
