import { Hono } from "hono";
import type { OidcConfig } from "../../app/config/config-file.ts";
import { isSameText } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { textIn } from "../../core/json/json.ts";
import { LruCache } from "../../core/lru-cache.ts";
import type { Transport } from "../../core/transport.ts";
import { isForTheLog } from "../../features/http/statuses.ts";
import { providerPolicy } from "../../net/policy.ts";
import type { PrivatePairs } from "../../net/private-pairs.ts";
import type { Keys } from "../../registry/keys.ts";
import type { Door, Wire } from "../door.ts";
import { outsideName } from "../guard/proxy-user.ts";
import { giveSecret } from "../guard/session-cookie.ts";
import { LoginThrottle } from "../login-throttle.ts";
import type { Counter } from "../logs/metrics.ts";
import { send } from "../send.ts";
import { Issuer } from "./issuer.ts";
import { beginSignIn, givePending, type Pending, readPending, takePending } from "./pending.ts";
import { type Reason, SignInRefused } from "./sign-in-refused.ts";
import * as oauth from "oauth4webapi";

export interface OidcOptions {
  readonly settings: OidcConfig;
  /** Of the client, where the service knows it by one. */
  readonly secret: string | null;
  readonly pairs: PrivatePairs;
  readonly keys: Keys;
  readonly transport: () => Promise<Transport>;
}

/** Where a browser goes, whatever it was sent with: never to an address out of a request. */
const home = "/";
const failed = "/#/sign-in/failed";

/** T41: each can cost a question to the service. A whole office may have one address; right ones do not count. No account is named. */
const bounds = { triesPerPair: 1, triesPerAccount: 1, triesPerAddress: 60, triesAtOnce: 256, remembered: 10_000 };

/** Says nothing about the sign-in that this browser has begun: any page can send it here. */
const isOfAnother: ReadonlySet<Reason> = new Set(["state.mismatch", "too-many"]);

/** SV-11: signing in at an OpenID Connect service, by the code flow with PKCE. */
export function createOidc(door: Door, options: OidcOptions): Hono<Wire> {
  const signIn = new OidcSignIn(door, options);
  const app = new Hono<Wire>();
  app.get("/auth/oidc", ({ env }) => signIn.answer(env, () => signIn.begin(env)));
  app.get("/auth/oidc/back", ({ env }) => signIn.answer(env, () => signIn.finish(env)));
  return app;
}

/** Where a browser is sent. */
interface Sent {
  readonly status: 302 | 303;
  readonly location: string;
}

type Ends = Wire["Bindings"];

class OidcSignIn {
  readonly #door: Door;
  readonly #options: OidcOptions;
  readonly #issuer: Issuer;
  readonly #throttle: LoginThrottle;
  readonly #back: string;
  /** States that were answered here. A code is good for one answer at its service; this does not rest on that. */
  readonly #used = new LruCache<true>({ entries: bounds.remembered });
  readonly #count: Counter;

  constructor(door: Door, options: OidcOptions) {
    const { settings, pairs } = options;
    this.#door = door;
    this.#options = options;
    this.#issuer = new Issuer({ ...options, clock: door.clock, policy: providerPolicy(pairs) });
    this.#throttle = new LoginThrottle(door.clock, bounds);
    this.#back = `${settings.publicUrl}/auth/oidc/back`;
    const about = "Sign-ins through OpenID Connect, by how they ended.";
    this.#count = door.metrics.counter("skillward_oidc_sign_ins_total", about, ["result"]);
  }

  /** Whatever goes wrong is one page for the browser, and one closed word for the log. */
  async answer(ends: Ends, act: () => Promise<Sent>): Promise<Response> {
    const { status, location } = await act().catch((error) => this.#refused(ends, error));
    return send(ends.outgoing, { status, headers: { location }, body: "" });
  }

  /** What asks the service counts. What does not is free: any page can send browsers here, as often as it likes. */
  #asking<Answer>({ exchange: { address } }: Ends, act: () => Promise<Answer>): Promise<Answer> {
    return this.#throttle.run({ address }, act);
  }

