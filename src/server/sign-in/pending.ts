import { parseRecord, textIn } from "../../core/json/json.ts";
import type { Randomness } from "../../core/world.ts";
import { decrypt, encrypt, type Keys } from "../../registry/keys.ts";
import type { RequestEnd, Wire } from "../door.ts";
import { cookiesOf } from "../guard/session-cookie.ts";
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
const pendingFor = 600_000;

export function beginSignIn(random: Randomness, now: number): Pending {
  const [state, nonce, verifier] = [secret(random), secret(random), secret(random)];
  return { state, nonce, verifier, begunAt: now };
}

function secret(random: Randomness): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

const belonging = (issuer: string) => ["sign-in", "oidc", 1, issuer] as const;

type Ends = Wire["Bindings"];

/** Sealed with the key file: any node can finish what another one began. */
export function givePending(ends: Ends, keys: Keys, random: Randomness, issuer: string, pending: Pending): void {
  setCookie(ends, encrypt(keys, random, JSON.stringify(pending), belonging(issuer)), pendingFor / 1000);
}

export function takePending(ends: Ends): void {
  setCookie(ends, "", 0);
}

function setCookie(ends: Ends, value: string, seconds: number): void {
  const secure = ends.exchange.channel === "https" ? "; Secure" : "";
  const cookie = `${nameFor(ends)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  ends.outgoing.appendHeader("set-cookie", cookie);
}

/**
 * The cookie that keeps a sign-in which has begun. Lax, since the browser comes back from another site. Over TLS its name
 * binds it to this very host: a neighbour under the same domain could else plant one of their own, and have somebody signed
 * in as them.
 */
function nameFor({ exchange }: RequestEnd): string {
  return exchange.channel === "https" ? "__Host-skillward-oidc" : "skillward-oidc";
}

/** The sign-in that this browser began. */
export function readPending(end: RequestEnd, keys: Keys, issuer: string, now: number): Pending {
  const [sealed, ...more] = cookiesOf(end, nameFor(end));
  // Where there are two, one is not ours.
  if (sealed === undefined || more.length > 0) throw new SignInRefused("cookie.missing");
  const record = parseRecord(Buffer.from(opened(keys, issuer, sealed)));
  const [state, nonce, verifier] = ["state", "nonce", "verifier"].map((name) => record && textIn(record, name));
  const begunAt = record?.["begunAt"];
  if (!state || !nonce || !verifier || typeof begunAt !== "number") throw new SignInRefused("cookie.invalid");
  // A browser may keep a cookie for as long as it likes, and a clock may have been set back.
  if (now - begunAt > pendingFor || now < begunAt) throw new SignInRefused("cookie.invalid");
  return { state, nonce, verifier, begunAt };
}

const longest = 1024;

function opened(keys: Keys, issuer: string, sealed: string): string {
  if (sealed.length > longest) throw new SignInRefused("cookie.invalid");
  try {
    return decrypt(keys, sealed, belonging(issuer));
  } catch (cause) {
    throw new SignInRefused("cookie.invalid", { cause });
  }
}
