import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import type { Answered, Answers } from "../../app/answers.ts";
import type { AskedRoute, RouteView } from "../../app/route/route-query.ts";
import { safeName } from "../../base/text.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { InjectionRecord } from "../../registry/injection.ts";
import type { Door, Exchange, Wire } from "../door.ts";
import { injectionHeaders } from "../injection-headers.ts";
import { sendJson } from "../send.ts";
import { mountHealth } from "./health.ts";
import { Operations } from "./operations.ts";
import * as schemas from "./schemas.ts";

/** What the JSON API asks of the app. */
export interface Api {
  readonly answers: Pick<Answers, "complete" | "chat" | "translate" | "runTask" | "embed">;
  /** Which skill fits a text, and why (RT-7). */
  route(person: Person, asked: AskedRoute): Promise<RouteView>;
  findInjection(person: Person, id: string): Promise<InjectionRecord>;
}

/** SV-2: `/api`, its own description, health, readiness and metrics. */
export function httpRoutes(door: Door, api: Api): Hono<Wire> {
  const operations = new Operations(door);
  mountHealth(operations, door);
  mountModels(operations, api);
  mountRoute(operations, api);
  mountInjections(operations, api);
  mountDocument(operations);
  return operations.app;
}

/** CO-14: the operations; all of them inject, but for `embed`. */
function mountModels(operations: Operations, { answers }: Api): void {
  const answer = schemas.answered;
  const headers = ({ injection }: z.infer<typeof answer>) => injectionHeaders(injection);
  operations.post(
    { path: "/api/complete", summary: "Complete a prompt.", asked: schemas.completeAsked, answer },
    async ({ person, exchange }, asked) =>
      noted(exchange, answers.complete(person, { ...asked, ...begun(exchange, asked.configuration) })),
    headers,
  );
  operations.post(
    { path: "/api/chat", summary: "Answer a list of messages.", asked: schemas.chatAsked, answer },
    async ({ person, exchange }, asked) =>
      noted(exchange, answers.chat(person, { ...asked, ...begun(exchange, asked.configuration) })),
    headers,
  );
  operations.post(
    { path: "/api/translate", summary: "Translate a text.", asked: schemas.translateAsked, answer },
    async ({ person, exchange }, asked) =>
      noted(exchange, answers.translate(person, { ...asked, ...begun(exchange, asked.configuration) })),
    headers,
  );
  operations.post(
    { path: "/api/tasks/{id}/run", summary: "Run a task on an input.", asked: schemas.taskAsked, answer },
    async ({ person, exchange, id }, asked) =>
      noted(exchange, answers.runTask(person, { ...asked, task: id, ...begun(exchange, `task:${id}`) })),
    headers,
  );
  operations.post(
    { path: "/api/embed", summary: "Turn texts into vectors.", asked: schemas.embedAsked, answer: schemas.embedded },
    async ({ person, exchange }, asked) => answers.embed(person, { ...asked, ...begun(exchange, asked.configuration) }),
  );
}

function mountRoute(operations: Operations, api: Api): void {
  operations.post(
    {
      path: "/api/route",
      summary: "The skills that fit a text, with the reason, or none.",
      asked: schemas.routeAsked,
      answer: schemas.routed,
    },
    async ({ person, exchange }, asked) => {
      if (asked.configuration !== undefined) exchange.notes["configuration"] = safeName(asked.configuration);
      return api.route(person, { ...asked, signal: exchange.signal });
    },
  );
}

/** What is asked is known to the log before it is answered; the answer ends when the client goes away. */
function begun(exchange: Exchange, configuration: string): { request: string; signal: AbortSignal } {
  exchange.notes["configuration"] = safeName(configuration);
  return { request: exchange.id, signal: exchange.signal };
}

async function noted(exchange: Exchange, answering: Promise<Answered>): Promise<Answered> {
  const answer = await answering;
  exchange.notes["injection"] = answer.injection.id;
  return answer;
}

function mountInjections(operations: Operations, api: Api): void {
  operations.get(
    {
      path: "/api/injections/{id}",
      summary: "What one request was given, and what was kept from it.",
      answer: schemas.injectionRecord,
    },
    ({ person, id }) => api.findInjection(person, id),
  );
}

/** Made once, when somebody asks: it does not change while the server runs. */
function mountDocument(operations: Operations): void {
  let document: ReturnType<Operations["document"]> | undefined;
  operations.getRaw(
    { path: "/api/openapi.json", summary: "This description.", answer: z.object({ openapi: z.string() }) },
    async (context) => {
      document ??= operations.document();
      return sendJson(context.env.outgoing, document);
    },
  );
}
