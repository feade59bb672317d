import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { demandModel } from "../../features/requests/answers.ts";
import type { Serving } from "../../features/serving.ts";
import type { Target } from "../../features/configurations/targets.ts";
import { AppError } from "../../core/error.ts";
import { atOneGeneration } from "../../registry/one-generation.ts";
import { readBody } from "../body.ts";
import { type Door, personOf, type Wire } from "../door.ts";
import { injectionHeaders } from "../send.ts";
import { measureServing } from "../logs/measures.ts";
import { type AskedRequest, type GatewayRoute, gatewayRoutes, parseDestination, readAsked, speaks } from "./asked.ts";
import { ask, outgoingTo, relayResponse, ResponseId } from "./relay.ts";
import { type Arrived, isInjectionOff, type Passing, type Prepared, prepare } from "./injecting.ts";
import { secretToCover } from "../../models/sdk/covered-text.ts";
import { answerModel, answerModels } from "./models.ts";
import type { Counter, Histogram, Metrics } from "../logs/metrics.ts";

const mostLogged = 16 * 1024;

/** What the gateway answers from. */
export interface Gateway {
  readonly door: Door;
  readonly serving: Serving;
  readonly measures: Measures;
}

/**
 * Stands between ordinary clients and model services, and puts the approved skills into their prompts (CO-15). Under
 * `/c/{configuration}/v1` a request says its model itself; under `/v1` the model's name says the configuration.
 */
export function createGateway(door: Door, serving: Serving): Hono<Wire> {
  const measures = new Measures(door.metrics);
  // Whatever is served from here is counted once, whichever door it came through.
  measureServing(door, serving);
  const gateway = { door, serving, measures };
  const app = new Hono<Wire>();
  for (const base of ["/v1", "/c/:configuration/v1"]) {
    for (const route of gatewayRoutes)
      app.post(base + route.path, async (context) => {
        await pass(gateway, route, context);
        return RESPONSE_ALREADY_SENT;
      });
    app.get(`${base}/models`, (context) => answerModels(gateway, context));
    app.get(`${base}/models/:model`, (context) => answerModel(gateway, context));
  }
  return app;
}

/** One request: read, find where it goes, put the skills in, send it, relay the response. */
async function pass(gateway: Gateway, route: GatewayRoute, context: Context<Wire>): Promise<void> {
  const { measures, door } = gateway;
  const { exchange } = context.env;
  try {
    const arrived = await receive(gateway, route, context);
    const start = door.clock.now();
    const { passing, prepared } = await settle(gateway, arrived, wantsNoSkills(gateway, context), exchange.signal);
    note(gateway, context, passing, prepared);
    measures.prepared(route.operation, door.clock.now() - start);
    await forward(gateway, context, passing, prepared);
  } catch (error) {
    measures.over(route.operation, exchange.isGone ? "left" : "refused");
    throw error;
  }
}

async function receive({ door }: Gateway, route: GatewayRoute, context: Context<Wire>): Promise<Arrived> {
  const { incoming, exchange } = context.env;
  const person = personOf(exchange);
  const body = await readBody(incoming, door.bodyBytes);
  exchange.bytesIn = body.length;
  const asked = readAsked(route, incoming.headers["content-type"] ?? "", body);
  return { route, person, asked, configuration: context.req.param("configuration"), request: exchange.id };
}

/** Invariant 8: the target and the skills are of one generation; both are read again when it changed in between. */
async function settle(
  gateway: Gateway,
  arrived: Arrived,
  isOff: boolean,
  signal: AbortSignal,
): Promise<{ passing: Passing; prepared: Prepared }> {
  return atOneGeneration(async () => {
    const passing = await address(gateway, arrived);
    return { passing, prepared: await prepare(gateway.serving, passing, isOff, signal) };
  });
}

async function address({ serving }: Gateway, { configuration, ...arrived }: Arrived): Promise<Passing> {
  const { asked, route, person } = arrived;
  const { name, model } =
    configuration === undefined ? parseDestination(asked.model) : { name: { configuration }, model: null };
  const target = await serving.target(person, name);
  const { provider, configuration: own } = target;
  if (!speaks(provider.protocol, route.speech))
    throw new AppError(
      "usage.invalid",
      `configuration ${own.id} speaks ${provider.protocol}, and /v1${route.path} is ${route.speech}: nothing is translated between protocols`,
    );
  const chosen = configuration === undefined ? (model ?? own.model) : modelIn(asked, target);
  demandModel(target, chosen);
  const rename = configuration === undefined ? chosen : undefined;
  return { ...arrived, target, rename, model: chosen };
}

