import { explainCall, viewOf } from "./scope-view.ts";
import { storedScope } from "./stored-scope.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** What may be done while approved skills are held together (SC-3, SC-7). */
export function mountScopes(routes: ApiRoutes): void {
  routes.post(
    {
      path: "/api/scopes/compose",
      summary: "The tools that a set of skills leaves, and why each other one is denied.",
      asked: schemas.scopeAsked,
      answer: schemas.scopeView,
    },
    async ({ app }, { skills: names, strict = false, tools }) =>
      viewOf(await storedScope(app, { names, strict, tools })),
  );
  routes.post(
    {
      path: "/api/scopes/explain",
      summary: "What the gate would say to one call.",
      asked: schemas.callAsked,
      answer: schemas.explainedCall,
    },
    async ({ app }, { skills: names, strict = false, tools, call }) =>
      explainCall(await storedScope(app, { names, strict, tools }), call),
  );
}
