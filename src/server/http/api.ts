import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { injectionRecord, type InjectionRecord } from "../../registry/schema.ts";
import * as schemas from "../../features/http/words.ts";
import type { Answered, Answers } from "../../features/requests/answers.ts";
import type { App } from "../../app/app.ts";
import type { AskedEvaluation } from "../../features/evaluation/flow.ts";
import type { Live } from "../../features/sources/sync.ts";
import type { AskedPreview } from "../../features/requests/preview.ts";
import type { PublicShelf } from "../../features/publishing/public-shelf.ts";
import type { AskedRoute, RouteView } from "../../features/routing/route-query.ts";
import { safeName } from "../../core/text.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Door, Exchange, Wire } from "../door.ts";
import { injectionHeaders, sendJson } from "../send.ts";
import { mountAuditExport } from "./audit-export.ts";
import { mountHealth } from "./health.ts";
import { Operations } from "./operations.ts";
import { mountAccounts } from "../../features/people/http.ts";
import { mountAudit } from "../../features/audit/http.ts";
import { mountCompositions } from "../../features/requests/http.ts";
import { mountConfigurations, mountProviders, mountTasks } from "../../features/configurations/http.ts";
import { mountDoctor } from "../../features/health/http.ts";
import { mountEvaluations } from "../../features/evaluation/http.ts";
import { mountEvents } from "./events.ts";
import { mountOverview } from "../../features/overview/http.ts";
import { mountPublished } from "../../features/publishing/http.ts";
import { mountBlocks, mountReview } from "../../features/review/http.ts";
import { mountScopes } from "../../features/scopes/http.ts";
import { mountSession } from "./session.ts";
import { mountSkills } from "../../features/skills/http.ts";
import { mountSources } from "../../features/sources/http.ts";
import { mountTriggers } from "../../features/routing/http.ts";
import { mountUsage } from "../../features/usage/http.ts";
import type { EvaluationView } from "../../features/evaluation/schema.ts";
import type { CompositionPreview } from "../../features/requests/schema.ts";

/** What the JSON API asks of the app. */
export interface Api {
  readonly answers: Pick<Answers, "complete" | "chat" | "translate" | "runTask" | "embed">;
  /** Which skill fits a text, and why (RT-7). */
  route(person: Person, asked: AskedRoute): Promise<RouteView>;
  findInjection(person: Person, id: string): Promise<InjectionRecord>;
  /** What a request would be given (CO-7). */
  preview(person: Person, asked: AskedPreview): Promise<CompositionPreview>;
  /** How well routing works on these queries, kept (RT-8). */
  evaluate(person: Person, asked: AskedEvaluation): Promise<EvaluationView>;
  /** Every other flow, in the hands of whoever asks: each demands the rights that it takes. */
  as(person: Person): App;
  /** What happens on this node while somebody looks. */
  readonly live: Live;
  /** What this node gives to anybody, as it was made last: asking what that is makes nothing anew. */
  readonly shelf: Pick<PublicShelf, "look">;
}

/** SV-2: `/api`, its own description, health, readiness and metrics. */
export function httpRoutes(door: Door, api: Api): Hono<Wire> {
  const operations = new Operations(door, (person) => api.as(person));
  mountHealth(operations, door);
  mountModels(operations, api);
  mountRoute(operations, api);
  mountInjections(operations, api);
  mountOverview(operations, () => door.served.isReady());
  mountEvents(operations, door, api);
  mountSources(operations, api.live);
  mountReview(operations);
  mountSkills(operations);
  mountTriggers(operations);
  mountPublished(operations, api.shelf);
  mountBlocks(operations);
  mountProviders(operations);
  mountConfigurations(operations);
  mountTasks(operations);
  mountCompositions(operations, (person, asked) => api.preview(person, asked));
  mountScopes(operations);
  mountEvaluations(operations, (person, asked) => api.evaluate(person, asked));
  mountUsage(operations);
  mountAudit(operations);
  mountAuditExport(operations, door, (person) => api.as(person));
  mountDoctor(operations);
  mountSession(operations, door);
  mountAccounts(operations);
  mountDocument(operations);
  return operations.app;
}

/** CO-14: the operations; all of them inject, but for `embed`. */
function mountModels(operations: Operations, { answers }: Api): void {
  const answer = schemas.answered;
  const body = "texts";
  const headers = ({ injection }: z.infer<typeof answer>) => injectionHeaders(injection);
  operations.post(
    { path: "/api/complete", summary: "Complete a prompt.", asked: schemas.completeAsked, answer, body },
    async ({ person, exchange }, asked) =>
      noted(exchange, answers.complete(person, { ...asked, ...begun(exchange, asked.configuration) })),
    headers,
  );
  operations.post(
    { path: "/api/chat", summary: "Answer a list of messages.", asked: schemas.chatAsked, answer, body },
    async ({ person, exchange }, asked) =>
      noted(exchange, answers.chat(person, { ...asked, ...begun(exchange, asked.configuration) })),
    headers,
  );
  operations.post(
    { path: "/api/translate", summary: "Translate a text.", asked: schemas.translateAsked, answer, body },
    async ({ person, exchange }, asked) =>
      noted(exchange, answers.translate(person, { ...asked, ...begun(exchange, asked.configuration) })),
    headers,
  );
  operations.post(
    { path: "/api/tasks/{id}/run", summary: "Run a task on an input.", asked: schemas.taskAsked, answer, body },
    async ({ person, exchange, id }, asked) =>
      noted(exchange, answers.runTask(person, { ...asked, task: id, ...begun(exchange, `task:${id}`) })),
    headers,
  );
  operations.post(
    {
      path: "/api/embed",
      summary: "Turn texts into vectors.",
      asked: schemas.embedAsked,
      answer: schemas.embedded,
      body,
    },
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
      answer: injectionRecord,
    },
    ({ person, id }) => api.findInjection(person, id),
  );
}

/** Made once, when somebody asks: it does not change while the server runs. */
function mountDocument(operations: Operations): void {
  let document: ReturnType<Operations["document"]> | undefined;
  operations.getRaw(
    { path: "/api/openapi.json", summary: "This description.", answer: schemas.apiDocument },
    async (context) => {
      document ??= operations.document();
      return sendJson(context.env.outgoing, document);
    },
  );
}
