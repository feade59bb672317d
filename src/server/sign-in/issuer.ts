import * as oauth from "oauth4webapi";
import type { OidcConfig } from "../../app/config/config-file.ts";
import { AppError } from "../../core/error.ts";
import { parseRecord, textIn } from "../../core/json/json.ts";
import type { Transport } from "../../core/transport.ts";
import type { Clock } from "../../core/world.ts";
import { fetchThrough } from "../../net/fetch.ts";
import type { EgressPolicy } from "../../net/policy.ts";
import { CachedValue } from "../cached-value.ts";
import { type IdToken, keyFor, type KeySet, parseIdToken, parseKeySet, verifyIdToken } from "./id-token.ts";
import type { Pending } from "./pending.ts";
import { SignInRefused } from "./sign-in-refused.ts";

export interface IssuerOptions {
  readonly settings: OidcConfig;
  /** Null: it does not know us by one, and PKCE stands alone. */
  readonly secret: string | null;
  readonly transport: () => Promise<Transport>;
  /** Where browsers may be sent: as where we would go. */
  readonly policy: EgressPolicy;
  readonly clock: Clock;
}

/** OpenID Connect Discovery. The policy has admitted these three addresses. */
type Metadata = oauth.AuthorizationServer &
  Readonly<Record<"authorization_endpoint" | "token_endpoint" | "jwks_uri", string>>;

/** What the libraries give to `fetch`, as far as it counts here. */
interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | undefined;
  readonly signal?: AbortSignal | undefined;
}

const keptFor = 600_000;
/** So often, in milliseconds, keys are looked for anew when a token was signed with one that is not known. */
const newerThan = 30_000;

/** The service at which people sign in, as it is asked from here. */
export class Issuer {
  readonly #options: IssuerOptions;
  readonly #metadata: CachedValue<Metadata>;
  readonly #keys: CachedValue<KeySet>;

  constructor(options: IssuerOptions) {
    this.#options = options;
    this.#metadata = new CachedValue(options.clock, keptFor, () => this.#discover());
    this.#keys = new CachedValue(options.clock, keptFor, () => this.#fetchKeys());
  }

  metadata(): Promise<Metadata> {
    return this.#metadata.get();
  }

  /** The claims about whoever signed in there, for the code that their browser brought back. */
  async claimsFor(
    code: string,
    { nonce, verifier, begunAt }: Pending,
    back: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const parameters = { code, redirect_uri: back, code_verifier: verifier };
    const token = parseIdToken(await this.#exchange(parameters, signal));
    const key = await this.#keyFor(token);
    const { settings, clock } = this.#options;
    const { issuer, clientId } = settings;
    return verifyIdToken(token, key, { issuer, clientId, nonce, begunAt, now: clock.now() });
  }

  async #discover(): Promise<Metadata> {
    const { settings, policy } = this.#options;
    const url = new URL(settings.issuer);
    const response = await oauth.discoveryRequest(url, this.#httpOptions(url.href));
    const metadata = await oauth.processDiscoveryResponse(url, response).catch((cause: unknown) => {
      throw new SignInRefused("issuer.invalid", { cause });
    });
    // To the letter: the library compares parsed URLs, where the case of the host does not count.
    if (metadata.issuer !== settings.issuer) throw new SignInRefused("issuer.invalid");
    const at = (name: string) => admitted(policy, textIn(metadata, name));
    return {
      ...metadata,
      authorization_endpoint: at("authorization_endpoint"),
      token_endpoint: at("token_endpoint"),
      jwks_uri: at("jwks_uri"),
    };
  }

  async #fetchKeys(): Promise<KeySet> {
    const { jwks_uri } = await this.metadata();
    const response = await this.#fetch(jwks_uri, { method: "GET", headers: { accept: "application/json" } });
    const keys = parseKeySet(await recordIn(response));
    if (keys === undefined) throw new SignInRefused("issuer.invalid");
    return keys;
  }

  /** A service may have taken a new key since it was asked: it is asked once more, but not by every token. */
  async #keyFor(token: IdToken) {
    const known = await keyFor(await this.#keys.get(), token);
    const key = known ?? (await keyFor(await this.#keys.get(newerThan), token));
    if (key === undefined) throw new SignInRefused("token.key");
    return key;
  }

  /**
   * RFC 6749, 4.1.3. The library's `processAuthorizationCodeResponse` is not used: it would judge the ID token by the clock
   * of the machine and before its signature. Nor is `validateAuthResponse`, which passes over an empty `iss` or `error`.
   */
  async #exchange(parameters: Record<string, string>, signal: AbortSignal): Promise<string> {
    const metadata = await this.metadata();
    const response = await oauth.genericTokenEndpointRequest(
      metadata,
      { client_id: this.#options.settings.clientId },
      this.#clientAuthentication(metadata),
      "authorization_code",
      parameters,
      { ...this.#httpOptions(metadata.token_endpoint), signal },
    );
    const token = textIn((await recordIn(response)) ?? {}, "id_token");
    if (!token) throw new SignInRefused("code.refused");
    return token;
  }

  /** Basic is what holds where nothing is said (OpenID Connect Discovery, 3). */
  #clientAuthentication({ token_endpoint_auth_methods_supported: supported }: Metadata): oauth.ClientAuth {
    const { secret } = this.#options;
    if (secret === null) return oauth.None();
    const isOnlyPost =
      Array.isArray(supported) &&
      supported.includes("client_secret_post") &&
      !supported.includes("client_secret_basic");
    return isOnlyPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
  }

  /** The library sends through our transport, and plain http only to the loopback pairs that the policy admits (IN-4). */
  #httpOptions(url: string) {
    const isPlain = this.#options.policy.admit(url).protocol === "http:";
    return { [oauth.customFetch]: this.#fetch, [oauth.allowInsecureRequests]: isPlain };
  }

  /**
   * `fetch` for the libraries, over the guarded transport (invariant 4). It reads the whole body, so that a failure on the
   * way is thrown here and not taken by a library for an answer that is no JSON.
   */
  readonly #fetch = async (url: string, request: HttpRequest): Promise<Response> => {
    const { method, body = null, signal = null } = request;
    // The libraries would name themselves and their version.
    const headers = { ...request.headers, "user-agent": "skillward" };
    try {
      const send = fetchThrough(await this.#options.transport());
      const response = await send(url, { method, headers, body, signal });
      return new Response(response.body && (await response.arrayBuffer()), response);
    } catch (cause) {
      if (cause instanceof AppError || signal?.aborted === true)
        throw new SignInRefused("issuer.unreachable", { cause });
      throw cause;
    }
  };
}

async function recordIn(response: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  return response.status === 200 ? parseRecord(new Uint8Array(await response.arrayBuffer())) : undefined;
}

/** An address as it may be asked, whoever asks. */
function admitted(policy: EgressPolicy, url: string | undefined): string {
  try {
    return policy.admit(url ?? "").href;
  } catch (cause) {
    throw new SignInRefused("issuer.invalid", { cause });
  }
}
