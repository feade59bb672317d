import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import type { OidcKey } from "./script.ts";

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

export function publicKeyOf({ key }: OidcKey): KeyObject {
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
