import { listEvaluations, showEvaluation } from "./flow.ts";
import { oneAtATime } from "../http/concurrency-limit.ts";
import type { Serving } from "../serving.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** RT-8: how well routing works, run by run. */
export function mountEvaluations(routes: ApiRoutes, evaluate: Serving["evaluate"]): void {
  const alone = oneAtATime("an evaluation");
  routes.get(
    {
      path: "/api/evaluations",
      summary: "Runs that were kept, the latest first.",
      query: schemas.evaluationsQuery,
      answer: schemas.evaluationPage,
    },
    ({ app, query }) => listEvaluations(app, query),
  );
  routes.post(
    {
      path: "/api/evaluations",
      summary: "Route every query of a golden set, and keep what came of it; one at a time on each node.",
      asked: schemas.evaluationAsked,
      body: "queries",
      answer: schemas.evaluationView,
    },
    ({ person, signal }, asked) => alone(() => evaluate(person, { ...asked, signal })),
  );
  routes.get(
    {
      path: "/api/evaluations/{id}",
      summary: "One run, with its confusions, its misses and what other floors would do.",
      answer: schemas.evaluationView,
    },
    ({ app, id }) => showEvaluation(app, id),
  );
}
