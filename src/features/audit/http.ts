import { pageAudit, parseMoment } from "./flow.ts";
import { inspectBeside } from "../../app/inspect.ts";
import { verifyStore } from "./verification.ts";
import { whereUsed } from "./where.ts";
import { oneAtATime } from "../http/concurrency-limit.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

const usualRecords = 100;
const usualUses = 100;

/** RV-8: what happened, whether the record of it is the one that was written, and where a digest was used. */
export function mountAudit(routes: ApiRoutes): void {
  routes.get(
    {
      path: "/api/audit",
      summary: "Records of changes, the newest first.",
      query: schemas.auditQuery,
      answer: schemas.auditPage,
    },
    async ({ app, query: { since, limit = usualRecords, ...narrowing } }) =>
      pageAudit(app, {
        ...narrowing,
        since: since === undefined ? since : parseMoment(since),
        limit,
      }),
  );
  routes.get(
    {
      path: "/api/where/{digest}",
      summary: "Everything that a revision is, was and touched; by its digest, or how that begins.",
      query: schemas.whereQuery,
      answer: schemas.whereabouts,
    },
    ({ app, parameters: { digest = "" }, query: { each, limit = usualUses } }) =>
      whereUsed(app, { digest, each: each === "true", limit }),
  );
  mountVerification(routes);
}

/** It reads the whole store: for one at a time, and through connections of its own. */
function mountVerification(routes: ApiRoutes): void {
  const alone = oneAtATime("a verification");
  routes.post(
    {
      path: "/api/audit/verify",
      summary: "Verify everything that can be; one at a time on each node.",
      asked: schemas.verifyAsked,
      answer: schemas.verificationReport,
    },
    ({ app }, { all = false }) =>
      alone(async () => {
        const opened = await inspectBeside(app);
        try {
          return await verifyStore(opened, { all });
        } finally {
          await opened.close();
        }
      }),
  );
}
