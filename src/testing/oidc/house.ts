import type { NamedKey } from "./keys.ts";
import type { OidcFault, OidcOptions, OidcRequest } from "./script.ts";

/** What a browser was given a code for. */
export interface Granted {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** All that the service knows. */
export interface House {
  readonly options: OidcOptions;
  readonly clientId: string;
  readonly codes: Map<string, Granted>;
  readonly requests: OidcRequest[];
  issuer: string;
  key: NamedKey;
  claims: Readonly<Record<string, unknown>>;
  faults: ReadonlySet<OidcFault>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function createJson(value: object, status = 200): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

export function createRedirect(location: string, status = 302): Answer {
  return { status, headers: { location }, body: "" };
}
