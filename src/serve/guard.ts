import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import { demand, type Person } from "../registry/accounts/roles.ts";
import type { Door, Wire } from "./door.ts";
import { identify } from "./principal.ts";
import { type Access, nameOfRoute, routes } from "./routes.ts";

/** T39: stands before every route of every door. Nothing of a route runs, and no body is read, before it said yes. */
export function guard(door: Door, listed: ReadonlyMap<string, Access> = routes): MiddlewareHandler<Wire> {
  const failures = door.metrics.counter("skillward_auth_failures_total", "Requests without a valid key.");
  return async (context, next) => {
    const { route, access } = listedRoute(context, listed);
    context.env.exchange.route = route;
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
  const pass = door.rates.enter(person.name);
  exchange.leave = pass.leave;
  // Whoever left while the key was looked up has no end to come any more.
  if (exchange.isGone) pass.leave();
  for (const [name, value] of Object.entries(pass.headers)) outgoing.setHeader(name, value);
  if (access !== "key" && access !== "anybody") demand(person, access, door.policy);
  exchange.span = door.tracer.start(exchange.route, incoming.headers["traceparent"]);
}

async function knownPerson(door: Door, { incoming, exchange }: Wire["Bindings"], count: () => void): Promise<Person> {
  try {
    return await identify(incoming.headersDistinct, (key) => door.served.identify(key));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "auth.failed") throw error;
    count();
    door.rates.fail(exchange.address);
    throw error;
  }
}
