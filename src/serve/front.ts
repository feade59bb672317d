import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import type { Door, Wire } from "./door.ts";
import { guard } from "./guard.ts";
import { renderError, shapeOf } from "./problem.ts";
import { unlistedRoutes } from "./routes.ts";
import { send } from "./send.ts";
import { failureOf, isForTheLog } from "./statuses.ts";

/** The doors on one server, behind one guard and with one way to fail. */
export function createFront(door: Door, doors: readonly Hono<Wire>[]): Hono<Wire> {
  const front = new Hono<Wire>();
  front.use(guard(door));
  for (const routes of doors) front.route("/", routes);
  front.onError((error, { env }) => answerError(door, env, error));
  const unlisted = unlistedRoutes(front.routes);
  if (unlisted.length > 0) throw new Error(`give these a row in serve/routes.ts: ${unlisted.join(", ")}`);
  return front;
}

/** A failure in the shape the client expects; nothing when it is gone or has been given a part of an answer. */
export function answerError(door: Door, { exchange, incoming, outgoing }: Wire["Bindings"], error: unknown): Response {
  if (exchange.isGone) return RESPONSE_ALREADY_SENT;
  exchange.notes["code"] = failureOf(error).code;
  if (isForTheLog(error)) door.log.failure(exchange.id, error);
  if (outgoing.headersSent) {
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  return send(outgoing, renderError(shapeOf(incoming.url ?? "", incoming.headers), error, exchange.id));
}
