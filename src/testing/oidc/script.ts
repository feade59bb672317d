import type { Clock } from "../../core/world.ts";

/** A private key and what it signs with. */
export interface OidcKey {
  readonly algorithm: "RS256" | "PS256" | "ES256" | "EdDSA";
  /** PKCS #8, as PEM. */
  readonly key: string;
}

/** What is asked over HTTP by others than browsers. */
export type OidcEndpoint = "discovery" | "keys" | "token";

/** One thing that the service does wrong. */
export type OidcFault =
  /** The description names another issuer; the token does; the answer through the browser does (RFC 9207). */
  | "discovery-issuer"
  | "token-issuer"
  | "answer-issuer"
  /** The token is for another client; for others too, without saying to whom it was given; given to another. */
  | "audience"
  | "audiences"
  | "authorized-party"
  /** The token is over; of tomorrow; of before the sign-in; good from tomorrow on; without any time. */
  | "expired"
  | "issued-later"
  | "issued-before"
  | "not-yet"
  | "timeless"
  /** A bit of the signature is another; it is by a key that is not in the key set, under a name that is, or that is not. */
  | "signature"
  | "other-key"
  | "key-id"
  /** `alg` is `none`, with no signature; HS256, with the public key for the secret. */
  | "unsigned"
  | "shared-secret"
  /** The header asks for something that nobody understands. */
  | "critical"
  /** The nonce is of another sign-in; there is none. */
  | "nonce"
  | "no-nonce"
  /** The person said no. */
  | "denied"
  /** A code is good as often as one likes; and with any verifier. */
  | "codes-again"
  | "any-verifier"
  /** An endpoint points elsewhere, answers without end, in part and then nothing, an error, or no JSON. */
  | `${OidcEndpoint}-${"redirect" | "endless" | "stall" | "error" | "garbage"}`;

export interface OidcOptions {
  readonly clock: Clock;
  /** The client that is known: `skillward` unless given. */
  readonly clientId?: string;
  /** What it proves itself with; without one, by PKCE alone. */
  readonly secret?: string;
  /** How it may: `client_secret_basic` unless given. */
  readonly proof?: "client_secret_basic" | "client_secret_post";
  /** A key of its own for ES256 unless given. */
  readonly key?: OidcKey;
}

/** One request as it came. */
export interface OidcRequest {
  readonly endpoint: OidcEndpoint | "authorize" | "none";
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the query and of the form. */
  readonly fields: Readonly<Record<string, string>>;
  /** Zero while nothing was answered. */
  status: number;
}

/** An OpenID Connect service that can misbehave. */
export interface FakeOidc {
  readonly issuer: string;
  readonly requests: readonly OidcRequest[];
  /** Who is signed in there from now on: the claims beside those of the protocol. */
  signedIn(claims: Readonly<Record<string, unknown>>): void;
  /** What it does wrong from now on; nothing: it behaves. */
  misbehave(...faults: readonly OidcFault[]): void;
  /** Signs with another key from now on, and forgets the one before. */
  rotate(key?: OidcKey): void;
  /** Ends every connection. */
  close(): Promise<void>;
}
