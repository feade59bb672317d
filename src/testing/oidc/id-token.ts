import {
  constants,
  createHmac,
  sign,
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import type { OidcFault, OidcKey } from "./script.ts";

/** A key under its name in the key set. */
export interface NamedKey extends OidcKey {
  readonly id: string;
}

/** The nth key of the service's own: always the same, so that nothing is left to chance. */
export function ownKey(number: number): OidcKey {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(createHash("sha256").update(`a key for tests ${number}`).digest());
  const point = curve.getPublicKey();
  const [d, x, y] = [curve.getPrivateKey(), point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  const jwk: JsonWebKey = { kty: "EC", crv: "P-256", d: d ?? "", x: x ?? "", y: y ?? "" };
  return { algorithm: "ES256", key: pemOf(createPrivateKey({ key: jwk, format: "jwk" })) };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function publicKeyOf({ key }: OidcKey): KeyObject {
  return createPublicKey(key);
}

export function renderKeySet(keys: readonly NamedKey[]): object {
  const shown = keys.map((key) => ({
    ...publicKeyOf(key).export({ format: "jwk" }),
    kid: key.id,
    alg: key.algorithm,
    use: "sig",
  }));
  // What other services list beside: a key to encrypt with, and one of a kind that nobody knows.
  return { keys: [{ kty: "future", kid: "f" }, ...shown, { kty: "oct", kid: "o", use: "enc", k: "AAAA" }] };
}

/** What a token is made from. */
export interface Issued {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since the epoch. */
  readonly now: number;
  readonly key: NamedKey;
  readonly faults: ReadonlySet<OidcFault>;
}

const elsewhere = "https://elsewhere.example";
const day = 86_400;

export function renderIdToken(issued: Issued): string {
  const signed = `${encode(headerOf(issued))}.${encode(claimsOf(issued))}`;
  return `${signed}.${signatureOf(issued, signed).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function headerOf({ key, faults }: Issued): object {
  const alg = faults.has("unsigned") ? "none" : faults.has("shared-secret") ? "HS256" : key.algorithm;
  const kid = faults.has("key-id") ? "nobody" : key.id;
  return { alg, kid, typ: "JWT", ...(faults.has("critical") ? { crit: ["future"], future: true } : {}) };
}

function claimsOf({ issuer, clientId, nonce, claims, now, faults }: Issued): object {
  const said: Record<string, unknown> = { sub: "1", ...claims, iss: issuer, aud: clientId, nonce };
  const times: Record<string, unknown> = { iat: now, exp: now + 300 };
  if (faults.has("token-issuer")) said["iss"] = elsewhere;
  if (faults.has("audience")) said["aud"] = "another";
  if (faults.has("audiences")) said["aud"] = [clientId, "another"];
  if (faults.has("authorized-party")) said["azp"] = "another";
  if (faults.has("nonce")) said["nonce"] = "of another sign-in";
  if (faults.has("no-nonce")) delete said["nonce"];
  if (faults.has("expired")) Object.assign(times, { exp: now - 61 });
  if (faults.has("issued-later")) Object.assign(times, { iat: now + day, exp: now + 2 * day });
  if (faults.has("issued-before")) Object.assign(times, { iat: now - day });
  if (faults.has("not-yet")) Object.assign(times, { nbf: now + day });
  return faults.has("timeless") ? said : { ...said, ...times };
}

function signatureOf({ key, faults }: Issued, text: string): Buffer {
  if (faults.has("unsigned")) return Buffer.alloc(0);
  if (faults.has("shared-secret")) {
    const pem = publicKeyOf(key).export({ type: "spki", format: "pem" });
    return createHmac("sha256", pem).update(text).digest();
  }
  const signature = signWith(faults.has("other-key") ? { ...key, ...ownKey(1_000_000) } : key, text);
  // Its last bits can be padding: any other byte counts.
  if (faults.has("signature")) signature[0] = (signature[0] ?? 0) ^ 1;
  return signature;
}

function signWith({ algorithm, key }: NamedKey, text: string): Buffer {
  const bytes = Buffer.from(text);
  if (algorithm === "EdDSA") return sign(null, bytes, key);
  if (algorithm === "ES256") return sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return sign("sha256", bytes, algorithm === "PS256" ? { key, padding, saltLength } : key);
}
