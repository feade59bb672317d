import type { HttpBindings } from "@hono/node-server";
import type { ReadyCheck } from "../features/serving.ts";
import type { Sessions } from "../features/people/sessions.ts";
import type { StoreStanding } from "../app/standby/standing.ts";
import { AppError } from "../core/error.ts";
import type { Clock, Randomness, Timer } from "../core/world.ts";
import type { AccountPolicy, Person } from "../registry/accounts/roles.ts";
import type { Way } from "../registry/accounts/sessions.ts";
import type { Channel } from "./guard/hosts.ts";
import type { Log } from "./logs/log.ts";
import type { Metrics } from "./logs/metrics.ts";
import type { Span, Tracer } from "./logs/telemetry.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { Unread } from "./guard/connections.ts";

/** What every HTTP door needs of a running node, whatever it answers. */
export interface Served {
  /** Who holds this key; `auth.failed` alike for every wrong one. */
  identify(key: string): Promise<Person>;
  /** Who is signed in at a browser. */
  readonly sessions: Sessions;
  generation(): Promise<number>;
  /** Nothing in it is secret: it is shown to anybody. */
  isReady(): Promise<{ ready: boolean; checks: readonly ReadyCheck[] }>;
  /** SV-7: how it stands to its store. */
  standing(): StoreStanding;
}

/** How people may sign in (SV-11). */
export interface SignInWays {
  readonly password: boolean;
  /** What stands on the button; null: there is none. */
  readonly oidc: { readonly title: string } | null;
  /** The account that a trusted proxy says it let in; undefined: nobody does. */
  proxyUser(incoming: HttpBindings["incoming"]): string | undefined;
}

export const passwordAlone: SignInWays = { password: true, oidc: null, proxyUser: () => undefined };

/** What all HTTP doors of one server share. */
export interface Door {
  readonly served: Served;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly timer: Timer;
  readonly policy: AccountPolicy;
  readonly ways: SignInWays;
  /** Whose word is taken for where a request came from, in their canonical form. */
  readonly proxies: readonly string[];
  readonly requestLimits: RequestLimits;
  readonly loginThrottle: LoginThrottle;
  readonly unread: Unread;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** The most bytes that a body may have. */
  readonly bodyBytes: number;
  /** Aborted when the server stops: what has no end of its own ends by it. */
  readonly stopping: AbortSignal;
}

/** One request and what has become known of it. */
export interface Exchange {
  /** `x-request-id`. */
  readonly id: string;
  /** Of the client, as far as it is known: for bounds alone, it says nothing about who somebody is. */
  readonly address: string;
  /** How it came, as its browser sees it. */
  channel: Channel;
  /** Whether the client went away before its answer was complete; then the signal is aborted. */
  readonly isGone: boolean;
  readonly signal: AbortSignal;
  /** `POST /api/chat`; `none` until one is found. */
  route: string;
  person: Person | null;
  /** By which session they were let in; null: by a key, or not yet. */
  session: { readonly secret: string; readonly way: Way } | null;
  span: Span;
  /** Bytes of the body that were read. */
  bytesIn: number;
  /** More for the line in the log: `configuration`, `injection`. Never a word of a prompt unless it was switched on. */
  readonly notes: Record<string, string | number | boolean>;
  /** Called when the answer is over, however it ended. */
  leave: () => void;
}

/** The environment of a route: Node's own two ends beside the exchange. */
export interface Wire {
  Bindings: HttpBindings & { readonly exchange: Exchange };
}

/** What came, and what is known of it. */
export type RequestEnd = Pick<Wire["Bindings"], "incoming" | "exchange">;

/** Who asks. A route that anybody may call has nobody to ask for. */
export function personOf({ person }: Exchange): Person {
  if (person === null) throw new AppError("auth.failed", "nobody has shown a key");
  return person;
}
