import { createHash } from "node:crypto";
import type { Randomness } from "../../base/world.ts";
import { decrypt, encrypt, type Keys } from "../../registry/keys.ts";
import { parseRecord, textIn } from "./json.ts";
import { SignInRefused } from "./sign-in-refused.ts";

/** A sign-in that has begun: only the browser that began it has this, and only we can read it. */
export interface Pending {
  /** Comes back with the answer. */
  readonly state: string;
  /** Comes back in the token. */
  readonly nonce: string;
  /** RFC 7636: what the code is good for alone. */
  readonly verifier: string;
  /** Milliseconds since the epoch. */
  readonly begunAt: number;
}

/** Milliseconds for a person to sign in elsewhere. */
export const pendingFor = 600_000;

export function beginSignIn(random: Randomness, now: number): Pending {
  const [state, nonce, verifier] = [secret(random), secret(random), secret(random)];
  return { state, nonce, verifier, begunAt: now };
}

function secret(random: Randomness): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

export function challengeOf({ verifier }: Pending): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

const belonging = (issuer: string) => ["sign-in", "oidc", 1, issuer] as const;

/** Sealed with the key file: any node can finish what another one began. */
export function sealPending(keys: Keys, random: Randomness, issuer: string, pending: Pending): string {
  return encrypt(keys, random, JSON.stringify(pending), belonging(issuer));
}

const longest = 1024;

export function openPending(keys: Keys, issuer: string, sealed: string, now: number): Pending {
  const record = parseRecord(Buffer.from(opened(keys, issuer, sealed)));
  const [state, nonce, verifier] = ["state", "nonce", "verifier"].map((name) => record && textIn(record, name));
  const begunAt = record?.["begunAt"];
  if (!state || !nonce || !verifier || typeof begunAt !== "number") throw new SignInRefused("cookie.invalid");
  // A browser may keep a cookie for as long as it likes, and a clock may have been set back.
  if (now - begunAt > pendingFor || now < begunAt) throw new SignInRefused("cookie.invalid");
  return { state, nonce, verifier, begunAt };
}

function opened(keys: Keys, issuer: string, sealed: string): string {
  if (sealed.length > longest) throw new SignInRefused("cookie.invalid");
  try {
    return decrypt(keys, sealed, belonging(issuer));
  } catch (cause) {
    throw new SignInRefused("cookie.invalid", { cause });
  }
}
