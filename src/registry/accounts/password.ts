import { scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "../../core/error.ts";
import { countCharacters } from "../../core/text.ts";
import { createSemaphore } from "../../core/async.ts";
import type { Randomness } from "../../core/world.ts";

interface Strength {
  /** The binary logarithm of scrypt's N: memory is 128 · 2^cost · blockSize bytes. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallel: number;
}

interface PasswordHash {
  readonly strength: Strength;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const strength: Strength = { cost: 15, blockSize: 8, parallel: 3 };
const saltBytes = 16;
const hashBytes = 32;

/** The hash to keep of a password that somebody chose (T38). */
export async function hashPassword(password: string, random: Randomness): Promise<string> {
  const normal = normalPassword(password);
  if (normal === undefined) throw new AppError("usage.invalid", "a password must have 12 to 1024 characters");
  const salt = random.bytes(saltBytes);
  return render({ strength, salt, hash: await derive(normal, salt, strength) });
}

/** Letters and digits that nobody takes for another one; 32 of them, so that every byte falls on one evenly. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** A password for somebody who chose none: 100 random bits, to be read out and typed. */
export function createPassword(random: Randomness): string {
  const letters = Array.from(random.bytes(20), (byte) => alphabet[byte % alphabet.length]).join("");
  return letters.replace(/.{5}(?=.)/g, "$&-");
}

/** T38: no hash, or one that cannot be read, costs the same work and is answered the same: no. */
export async function verifyPassword(password: string, encoded: string | undefined): Promise<boolean> {
  const normal = normalPassword(password);
  // Nobody has such a password: this says something about what was typed, nothing about any user.
  if (normal === undefined) return false;
  const kept = encoded === undefined ? undefined : parse(encoded);
  const { strength: used, salt } = kept ?? decoy;
  const given = await derive(normal, salt, used);
  return kept !== undefined && timingSafeEqual(given, kept.hash);
}

const decoy: Omit<PasswordHash, "hash"> = { strength, salt: new Uint8Array(saltBytes) };

const shortest = 12;
const longest = 1024;

/** NFKC, so that a password is the same from every keyboard; bounded first, since normalising a long text is slow. */
function normalPassword(password: string): string | undefined {
  if (password.length > longest * 2) return undefined;
  const normal = password.normalize("NFKC");
  const characters = countCharacters(normal);
  return characters >= shortest && characters <= longest ? normal : undefined;
}

function render({ strength: { cost, blockSize, parallel }, salt, hash }: PasswordHash): string {
  return ["scrypt", cost, blockSize, parallel, base64(salt), base64(hash)].join("$");
}

const form = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

function parse(encoded: string): PasswordHash | undefined {
  const [, cost, blockSize, parallel, salt = "", hash = ""] = form.exec(encoded) ?? [];
  const used = { cost: Number(cost), blockSize: Number(blockSize), parallel: Number(parallel) };
  if (!isBearable(used)) return undefined;
  return { strength: used, salt: Buffer.from(salt, "base64url"), hash: Buffer.from(hash, "base64url") };
}

const least: Strength = { cost: 14, blockSize: 8, parallel: 1 };
const most: Strength = { cost: 16, blockSize: 8, parallel: 4 };

/** A row says how much work is done for it, so the row does not have the last word. */
function isBearable({ cost, blockSize, parallel }: Strength): boolean {
  return (
    isWithin(cost, least.cost, most.cost) &&
    isWithin(blockSize, least.blockSize, most.blockSize) &&
    isWithin(parallel, least.parallel, most.parallel)
  );
}

function isWithin(value: number, lowest: number, highest: number): boolean {
  return value >= lowest && value <= highest;
}

/** Just above what `most` takes. */
const mostMemory = 65 * 1024 * 1024;

/** Node's thread pool has four threads and the disk needs them too: two hashes at once in this process. */
const inTurn = createSemaphore(2);

function derive(password: string, salt: Uint8Array, { cost, blockSize, parallel }: Strength): Promise<Uint8Array> {
  const options = { N: 2 ** cost, r: blockSize, p: parallel, maxmem: mostMemory };
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password, salt, hashBytes, options, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
  );
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
