import { type Failure, failureOf, isForTheLog } from "../features/http/statuses.ts";
import type { Door, Wire } from "./door.ts";
import { guard } from "./guard/guard.ts";
import { unlistedRoutes } from "./routes.ts";
import { type Rendered, send } from "./send.ts";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";

/** How a client expects to be told of a failure. */
export type Shape = "problem" | "openai" | "anthropic";

/** CO-16: a failure as the official clients read it, or as `application/problem+json` (SV-2). */
export function renderError(shape: Shape, error: unknown, request: string): Rendered {
  return renderFailure(shape, failureOf(error), request);
}

export function renderFailure(shape: Shape, failure: Failure, request: string): Rendered {
  const type = shape === "problem" ? "application/problem+json" : "application/json";
  const headers = {
    "content-type": type,
    ...failure.headers,
    ...(shape === "anthropic" ? { "request-id": request } : {}),
  };
  return { status: failure.status, headers, body: JSON.stringify(bodyOf(shape, failure, request)) };
}

function bodyOf(shape: Shape, { status, code, detail }: Failure, request: string): object {
  if (shape === "openai") return { error: { message: detail, type: openaiType(status), param: null, code } };
  if (shape === "anthropic")
    return { type: "error", error: { type: anthropicType(status), message: detail }, request_id: request };
  return { type: "about:blank", title: titles[status] ?? "Error", status, code, detail, request };
}

/** RFC 9457: with `about:blank`, the title is the name of the status. */
const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  413: "Content Too Large",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

const openaiTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

function openaiType(status: number): string {
  return openaiTypes[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");
}

const anthropicTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
};

function anthropicType(status: number): string {
  return anthropicTypes[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
}

const gatewayPath = /^\/(?:c\/[^/]*\/)?v1(?=\/|$)/;

/** What a client expects by what it asks for: under `/v1` and `/c/` it is one of the two protocols. */
export function shapeOf(url: string, headers: Readonly<Record<string, unknown>>): Shape {
  const path = url.split("?", 1)[0] ?? "";
  if (!gatewayPath.test(path) && !path.startsWith("/c/")) return "problem";
  const asked = path.replace(gatewayPath, "");
  const isAnthropic = asked === "/messages" || asked.startsWith("/messages/") || "anthropic-version" in headers;
  return isAnthropic ? "anthropic" : "openai";
}

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
