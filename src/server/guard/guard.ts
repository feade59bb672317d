import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Door, RequestEnd, Wire } from "../door.ts";
import { hasKey, identify, noKey } from "./principal.ts";
import { type Access, nameOfRoute, routes } from "../routes.ts";
import { refuseForeign, demandToken, isRead, secretIn } from "./session-cookie.ts";
import type { FoundSession } from "../../registry/accounts/sessions.ts";

/** T39: stands before every route of every door. Nothing of a route runs, and no body is read, before it said yes. */
export function guard(door: Door, listed: ReadonlyMap<string, Access> = routes): MiddlewareHandler<Wire> {
  const failures = door.metrics.counter("skillward_auth_failures_total", "Requests without a valid key.");
  return async (context, next) => {
    const { route, access } = listedRoute(context, listed);
    context.env.exchange.route = route;
    if (isForBrowsers(context.env)) refuseForeign(context.env.incoming);
    if (access !== "anybody") await admit(door, context, access, failures.add);
    await next();
  };
}

function listedRoute(context: Context<Wire>, listed: ReadonlyMap<string, Access>): { route: string; access: Access } {
  for (const mounted of matchedRoutes(context)) {
    const route = nameOfRoute(mounted);
    const access = listed.get(route);
    if (access !== undefined) return { route, access };
  }
  const { method, path } = context.req;
  throw new AppError("record.missing", `there is no ${method} ${safeLine(path, 80)}`);
}

async function admit(door: Door, { env }: Context<Wire>, access: Access, countFailure: () => void): Promise<void> {
  const { exchange, incoming, outgoing } = env;
  const person = await knownPerson(door, env, countFailure);
  exchange.person = person;
  door.unread.enter(person.name, outgoing);
  const pass = door.requestLimits.enter(person.name);
  exchange.leave = pass.leave;
  // Whoever left while the key was looked up has no end to come any more.
  if (exchange.isGone) pass.leave();
  for (const [name, value] of Object.entries(pass.headers)) outgoing.setHeader(name, value);
  if (access !== "key" && access !== "anybody") requireRight({ person, policy: door.policy }, access);
  exchange.span = door.tracer.start(exchange.route, incoming.headers["traceparent"]);
}

/** By what the request showed, as they are at this moment: what goes on for long asks again, which keeps no session open. */
export async function whoAsks(door: Door, wire: RequestEnd): Promise<Person> {
  if (isForBrowsers(wire))
    return (await demandSession(door, wire, (secret) => door.served.sessions.look(secret))).person;
  return identify(wire.incoming.headersDistinct, (key) => door.served.identify(key));
}

async function knownPerson(door: Door, wire: Wire["Bindings"], count: () => void): Promise<Person> {
  const { exchange } = wire;
  try {
    if (!isForBrowsers(wire)) return await whoAsks(door, wire);
    const { person, secret, way } = await demandSession(door, wire, findingOf(door, wire));
    exchange.session = { secret, way };
    return person;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "auth.failed") throw error;
    count();
    door.requestLimits.fail(exchange.address);
    throw error;
  }
}

/** T37: the API alone is for pages of ours; programs show a key, there and at every other door. */
function isForBrowsers({ incoming, exchange }: RequestEnd): boolean {
  return exchange.route.split(" ")[1]?.startsWith("/api/") === true && !hasKey(incoming.headersDistinct);
}

/** Somebody who is signed in, by the cookie of the request. */
export interface SignedIn extends FoundSession {
  readonly secret: string;
}

type Find = (secret: string) => Promise<FoundSession | undefined>;

/** T37: a session that nobody uses ends, also beside a page that is open. */
export function findingOf({ served }: Door, end: RequestEnd): Find {
  const { sessions } = served;
  return (secret) => (isByItself(end) ? sessions.look(secret) : sessions.find(secret));
}

/** What a page asks for when nobody touched it says so. A stream of events cannot: browsers open it again by themselves. */
function isByItself({ incoming, exchange }: RequestEnd): boolean {
  return incoming.headersDistinct["x-skillward-background"]?.join() === "1" || exchange.route === "GET /api/events";
}

/** T37: whoever is signed in; a write also proves that a page of ours made it. */
async function demandSession(door: Door, end: RequestEnd, find: Find): Promise<SignedIn> {
  const secret = secretIn(end);
  if (secret === undefined) throw noKey();
  if (!isRead(end.incoming)) demandToken(end.incoming, secret);
  const found = await findSignedIn(door, end, find);
  if (found === undefined) throw new AppError("auth.failed", "you are not signed in any more; sign in again");
  return found;
}

/** Undefined: nobody is. */
export async function findSignedIn(door: Door, end: RequestEnd, find: Find): Promise<SignedIn | undefined> {
  const secret = secretIn(end);
  const found = secret === undefined ? undefined : await find(secret);
  if (secret === undefined || found === undefined) return undefined;
  // SV-11: whom the proxy has let in says the proxy, with every request anew.
  if (found.way === "proxy" && door.ways.proxyUser(end.incoming) !== found.person.name) return undefined;
  return { ...found, secret };
}
