import { usageView } from "../../../app/usage-view.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/usage.ts";

const usualDays = 30;

/** SV-3: what happened to skills in requests. It goes on without a new generation, so that it carries no tag. */
export function mountUsage(operations: Operations, api: Api): void {
  operations.get(
    {
      path: "/api/usage",
      summary: "How often skills were injected, dropped, routed and denied, by day and by skill.",
      query: schemas.usageQuery,
      answer: schemas.usageView,
    },
    ({ person, query: { days = usualDays, configuration } }) => usageView(api.as(person), { days, configuration }),
  );
}
