import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { isSameText } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { isRecord, parseJson } from "../core/json/json.ts";
import { storedText } from "../core/text.ts";
import type { Randomness } from "../core/world.ts";

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

interface Signature {
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

/** The key file: what makes a decision a decision. It lies outside the database, readable by its owner alone. */
export interface KeyFile {
  readonly version: 1;
  /** The active key first, with its seed; the others are retired and verify only (RV-3). */
  readonly signing: readonly { readonly id: string; readonly public: string; readonly seed?: string }[];
  /** The active secret first; the others only open what they have closed (T40). */
  readonly secrets: readonly { readonly id: string; readonly key: string }[];
}

export function createKeyFile(random: Randomness): KeyFile {
  return rotateKeyFile({ version: 1, signing: [], secrets: [] }, random);
}

/** A new active pair and secret before the old ones, whose seed is forgotten: nobody can sign with them again. */
export function rotateKeyFile(file: KeyFile, random: Randomness): KeyFile {
  const seed = random.bytes(32);
  const { publicRaw } = keyPair(seed);
  return {
    version: 1,
    signing: [
      { id: newId(random), public: publicRaw, seed: base64(seed) },
      ...file.signing.map(({ id, public: raw }) => ({ id, public: raw })),
    ],
    secrets: [{ id: newId(random), key: base64(random.bytes(32)) }, ...file.secrets],
  };
}

export function renderKeyFile(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads a key file. What is wrong with it is said, never what is in it. */
export function parseKeyFile(text: string, path: string): KeyFile {
  const refuse = (why: string) => new AppError("keys.unusable", `${path}: ${why}`);
  const file = parseJson(text);
  if (!isRecord(file) || file["version"] !== 1) throw refuse("not a key file of version 1");
  const signing = listOf(file["signing"]).map(parseSigningKey);
  const secrets = listOf(file["secrets"]).map(parseSecret);
  if (signing.includes(undefined) || signing[0]?.seed === undefined)
    throw refuse("`signing` must list keys, the active one first, with its seed");
  if (secrets.includes(undefined) || secrets.length === 0)
    throw refuse("`secrets` must list at least one secret of 32 bytes");
  const ids = [...signing, ...secrets].map((key) => key?.id);
  if (new Set(ids).size !== ids.length) throw refuse("two keys have the same id");
  return {
    version: 1,
    signing: signing.filter((key) => key !== undefined),
    secrets: secrets.filter((key) => key !== undefined),
  };
}

function parseSigningKey(key: unknown): KeyFile["signing"][number] | undefined {
  if (!isRecord(key) || !isId(key["id"]) || !isKey(key["public"])) return undefined;
  const { id, public: raw, seed } = key;
  if (seed === undefined) return { id, public: raw };
  if (!isKey(seed) || keyPair(Buffer.from(seed, "base64")).publicRaw !== raw) return undefined;
  return { id, public: raw, seed };
}

function parseSecret(secret: unknown): KeyFile["secrets"][number] | undefined {
  if (!isRecord(secret) || !isId(secret["id"]) || !isKey(secret["key"])) return undefined;
  return { id: secret["id"], key: secret["key"] };
}

/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/** An Ed25519 pair from its seed, so that the randomness stays the caller's. */
function keyPair(seed: Uint8Array): { privateKey: KeyObject; publicRaw: string } {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return { privateKey, publicRaw: base64(Buffer.from(x, "base64url")) };
}

function newId(random: Randomness): string {
  return Buffer.from(random.bytes(6)).toString("hex");
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [undefined];
}

function isId(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9-]{1,32}$/.test(value);
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && Buffer.from(value, "base64").length === 32;
}
