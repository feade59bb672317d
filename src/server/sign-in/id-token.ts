import * as jose from "jose";
import { isSameText } from "../../core/digest.ts";
import { isRecord, textIn } from "../../core/json/json.ts";
import { type Reason, SignInRefused } from "./sign-in-refused.ts";

/** A closed list: never `none`, and none with a shared secret, for which a public key would do. */
const algorithms = ["RS256", "PS256", "ES256", "EdDSA"];

/** An ID token whose form is right. Nothing in it is believed yet. */
export interface IdToken {
  readonly text: string;
  readonly header: jose.ProtectedHeaderParameters;
}

const longest = 16 * 1024;

/** RFC 7515, in its compact form. Also refuses what jose would let pass. */
export function parseIdToken(text: string): IdToken {
  // One spelling for one value: else a token could change and still be signed.
  if (text.length > longest || !text.split(".").every(isCanonical)) throw new SignInRefused("token.malformed");
  const header = headerOf(text);
  // `crit` names what must be understood, and nothing is: not even `b64`, which jose understands.
  if ("crit" in header) throw new SignInRefused("token.malformed");
  if (!algorithms.some((name) => name === header.alg)) throw new SignInRefused("token.algorithm");
  return { text, header };
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

function headerOf(text: string): jose.ProtectedHeaderParameters {
  try {
    // Throws unless there are three parts and the second one is an object.
    jose.decodeJwt(text);
    return jose.decodeProtectedHeader(text);
  } catch (cause) {
    throw new SignInRefused("token.malformed", { cause });
  }
}

/** The keys with which an issuer says that it signs. */
export type KeySet = ReturnType<typeof jose.createLocalJWKSet>;

const mostKeys = 64;

/** Undefined when it is no key set. Keys that cannot verify a token stay in it and are never found. */
export function parseKeySet(value: unknown): KeySet | undefined {
  const keys: unknown = isRecord(value) ? value["keys"] : undefined;
  return Array.isArray(keys) && keys.length <= mostKeys
    ? jose.createLocalJWKSet({ keys: keys.filter(isRecord) })
    : undefined;
}

/** The one key that a token can have been signed with; undefined when there is none, or more than one. */
export async function keyFor(keys: KeySet, { header }: IdToken): Promise<jose.CryptoKey | undefined> {
  try {
    return await keys(header);
  } catch {
    // What is no key cannot have signed anything.
    return undefined;
  }
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

/** By how much two clocks may differ, in seconds. */
const skew = 60;

/** OpenID Connect Core 3.1.3.7: the claims, once the signature and all else about the token hold. */
export async function verifyIdToken(
  { text }: IdToken,
  key: jose.CryptoKey,
  expected: Expected,
): Promise<jose.JWTPayload> {
  const { issuer, clientId, now } = expected;
  const options = { algorithms, issuer, audience: clientId, clockTolerance: skew, currentDate: new Date(now) };
  const { payload } = await jose.jwtVerify(text, key, options).catch((cause: unknown) => {
    throw new SignInRefused(reasonOf(cause), { cause });
  });
  if (!isGivenToUs(payload, clientId)) throw new SignInRefused("token.audience");
  if (!isOfThisSignIn(payload, expected)) throw new SignInRefused("token.time");
  if (!isSameText(textIn(payload, "nonce") ?? "", expected.nonce)) throw new SignInRefused("token.nonce");
  return payload;
}

function reasonOf(error: unknown): Reason {
  if (error instanceof jose.errors.JWSSignatureVerificationFailed) return "token.signature";
  // An RSA key of less than 2048 bits; everything else about a key was checked when it was found.
  if (!(error instanceof jose.errors.JWTClaimValidationFailed || error instanceof jose.errors.JWTExpired))
    return "token.key";
  if (error.claim === "iss") return "token.issuer";
  return error.claim === "aud" ? "token.audience" : "token.time";
}

/** With several audiences, or with an `azp` at all, `azp` must name us. */
function isGivenToUs({ aud, azp }: jose.JWTPayload, clientId: string): boolean {
  const isForOthers = Array.isArray(aud) && aud.length > 1;
  return azp === undefined ? !isForOthers : azp === clientId;
}

/** Issued after the sign-in began and not in the future, with an `exp` that will come: jose accepts 1e999. */
function isOfThisSignIn({ exp = NaN, iat = NaN, nbf = 0 }: jose.JWTPayload, { begunAt, now }: Expected): boolean {
  const isIssuedSince = iat >= begunAt / 1000 - skew && iat <= now / 1000 + skew;
  return isIssuedSince && Number.isFinite(exp) && Number.isFinite(nbf);
}
