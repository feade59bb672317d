import { createHash } from "node:crypto";
import { renderIdToken, renderKeySet, type NamedKey } from "./id-token.ts";
import type { OidcRequest, OidcFault, OidcOptions } from "./script.ts";

export function describe({ issuer, options, faults }: House): Answer {
  return createJson({
    issuer: faults.has("discovery-issuer") ? `${issuer}/another` : issuer,
    authorization_endpoint: `${issuer}/authorize?tenant=house`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "PS256", "ES256", "EdDSA"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...(options.proof === undefined ? {} : { token_endpoint_auth_methods_supported: [options.proof] }),
  });
}

export function listKeys({ key }: House): Answer {
  return createJson(renderKeySet([key]));
}

/** Nobody is asked anything: whoever is signed in there says yes at once. */
export function authorize(house: House, { fields }: OidcRequest): Answer {
  const {
    client_id,
    response_type,
    redirect_uri = "",
    code_challenge = "",
    code_challenge_method,
    nonce = "",
  } = fields;
  const isAsked = response_type === "code" && fields["scope"]?.split(" ").includes("openid") === true;
  const isProven = code_challenge_method === "S256" && code_challenge !== "";
  if (client_id !== house.clientId || fields["tenant"] !== "house" || !isAsked || !isProven)
    return createJson({ error: "invalid_request" }, 400);
  const back = new URL(redirect_uri);
  if (house.faults.has("denied")) back.searchParams.set("error", "access_denied");
  else back.searchParams.set("code", grant(house, { redirectUri: redirect_uri, challenge: code_challenge, nonce }));
  if (fields["state"] !== undefined) back.searchParams.set("state", fields["state"]);
  back.searchParams.set("iss", house.faults.has("answer-issuer") ? "https://elsewhere.example" : house.issuer);
  return createRedirect(back.href);
}

function grant(house: House, asked: Omit<Granted, "claims">): string {
  const code = `a code for tests ${house.codes.size + 1}`;
  house.codes.set(code, { ...asked, claims: house.claims });
  return code;
}

/** RFC 6749, 4.1.3, and RFC 7636. */
export function giveToken(house: House, { fields, headers }: OidcRequest): Answer {
  const { code = "", grant_type, redirect_uri, code_verifier = "" } = fields;
  const granted = house.codes.get(code);
  if (!isClient(house, fields, headers.authorization)) return createJson({ error: "invalid_client" }, 401);
  if (granted === undefined || grant_type !== "authorization_code" || redirect_uri !== granted.redirectUri)
    return createJson({ error: "invalid_grant" }, 400);
  if (!house.faults.has("codes-again")) house.codes.set(code, { ...granted, redirectUri: "used" });
  const proven = createHash("sha256").update(code_verifier).digest("base64url");
  if (proven !== granted.challenge && !house.faults.has("any-verifier"))
    return createJson({ error: "invalid_grant" }, 400);
  const { issuer, clientId, key, faults, options } = house;
  const now = Math.floor(options.clock.now() / 1000);
  const token = renderIdToken({ issuer, clientId, key, faults, now, nonce: granted.nonce, claims: granted.claims });
  return createJson({ access_token: "an access token for tests", token_type: "Bearer", id_token: token });
}

function isClient({ options, clientId }: House, fields: OidcRequest["fields"], authorization: unknown): boolean {
  const { secret, proof = "client_secret_basic" } = options;
  if (secret === undefined) return fields["client_id"] === clientId && authorization === undefined;
  if (proof === "client_secret_post") return fields["client_id"] === clientId && fields["client_secret"] === secret;
  const [, encoded = ""] = /^Basic (\S+)$/.exec(String(authorization)) ?? [];
  const parts = Buffer.from(encoded, "base64").toString().split(":");
  const [id, word] = parts.map((part) => new URLSearchParams(`a=${part}`).get("a"));
  return parts.length === 2 && id === clientId && word === secret;
}

/** What a browser was given a code for. */
interface Granted {
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
