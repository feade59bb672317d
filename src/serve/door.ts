import type { HttpBindings } from "@hono/node-server";
import type { ReadyCheck } from "../app/serving.ts";
import { AppError } from "../base/error.ts";
import type { Clock, Randomness, Timer } from "../base/world.ts";
import type { AccountPolicy, Person } from "../registry/accounts/roles.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Rates } from "./rate.ts";
import type { Span, Tracer } from "./telemetry.ts";

/** What every HTTP door needs of a running node, whatever it answers. */
export interface Served {
  /** Who holds this key; `auth.failed` alike for every wrong one. */
  identify(key: string): Promise<Person>;
  generation(): Promise<number>;
  /** Nothing in it is secret: it is shown to anybody. */
  isReady(): Promise<{ ready: boolean; checks: readonly ReadyCheck[] }>;
}

/** What all HTTP doors of one server share. */
export interface Door {
  readonly served: Served;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly timer: Timer;
  readonly policy: AccountPolicy;
  readonly rates: Rates;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** The most bytes that a body may have. */
  readonly bodyBytes: number;
}

/** One request and what has become known of it. */
export interface Exchange {
  /** `x-request-id`. */
  readonly id: string;
  readonly address: string;
  /** Whether the client went away before its answer was complete; then the signal is aborted. */
  readonly isGone: boolean;
  readonly signal: AbortSignal;
  /** `POST /api/chat`; `none` until one is found. */
  route: string;
  person: Person | null;
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

/** Who asks. A route that anybody may call has nobody to ask for. */
export function personOf({ person }: Exchange): Person {
  if (person === null) throw new AppError("auth.failed", "nobody has shown a key");
  return person;
}
