import { removeDemonstration } from "../../../app/demonstration.ts";
import { viewOverview } from "../../../app/overview.ts";
import type { Door } from "../../door.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/overview.ts";

/** SV-3: what needs somebody today. Usage and audit go on without a new generation, so that it carries no tag. */
export function mountOverview(operations: Operations, { served }: Door, api: Api): void {
  operations.get(
    { path: "/api/overview", summary: "What needs somebody today.", answer: schemas.overview },
    async ({ person }) => {
      const { checks } = await served.isReady();
      return viewOverview(
        api.as(person),
        checks.filter(({ ok }) => !ok),
      );
    },
  );
  operations.delete(
    {
      path: "/api/demonstration",
      summary: "Remove what the demonstration has prepared.",
      answer: schemas.removedDemonstration,
    },
    ({ person }) => removeDemonstration(api.as(person)),
  );
}
