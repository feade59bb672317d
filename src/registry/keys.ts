import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { AppError } from "../core/error.ts";
import { isSameText } from "../core/same-text.ts";
import { storedText } from "../core/text.ts";
import type { Randomness } from "../core/world.ts";
import { type KeyFile, keyPair } from "./key-file.ts";

/** The keys of a store, from the key file outside the database (RV-3, T18, T40). Old ones verify and decrypt only. */
export interface Keys {
  readonly signing: { readonly id: string; readonly key: KeyObject };
  readonly trusted: ReadonlyMap<string, KeyObject>;
  /** The newest secret first. */
  readonly secrets: ReadonlyMap<string, Uint8Array>;
}

export function loadKeys(file: KeyFile): Keys {
  const [active] = file.signing;
  if (active?.seed === undefined) throw new AppError("keys.unusable", "the key file has no active signing key");
  const trusted = file.signing.map(({ id, public: raw }) => [id, publicKey(raw)] as const);
  return {
    signing: { id: active.id, key: keyPair(Buffer.from(active.seed, "base64")).privateKey },
    trusted: new Map(trusted),
    secrets: new Map(file.secrets.map(({ id, key }) => [id, Buffer.from(key, "base64")])),
  };
}

function publicKey(raw: string): KeyObject {
  return createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(raw, "base64").toString("base64url") },
    format: "jwk",
  });
}

export interface Signature {
  /** Which key: an id of the key file. */
  readonly key: string;
  readonly signature: string;
}

export function signText(keys: Keys, text: string): Signature {
  return { key: keys.signing.id, signature: sign(null, Buffer.from(text), keys.signing.key).toString("base64") };
}

/** False for a key that the key file does not name: a public key found anywhere else is nobody's (T18). */
export function isSigned(keys: Keys, text: string, { key, signature }: Signature): boolean {
  const trusted = keys.trusted.get(key);
  const bytes = Buffer.from(signature, "base64");
  // One signature, one spelling: otherwise a row could change and still be signed.
  if (trusted === undefined || bytes.toString("base64") !== signature) return false;
  return verify(null, Buffer.from(text), trusted, bytes);
}

/** A mark that only a holder of the key file can make, for rows that are derived or that grant something (T17). */
export function sealText(keys: Keys, text: string): string {
  return sealWith(newestSecret(keys), text);
}

/** Whether a mark was made with the newest secret: else it is of before a rotation. */
export function isNewest(keys: Keys, seal: string): boolean {
  return seal.split(".")[0] === newestSecret(keys)[0];
}

export function isSealed(keys: Keys, text: string, seal: string): boolean {
  const mark = storedText(seal);
  const [id = ""] = mark.split(".");
  const secret = keys.secrets.get(id);
  return secret !== undefined && isSameText(mark, sealWith([id, secret], text));
}

function sealWith([id, secret]: readonly [string, Uint8Array], text: string): string {
  return `${id}.${createHmac("sha256", derivedKey(secret, "seal")).update(text).digest("base64url")}`;
}

/** What boundaries in prompts are made with (CO-3): the same on all nodes, known to no author of a skill. */
export function compositionKey(keys: Keys): Uint8Array {
  return derivedKey(newestSecret(keys)[1], "compose");
}

/** Names what a ciphertext belongs to: table, id, version, and for a provider its origin (T40, RV-13). */
export type Belonging = readonly [table: string, id: string, version: number, origin?: string];

/** AES-256-GCM; the result opens only for the very record it was made for. */
export function encrypt(keys: Keys, random: Randomness, text: string, of: Belonging): string {
  const [id, secret] = newestSecret(keys);
  const nonce = random.bytes(12);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(secret, "encrypt"), nonce);
  cipher.setAAD(Buffer.from(JSON.stringify(of)));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [id, Buffer.from(nonce).toString("base64url"), sealed.toString("base64url")].join(".");
}

export function decrypt(keys: Keys, encrypted: string, of: Belonging): string {
  const [id = "", nonce = "", sealed = ""] = storedText(encrypted).split(".");
  const secret = keys.secrets.get(id);
  if (secret === undefined) throw new AppError("keys.unusable", `the key file has no secret "${id.slice(0, 16)}"`);
  const bytes = Buffer.from(sealed, "base64url");
  try {
    if (`${id}.${nonce}.${bytes.toString("base64url")}` !== encrypted) throw new TypeError("another spelling");
    // A tag that may be shorter can be guessed.
    const whole = { authTagLength: 16 };
    const key = derivedKey(secret, "encrypt");
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"), whole);
    decipher.setAAD(Buffer.from(JSON.stringify(of)));
    decipher.setAuthTag(bytes.subarray(-16));
    return decipher.update(bytes.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new AppError("keys.unusable", `the secret of ${of[0]} ${of[1]} does not belong to this record`, { cause });
  }
}

function newestSecret(keys: Keys): readonly [string, Uint8Array] {
  const [newest] = keys.secrets;
  if (newest === undefined) throw new AppError("keys.unusable", "the key file has no secret");
  return newest;
}

const derived = new WeakMap<Uint8Array, Map<string, Uint8Array>>();

/** One purpose, one key: what is known of one says nothing about another. */
function derivedKey(secret: Uint8Array, purpose: "seal" | "encrypt" | "compose"): Uint8Array {
  const known = derived.get(secret) ?? new Map<string, Uint8Array>();
  derived.set(secret, known);
  const key = known.get(purpose) ?? new Uint8Array(hkdfSync("sha256", secret, "", `skillward ${purpose}`, 32));
  known.set(purpose, key);
  return key;
}
