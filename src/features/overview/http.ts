import { removeDemonstration } from "./demonstration.ts";
import { viewOverview } from "./flow.ts";
import type { Serving } from "../serving.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** SV-3: what needs somebody today. Usage and audit go on without a new generation, so that it carries no tag. */
export function mountOverview(routes: ApiRoutes, isReady: Serving["isReady"]): void {
  routes.get(
    { path: "/api/overview", summary: "What needs somebody today.", answer: schemas.overview },
    async ({ app }) => {
      const { checks } = await isReady();
      return viewOverview(
        app,
        checks.filter(({ ok }) => !ok),
      );
    },
  );
  routes.delete(
    {
      path: "/api/demonstration",
      summary: "Remove what the demonstration has prepared.",
      answer: schemas.removedDemonstration,
    },
    ({ app }) => removeDemonstration(app),
  );
}
