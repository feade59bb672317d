import type { OidcConfig } from "../../app/config-file.ts";
import type { Transport } from "../../base/transport.ts";
import type { Clock } from "../../base/world.ts";
import type { EgressPolicy } from "../../net/policy.ts";
import { ask } from "./ask.ts";
import { parseIdToken, verifyIdToken } from "./id-token.ts";
import { textIn } from "./json.ts";
import { KeptAnswer } from "../kept-answer.ts";
import type { Pending } from "./pending.ts";
import { SignInRefused } from "./sign-in-refused.ts";
import { keyFor, parseSigningKeys, type SigningKey } from "./signing-keys.ts";

export interface IssuerOptions {
  readonly settings: OidcConfig;
  /** Null: it does not know us by one, and PKCE stands alone. */
  readonly secret: string | null;
  readonly transport: () => Promise<Transport>;
  /** Where browsers may be sent: as where we would go. */
  readonly policy: EgressPolicy;
  readonly clock: Clock;
}

/** What its description says of a service (OpenID Connect Discovery). */
interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly keys: string;
  /** How we prove who we are where we have a secret. */
  readonly proof: "basic" | "post";
  /** RFC 9207: it always says who answers. */
  readonly saysIssuer: boolean;
}

const keptFor = 600_000;
/** So often, in milliseconds, keys are looked for anew when a token was signed with one that is not known. */
const newerThan = 30_000;

/** The service at which people sign in, as it is asked from here. */
export class Issuer {
  readonly #options: IssuerOptions;
  readonly #endpoints: KeptAnswer<Endpoints>;
  readonly #keys: KeptAnswer<readonly SigningKey[]>;

  constructor(options: IssuerOptions) {
    this.#options = options;
    this.#endpoints = new KeptAnswer(options.clock, keptFor, () => this.#discover());
    this.#keys = new KeptAnswer(options.clock, keptFor, () => this.#fetchKeys());
  }

  endpoints(): Promise<Endpoints> {
    return this.#endpoints.get();
  }

  /** The claims about whoever signed in there, for the code that their browser brought back. */
  async claimsFor(
    code: string,
    pending: Pending,
    back: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const text = await this.#exchange(code, pending, back, signal);
    const token = parseIdToken(text);
    const key = await this.#keyFor(token.algorithm, token.keyId);
    const { settings, clock } = this.#options;
    const { issuer, clientId } = settings;
    const { nonce, begunAt } = pending;
    return verifyIdToken(token, key, { issuer, clientId, nonce, begunAt, now: clock.now() });
  }

  async #discover(): Promise<Endpoints> {
    const { settings, transport, policy } = this.#options;
    const url = `${settings.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const answer = await fetchRecord(await transport(), url);
    // Whoever answers under that address speaks for this issuer and for no other.
    if (textIn(answer, "issuer") !== settings.issuer) throw new SignInRefused("issuer.invalid");
    const at = (name: string) => admitted(policy, textIn(answer, name));
    const [authorization, token, keys] = [at("authorization_endpoint"), at("token_endpoint"), at("jwks_uri")];
    const proof = proofIn(answer["token_endpoint_auth_methods_supported"]);
    const saysIssuer = answer["authorization_response_iss_parameter_supported"] === true;
    return { authorization, token, keys, proof, saysIssuer };
  }

  async #fetchKeys(): Promise<readonly SigningKey[]> {
    const [transport, { keys }] = await Promise.all([this.#options.transport(), this.endpoints()]);
    const known = parseSigningKeys(await fetchRecord(transport, keys));
    if (known === undefined) throw new SignInRefused("issuer.invalid");
    return known;
  }

  /** A service may have taken a new key since it was asked: it is asked once more, but not by every token. */
  async #keyFor(algorithm: string, id: string | null): Promise<SigningKey> {
    const key = keyFor(await this.#keys.get(), algorithm, id) ?? keyFor(await this.#keys.get(newerThan), algorithm, id);
    if (key === undefined) throw new SignInRefused("token.key");
    return key;
  }

  /** RFC 6749, 4.1.3. */
  async #exchange(code: string, { verifier }: Pending, back: string, signal: AbortSignal): Promise<string> {
    const { settings, secret, transport } = this.#options;
    const { token: url, proof } = await this.endpoints();
    const form = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: back });
    form.set("code_verifier", verifier);
    form.set("client_id", settings.clientId);
    if (secret !== null && proof === "post") form.set("client_secret", secret);
    const headers = {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(secret !== null && proof === "basic" ? { authorization: basic(settings.clientId, secret) } : {}),
    };
    const body = Buffer.from(form.toString());
    const { status, answer } = await ask(await transport(), { method: "POST", url, headers, body, signal });
    const token = answer && textIn(answer, "id_token");
    if (status !== 200 || !token) throw new SignInRefused("code.refused");
    return token;
  }
}

async function fetchRecord(transport: Transport, url: string): Promise<Readonly<Record<string, unknown>>> {
  const headers = { accept: "application/json" };
  const { status, answer } = await ask(transport, { method: "GET", url, headers, body: null });
  if (status !== 200 || answer === null) throw new SignInRefused("issuer.invalid");
  return answer;
}

/** An address as it may be asked, whoever asks. */
function admitted(policy: EgressPolicy, url: string | undefined): string {
  try {
    return policy.admit(url ?? "").href;
  } catch (cause) {
    throw new SignInRefused("issuer.invalid", { cause });
  }
}

/** Basic is what holds where nothing is said (OpenID Connect Discovery, 3). */
function proofIn(supported: unknown): Endpoints["proof"] {
  const isOnlyPost = Array.isArray(supported) && supported.includes("client_secret_post");
  return isOnlyPost && !supported.includes("client_secret_basic") ? "post" : "basic";
}

/** RFC 6749, 2.3.1: each is written as in a form first. */
function basic(clientId: string, secret: string): string {
  const [id, word] = [clientId, secret].map((text) => new URLSearchParams({ "": text }).toString().slice(1));
  return `Basic ${Buffer.from(`${id}:${word}`).toString("base64")}`;
}
