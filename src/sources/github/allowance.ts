import { AppError } from "../../core/error.ts";
import type { Incoming, Transport } from "../../core/transport.ts";
import type { Clock } from "../../core/world.ts";
import type { HostSet } from "../../net/host-set.ts";
import { Fields } from "./answers.ts";
import { headersOf, messageOf, parseReply, readAtMost, withoutSecret } from "./client-ask.ts";
import { quoteOf } from "./client-secret.ts";
import { believedReset, isLimit, RateLimited, resetOf } from "./rate-limit.ts";

/** How much of a GitHub may still be asked. */
export interface Allowance {
  readonly most: number;
  readonly left: number;
  /** Milliseconds since the epoch; null: it does not say. */
  readonly resetAt: number | null;
}

export interface AllowanceQuestion {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly hosts: HostSet;
  /** Meant for this GitHub; null: as anybody (IN-6). */
  readonly secret: string | null;
  readonly signal: AbortSignal;
}

const mostBytes = 64 * 1024;

/**
 * SV-10: one request, which does not count, and never a second try: this is to see how things are. Null: this GitHub counts
 * nobody's requests. Fails with `source.limited` where none is left.
 */
export async function fetchAllowance(question: AllowanceQuestion): Promise<Allowance | null> {
  const { transport, hosts, secret, signal } = question;
  const url = `${hosts.api}/rate_limit`;
  const headers = headersOf({ service: "api" }, secret);
  const incoming = await transport.send({ method: "GET", url, headers, body: null, signal }).catch((error: unknown) => {
    throw withoutSecret(error, secret);
  });
  return incoming.status === 200 ? readAllowance(question, incoming) : refused(question, incoming);
}

async function readAllowance(question: AllowanceQuestion, { body }: Incoming): Promise<Allowance> {
  const { hosts, clock, secret } = question;
  const answer = new Fields(parseReply(await readAtMost(body, mostBytes, () => {})), "rate_limit");
  const core = answer.within("resources").within("core");
  const resetAt = believedReset(core.count("reset") * 1000, clock.now());
  const allowance = { most: core.count("limit"), left: core.count("remaining"), resetAt };
  if (allowance.left > 0) return allowance;
  throw new RateLimited(hostOf(hosts), resetAt, { now: clock.now(), hasToken: secret !== null });
}

/** What an installation says that has no limits. */
const uncounted = /\brate limiting is not enabled\b/i;

async function refused({ hosts, clock, secret }: AllowanceQuestion, incoming: Incoming): Promise<null> {
  const { status, headers } = incoming;
  const message = await messageOf(incoming.body, () => {});
  if (status === 404 && uncounted.test(message)) return null;
  const [host, now] = [hostOf(hosts), clock.now()];
  if (isLimit(incoming, message))
    throw new RateLimited(host, resetOf(headers, now), { now, hasToken: secret !== null });
  if (status === 401 && secret !== null) throw new AppError("source.refused", `${host} does not accept the token`);
  throw new AppError(
    "upstream.invalid",
    `${host} answered ${status} when asked for its limits${quoteOf(message, secret)}`,
  );
}

function hostOf({ api }: HostSet): string {
  return new URL(api).host;
}