/** A body that names no model gets whatever the service takes then: only where any model is allowed. */
function modelIn({ model }: AskedRequest, { provider, configuration }: Target): string {
  if (model !== undefined) return model;
  if (provider.models.includes("*")) return configuration.model;
  throw new AppError("usage.invalid", "model: name one; the provider's list says which are allowed");
}

function wantsNoSkills({ door }: Gateway, { env: { incoming, exchange } }: Context<Wire>): boolean {
  const header = incoming.headers["x-skillward-inject"];
  return isInjectionOff(typeof header === "string" ? header : undefined, personOf(exchange), door.policy);
}

function note(
  { serving }: Gateway,
  { env: { exchange } }: Context<Wire>,
  { target, route }: Passing,
  { record, body }: Prepared,
): void {
  const { notes, span } = exchange;
  // SV-8: only where an admin has switched it on.
  if (serving.config.gateway.logPrompts) notes["prompt"] = Buffer.from(body.subarray(0, mostLogged)).toString("utf8");
  notes["configuration"] = target.configuration.id;
  notes["generation"] = target.look.snapshot.generation;
  if (target.task !== null) notes["task"] = target.task.id;
  if (record !== undefined) notes["injection"] = record.id;
  span.set("skillward.operation", route.operation);
  span.set("skillward.configuration", target.configuration.id);
  span.set("skillward.injected", record?.included.length ?? 0);
}

async function forward(
  { door, serving, measures }: Gateway,
  { env: { incoming: request, outgoing: client, exchange } }: Context<Wire>,
  { target, route }: Passing,
  { body, record, remember }: Prepared,
): Promise<void> {
  const start = door.clock.now();
  const outgoing = outgoingTo(target, route.path, request, exchange.span.traceparent);
  const transport = await serving.transportTo(target);
  const incoming = await ask(transport, { ...outgoing, method: "POST", body, signal: exchange.signal });
  measures.answered(route.operation, door.clock.now() - start);
  const watch = route.shape === "openai-responses" && incoming.status === 200 ? new ResponseId() : undefined;
  const ending = await relayResponse(incoming, client, {
    speech: route.speech,
    secret: secretToCover(target.secret),
    request: exchange.id,
    headers:
      record === undefined
        ? { "x-skillward-generation": String(target.look.snapshot.generation) }
        : injectionHeaders({ ...record, included: record.included.length, dropped: record.dropped.length }),
    watch,
  });
  // Of an answer that was cut off nobody knows whether the upstream keeps it.
  if (incoming.status === 200 && ending.how === "ended") remember(watch?.found);
  if (ending.how === "failed") door.log.failure(exchange.id, ending.error);
  measures.over(route.operation, ending.how);
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 120];

/** What the gateway counts of its own requests (SV-8). Labels are words of ours, never of a client. */
class Measures {
  readonly #requests: Counter;
  readonly #preparing: Histogram;
  readonly #waiting: Histogram;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter("skillward_gateway_requests_total", "Requests through the gateway.", [
      "operation",
      "outcome",
    ]);
    this.#preparing = metrics.histogram(
      "skillward_gateway_prepare_seconds",
      "From the whole request to the moment it leaves.",
      seconds,
      ["operation"],
    );
    this.#waiting = metrics.histogram(
      "skillward_gateway_upstream_seconds",
      "From the moment a request leaves to the first of its answer.",
      seconds,
      ["operation"],
    );
  }

  prepared(operation: string, milliseconds: number): void {
    this.#preparing.observe(milliseconds / 1000, { operation });
  }

  answered(operation: string, milliseconds: number): void {
    this.#waiting.observe(milliseconds / 1000, { operation });
  }

  over(operation: string, outcome: "ended" | "left" | "failed" | "refused"): void {
    this.#requests.add({ operation, outcome });
  }
}
