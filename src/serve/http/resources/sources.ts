import type { App } from "../../../app/app.ts";
import { addSource } from "../../../app/add-source.ts";
import { dropSource, listSourceLines, setSource, showSource } from "../../../app/sources.ts";
import { type SyncReport, syncSources } from "../../../app/syncs.ts";
import { AppError } from "../../../base/error.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/sources.ts";
import { shownFailure } from "../shown-failure.ts";

/**
 * Where skills come from. None of them carries a tag: how a sync goes on is no new generation. A sync goes on when
 * whoever asked for it leaves; how far it has come is told to whoever looks on.
 */
export function mountSources(operations: Operations, api: Api): void {
  operations.get(
    { path: "/api/sources", summary: "Every source, with the states of its skills.", answer: schemas.sourceLines },
    ({ person }) => listSourceLines(api.as(person)),
  );
  operations.post(
    {
      path: "/api/sources",
      summary: "Add a source, and read it unless only adding is asked for.",
      asked: schemas.sourceAdded,
      answer: schemas.addReport,
    },
    async ({ person }, { place, ...wishes }) =>
      withShownFailures(await addSource(api.as(person), place, wishes, { live: api.live })),
  );
  operations.get({ path: "/api/sources/{id}", summary: "One source.", answer: schemas.sourceView }, ({ person, id }) =>
    showSource(api.as(person), id),
  );
  operations.patch(
    {
      path: "/api/sources/{id}",
      summary: "Change what people say of it; what is not sent stays.",
      asked: schemas.sourceChanged,
      answer: schemas.sourceView,
    },
    ({ person, id }, wishes) => setSource(api.as(person), id, wishes),
  );
  operations.delete(
    { path: "/api/sources/{id}", summary: "Remove it; its skills go out of use.", answer: schemas.droppedSource },
    ({ person, id }) => dropSource(api.as(person), id),
  );
  mountSyncs(operations, api);
}

function mountSyncs(operations: Operations, api: Api): void {
  operations.post(
    {
      path: "/api/sources/{id}/sync",
      summary: "Sync it; answered when the sync has ended.",
      query: schemas.syncQuery,
      answer: schemas.syncReport,
    },
    ({ person, id, query }) => syncOne(api.as(person), id, { ...query, live: api.live }),
  );
  operations.post(
    {
      path: "/api/sync",
      summary: "Sync all sources that are switched on, one after the other, also when one fails.",
      query: schemas.syncQuery,
      answer: schemas.syncReport,
    },
    async ({ person, query }) => withShownFailures(await syncSources(api.as(person), [], { ...query, live: api.live })),
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
