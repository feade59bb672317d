import { listEvaluations, showEvaluation } from "../../../app/evaluations.ts";
import { oneAtATime } from "../../one-at-a-time.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/evaluations.ts";

/** RT-8: how well routing works, run by run. */
export function mountEvaluations(operations: Operations, api: Api): void {
  const alone = oneAtATime("an evaluation");
  operations.get(
    {
      path: "/api/evaluations",
      summary: "Runs that were kept, the latest first.",
      query: schemas.evaluationsQuery,
      answer: schemas.evaluationPage,
    },
    ({ person, query }) => listEvaluations(api.as(person), query),
  );
  operations.post(
    {
      path: "/api/evaluations",
      summary: "Route every query of a golden set, and keep what came of it; one at a time on each node.",
      asked: schemas.evaluationAsked,
      body: "queries",
      answer: schemas.evaluationView,
    },
    ({ person, exchange }, asked) => alone(() => api.evaluate(person, { ...asked, signal: exchange.signal })),
  );
  operations.get(
    {
      path: "/api/evaluations/{id}",
      summary: "One run, with its confusions, its misses and what other floors would do.",
      answer: schemas.evaluationView,
    },
    ({ person, id }) => showEvaluation(api.as(person), id),
  );
}
