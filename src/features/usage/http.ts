import { usageView } from "./flow.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

const usualDays = 30;

/** SV-3: what happened to skills in requests. It goes on without a new generation, so that it carries no tag. */
export function mountUsage(routes: ApiRoutes): void {
  routes.get(
    {
      path: "/api/usage",
      summary: "How often skills were injected, dropped, routed and denied, by day and by skill.",
      query: schemas.usageQuery,
      answer: schemas.usageView,
    },
    ({ app, query: { days = usualDays, configuration } }) => usageView(app, { days, configuration }),
  );
}
