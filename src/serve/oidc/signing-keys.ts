import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { isRecord } from "./json.ts";

/** How a signature is checked, and which keys it can be made with. */
interface Algorithm {
  /** Of the key: `kty`, and for curves `crv`. */
  readonly kind: string;
  isSigned(text: Uint8Array, key: KeyObject, signature: Uint8Array): boolean;
}

/**
 * A closed list: never `none`, and none with a shared secret, for which a public key would do. It is a map, so that no
 * name of a prototype is one of them.
 */
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ["RS256", { kind: "RSA", isSigned: (text, key, signature) => verify("sha256", text, key, signature) }],
  ["PS256", { kind: "RSA", isSigned: isPssSigned }],
  ["ES256", { kind: "EC P-256", isSigned: isCurveSigned }],
  ["EdDSA", { kind: "OKP Ed25519", isSigned: (text, key, signature) => verify(null, text, key, signature) }],
]);

function isPssSigned(text: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return verify("sha256", text, { key, padding, saltLength }, signature);
}

/** RFC 7518: two numbers of 32 bytes, and no other form. */
function isCurveSigned(text: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  return signature.length === 64 && verify("sha256", text, { key, dsaEncoding: "ieee-p1363" }, signature);
}

export function isKnownAlgorithm(name: string): boolean {
  return algorithms.has(name);
}

/** A key with which a service says that it signs. */
export interface SigningKey {
  readonly id: string | null;
  readonly kind: string;
  /** The only algorithm it is for; null: any of its kind. */
  readonly algorithm: string | null;
  readonly key: KeyObject;
}

const mostKeys = 64;

/** The usable keys of a key set; undefined when it is none. What is not for signatures, weak or unknown is passed over. */
export function parseSigningKeys(value: unknown): readonly SigningKey[] | undefined {
  const keys = isRecord(value) ? value["keys"] : undefined;
  return Array.isArray(keys) && keys.length <= mostKeys ? keys.flatMap((key) => signingKeyOf(key) ?? []) : undefined;
}

function signingKeyOf(value: unknown): SigningKey | undefined {
  if (!isRecord(value) || (value["use"] !== undefined && value["use"] !== "sig")) return undefined;
  const { kid, alg } = value;
  const plain = plainKeyOf(value);
  const key = plain && importKey(plain.jwk);
  if (key === undefined || plain === undefined) return undefined;
  const texts = { id: typeof kid === "string" ? kid : null, algorithm: typeof alg === "string" ? alg : null };
  return { ...texts, kind: plain.kind, key };
}

/** The members that make the key, and no other: a private part has no business here. Lengths bound the work. */
function plainKeyOf(value: Readonly<Record<string, unknown>>): { kind: string; jwk: JsonWebKey } | undefined {
  const { kty, crv } = value;
  const text = (name: string, longest: number) => {
    const part = value[name];
    return typeof part === "string" && part.length <= longest ? part : "";
  };
  if (kty === "RSA") return { kind: "RSA", jwk: { kty, n: text("n", 1400), e: text("e", 8) } };
  if (kty === "EC" && crv === "P-256")
    return { kind: "EC P-256", jwk: { kty, crv, x: text("x", 44), y: text("y", 44) } };
  if (kty === "OKP" && crv === "Ed25519") return { kind: "OKP Ed25519", jwk: { kty, crv, x: text("x", 44) } };
  return undefined;
}

const leastBits = 2048;

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? leastBits;
    return bits >= leastBits ? key : undefined;
  } catch {
    // What is no key cannot have signed anything.
    return undefined;
  }
}

/** The one key that a token can have been signed with; undefined when there is none, or more than one. */
export function keyFor(keys: readonly SigningKey[], algorithm: string, id: string | null): SigningKey | undefined {
  const kind = algorithms.get(algorithm)?.kind;
  const fitting = keys.filter(
    (key) =>
      key.kind === kind && (key.algorithm === null || key.algorithm === algorithm) && (id === null || key.id === id),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

export function isSignedWith(key: SigningKey, algorithm: string, text: Uint8Array, signature: Uint8Array): boolean {
  const known = algorithms.get(algorithm);
  return known !== undefined && known.kind === key.kind && known.isSigned(text, key.key, signature);
}
