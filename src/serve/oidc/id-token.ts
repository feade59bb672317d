import { isSameText } from "../../base/same-text.ts";
import { parseRecord, textIn } from "./json.ts";
import { SignInRefused } from "./sign-in-refused.ts";
import { isKnownAlgorithm, isSignedWith, type SigningKey } from "./signing-keys.ts";

type Claims = Readonly<Record<string, unknown>>;

/** An ID token taken apart. Nothing in it is believed yet. */
export interface IdToken {
  readonly algorithm: string;
  /** Which key it says it was signed with. */
  readonly keyId: string | null;
  readonly claims: Claims;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

const longest = 16 * 1024;
const form = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** RFC 7515, in its compact form. */
export function parseIdToken(text: string): IdToken {
  const [, head = "", body = "", signature = ""] = (text.length <= longest && form.exec(text)) || [];
  const [header, claims] = [parseRecord(decoded(head)), parseRecord(decoded(body))];
  // `crit` names what must be understood, and nothing of the kind is.
  if (header === undefined || claims === undefined || "crit" in header) throw new SignInRefused("token.malformed");
  const algorithm = textIn(header, "alg") ?? "";
  if (!isKnownAlgorithm(algorithm)) throw new SignInRefused("token.algorithm");
  const keyId = textIn(header, "kid") ?? null;
  const signed = Buffer.from(`${head}.${body}`);
  return { algorithm, keyId, claims, signed, signature: decoded(signature) };
}

/** One spelling for one value: else a token could change and still be signed. */
function decoded(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) throw new SignInRefused("token.malformed");
  return bytes;
}

/** What a token must say to be the answer to one sign-in. */
export interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly begunAt: number;
  readonly now: number;
}

/** OpenID Connect Core 3.1.3.7: the claims, once the signature and all else about the token hold. */
export function verifyIdToken(token: IdToken, key: SigningKey, expected: Expected): Claims {
  const { algorithm, signed, signature, claims } = token;
  if (!isSignedWith(key, algorithm, signed, signature)) throw new SignInRefused("token.signature");
  if (textIn(claims, "iss") !== expected.issuer) throw new SignInRefused("token.issuer");
  if (!isFor(claims, expected.clientId)) throw new SignInRefused("token.audience");
  if (!isOfThisTime(claims, expected)) throw new SignInRefused("token.time");
  if (!isSameText(textIn(claims, "nonce") ?? "", expected.nonce)) throw new SignInRefused("token.nonce");
  return claims;
}

/** For us; and where it is for others as well, or says to whom it was given, given to us. */
function isFor(claims: Claims, clientId: string): boolean {
  const { aud, azp } = claims;
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const isNamed = audience.includes(clientId);
  return isNamed && (azp === undefined ? audience.length === 1 : azp === clientId);
}

/** By how much two clocks may differ, in seconds. */
const skew = 60;

/** Not over, not to come, and not from before this sign-in began. */
function isOfThisTime({ exp, iat, nbf }: Claims, { begunAt, now }: Expected): boolean {
  const [present, begun] = [now / 1000, begunAt / 1000];
  if (!isNumber(exp) || !isNumber(iat) || (nbf !== undefined && !isNumber(nbf))) return false;
  return exp > present - skew && iat <= present + skew && iat >= begun - skew && (nbf ?? 0) <= present + skew;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
