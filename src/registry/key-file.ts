import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { AppError } from "../core/error.ts";
import { isRecord, parseJson } from "../core/json/json.ts";
import type { Randomness } from "../core/world.ts";

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
export function keyPair(seed: Uint8Array): { privateKey: KeyObject; publicRaw: string } {
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
