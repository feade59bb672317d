import { explainCall } from "../../../app/scope/explain-call.ts";
import { viewOf } from "../../../app/scope/scope-view.ts";
import { storedScope } from "../../../app/scope/stored-scope.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/scopes.ts";

/** What may be done while approved skills are held together (SC-3, SC-7). */
export function mountScopes(operations: Operations, api: Api): void {
  operations.post(
    {
      path: "/api/scopes/compose",
      summary: "The tools that a set of skills leaves, and why each other one is denied.",
      asked: schemas.scopeAsked,
      answer: schemas.scopeView,
    },
    async ({ person }, { skills: names, strict = false, tools }) =>
      viewOf(await storedScope(api.as(person), { names, strict, tools })),
  );
  operations.post(
    {
      path: "/api/scopes/explain",
      summary: "What the gate would say to one call.",
      asked: schemas.callAsked,
      answer: schemas.explainedCall,
    },
    async ({ person }, { skills: names, strict = false, tools, call }) =>
      explainCall(await storedScope(api.as(person), { names, strict, tools }), call),
  );
}