  #refused(ends: Ends, error: unknown): Sent {
    const { exchange } = ends;
    const reason = reasonOf(error);
    exchange.notes["reason"] = reason;
    // Closed as well, and it says what kept us from asking: an address that may not be called, a deadline.
    if (error instanceof SignInRefused && error.cause instanceof AppError) exchange.notes["code"] = error.cause.code;
    if (reason === "internal" && isForTheLog(error)) this.#door.log.failure(exchange.id, error);
    this.#count.add({ result: reason });
    if (!isOfAnother.has(reason)) takePending(ends);
    return { status: 303, location: failed };
  }

  /** Sends the browser to the service, with what only this browser can come back with. */
  async begin(ends: Ends): Promise<Sent> {
    const { settings, keys } = this.#options;
    const { random, clock } = this.#door;
    refusePlain(ends);
    const metadata = await this.#asking(ends, () => this.#issuer.metadata());
    const pending = beginSignIn(random, clock.now());
    givePending(ends, keys, random, settings.issuer, pending);
    return { status: 302, location: await this.#authorizationUrl(metadata.authorization_endpoint, pending) };
  }

  async #authorizationUrl(endpoint: string, pending: Pending): Promise<string> {
    const url = new URL(endpoint);
    const asked = {
      response_type: "code",
      client_id: this.#options.settings.clientId,
      redirect_uri: this.#back,
      scope: "openid profile",
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return url.href;
  }

  /** The browser is back: who is it? */
  async finish(ends: Ends): Promise<Sent> {
    refusePlain(ends);
    const query = new URL(ends.incoming.url ?? "", "http://localhost").searchParams;
    const pending = this.#pendingOf(ends, query);
    const secret = await this.#asking(ends, () => this.#openSession(ends, query, pending));
    // The browser comes from another site, so it may not send a SameSite=Strict cookie with the page it is sent to now. That
    // page is the same for everybody, and what it then asks for is asked by our own site, with the cookie.
    giveSecret(ends, secret);
    takePending(ends);
    this.#count.add({ result: "ok" });
    return { status: 303, location: home };
  }

  /** The secret of a session for whom the service names. */
  async #openSession({ exchange }: Ends, query: URLSearchParams, pending: Pending): Promise<string> {
    const code = await this.#codeIn(query);
    const claims = await this.#issuer.claimsFor(code, pending, this.#back, exchange.signal);
    const user = outsideName(textIn(claims, this.#options.settings.claim) ?? "");
    if (user === undefined) throw new SignInRefused("claim.invalid");
    return this.#door.served.sessions.open(user, "oidc").catch(asUnknown);
  }

  /** The sign-in that this browser began and that this answer is for; each is answered once. */
  #pendingOf(ends: Ends, query: URLSearchParams): Pending {
    const { settings, keys } = this.#options;
    const pending = readPending(ends, keys, settings.issuer, this.#door.clock.now());
    if (!isSameText(onlyOne(query, "state") ?? "", pending.state)) throw new SignInRefused("state.mismatch");
    if (this.#used.get(pending.state) !== undefined) throw new SignInRefused("state.used");
    this.#used.set(pending.state, true);
    return pending;
  }

  async #codeIn(query: URLSearchParams): Promise<string> {
    const { settings } = this.#options;
    const metadata = await this.#issuer.metadata();
    const saysIssuer = metadata.authorization_response_iss_parameter_supported === true;
    // RFC 9207: an answer of another service that somebody slipped in.
    if ((saysIssuer || query.has("iss")) && onlyOne(query, "iss") !== settings.issuer)
      throw new SignInRefused("answer.issuer");
    if (query.has("error")) throw new SignInRefused("issuer.refused");
    const code = onlyOne(query, "code");
    if (code === undefined || code === "") throw new SignInRefused("answer.invalid");
    return code;
  }
}

/** SV-4: neither cookie travels in plain, but on the machine itself. */
function refusePlain({ exchange }: Ends): void {
  if (exchange.channel === "plain") throw new SignInRefused("channel.plain");
}

/** Twice is not once: two readers may each believe another one. */
function onlyOne(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

function asUnknown(error: unknown): never {
  if (error instanceof AppError && error.code === "auth.failed")
    throw new SignInRefused("user.unknown", { cause: error });
  throw error;
}

function reasonOf(error: unknown): Reason {
  if (error instanceof SignInRefused) return error.reason;
  return error instanceof AppError && error.code === "request.too-many" ? "too-many" : "internal";
}
