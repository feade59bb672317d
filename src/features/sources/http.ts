import type { App } from "../../app/app.ts";
import { addSource } from "./add.ts";
import { dropSource, listSourceLines, setSource, showSource } from "./flow.ts";
import { type Live, shownFailure, syncSources } from "./sync.ts";
import { AppError } from "../../core/error.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { sourceChange } from "../../sources/schema.ts";
import * as schemas from "./schema.ts";
import type { SyncReport } from "./schema.ts";

/**
 * Where skills come from. None of them carries a tag: how a sync goes on is no new generation. A sync goes on when
 * whoever asked for it leaves; how far it has come is told to whoever looks on.
 */
export function mountSources(routes: ApiRoutes, live: Live): void {
  routes.get(
    { path: "/api/sources", summary: "Every source, with the states of its skills.", answer: schemas.sourceLines },
    ({ app }) => listSourceLines(app),
  );
  routes.post(
    {
      path: "/api/sources",
      summary: "Add a source, and read it unless only adding is asked for.",
      asked: schemas.sourceAdded,
      answer: schemas.addReport,
    },
    async ({ app }, { place, ...wishes }) => withShownFailures(await addSource(app, place, wishes, { live })),
  );
  routes.get({ path: "/api/sources/{id}", summary: "One source.", answer: schemas.sourceView }, ({ app, id }) =>
    showSource(app, id),
  );
  routes.patch(
    {
      path: "/api/sources/{id}",
      summary: "Change what people say of it; what is not sent stays.",
      asked: sourceChange,
      answer: schemas.sourceView,
    },
    ({ app, id }, wishes) => setSource(app, id, wishes),
  );
  routes.delete(
    { path: "/api/sources/{id}", summary: "Remove it; its skills go out of use.", answer: schemas.droppedSource },
    ({ app, id }) => dropSource(app, id),
  );
  mountSyncs(routes, live);
}

function mountSyncs(routes: ApiRoutes, live: Live): void {
  routes.post(
    {
      path: "/api/sources/{id}/sync",
      summary: "Sync it; answered when the sync has ended.",
      query: schemas.syncQuery,
      answer: schemas.syncReport,
    },
    ({ app, id, query }) => syncOne(app, id, { ...query, live }),
  );
  routes.post(
    {
      path: "/api/sync",
      summary: "Sync all sources that are switched on, one after the other, also when one fails.",
      query: schemas.syncQuery,
      answer: schemas.syncReport,
    },
    async ({ app, query }) => withShownFailures(await syncSources(app, [], { ...query, live })),
  );
}

/** A sync of one source that fails is a failure of the request, with its code (IN-15). */
async function syncOne(app: App, id: string, options: Parameters<typeof syncSources>[2]): Promise<SyncReport> {
  const report = await syncSources(app, [id], options);
  const [result] = report.results;
  if (result?.status === "error") throw new AppError(result.error.code, result.error.message);
  return report;
}

/** Of each that failed, no more than a failed request would say. */
function withShownFailures<Report extends SyncReport>(report: Report): Report {
  return { ...report, results: report.results.map((each) => (each.status === "error" ? shownFailure(each) : each)) };
}
