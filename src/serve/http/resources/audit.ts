import { z } from "@hono/zod-openapi";
import { demandAudit, exportAudit, pageAudit, parseMoment } from "../../../app/audit.ts";
import { inspectBeside } from "../../../app/inspect.ts";
import { verifyStore } from "../../../app/verification.ts";
import { whereUsed } from "../../../app/where.ts";
import { type Door, personOf } from "../../door.ts";
import { fewAtATime, oneAtATime } from "../../one-at-a-time.ts";
import { sendBytes } from "../../send.ts";
import { sendParts } from "../../send-parts.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/audit.ts";
import { whereabouts, whereQuery } from "../schemas/where.ts";

const usualRecords = 100;
const usualUses = 100;
const lines = "application/x-ndjson";

/** RV-8: what happened, whether the record of it is the one that was written, and where a digest was used. */
export function mountAudit(operations: Operations, door: Door, api: Api): void {
  operations.get(
    {
      path: "/api/audit",
      summary: "Records of changes, the newest first.",
      query: schemas.auditQuery,
      answer: schemas.auditPage,
    },
    async ({ person, query: { since, limit = usualRecords, ...narrowing } }) =>
      pageAudit(api.as(person), {
        ...narrowing,
        since: since === undefined ? since : parseMoment(since),
        limit,
      }),
  );
  operations.get(
    {
      path: "/api/where/{digest}",
      summary: "Everything that a revision is, was and touched; by its digest, or how that begins.",
      query: whereQuery,
      answer: whereabouts,
    },
    ({ person, parameters: { digest = "" }, query: { each, limit = usualUses } }) =>
      whereUsed(api.as(person), { digest, each: each === "true", limit }),
  );
  mountVerification(operations, api);
  mountExport(operations, door, api);
}

/** It reads the whole store: for one at a time, and through connections of its own. */
function mountVerification(operations: Operations, api: Api): void {
  const alone = oneAtATime("a verification");
  operations.post(
    {
      path: "/api/audit/verify",
      summary: "Verify everything that can be; one at a time on each node.",
      asked: schemas.verifyAsked,
      answer: schemas.verificationReport,
    },
    ({ person }, { all = false }) =>
      alone(async () => {
        const opened = await inspectBeside(api.as(person));
        try {
          return await verifyStore(opened, { all });
        } finally {
          await opened.close();
        }
      }),
  );
}

/** Each has connections of its own: so many at a time on a node, and none for whoever asks for the head alone (T41). */
function mountExport(operations: Operations, { timer }: Door, api: Api): void {
  const few = fewAtATime(2, "two exports of the audit are running on this node; wait for one to end");
  const headers = { "content-type": lines, "content-disposition": 'attachment; filename="audit.jsonl"' };
  operations.getRaw(
    {
      path: "/api/audit/export",
      summary:
        "Every record as one line of JSON, and at the end the checkpoint as it was signed; two at a time on each node.",
      answer: z.string(),
      type: lines,
    },
    async ({ env: { incoming, outgoing, exchange } }) => {
      const app = api.as(personOf(exchange));
      demandAudit(app);
      if (incoming.method === "HEAD") return sendBytes(outgoing, 200, headers, null);
      return few(async () => {
        const opened = await inspectBeside(app);
        try {
          const records = exportAudit(opened, (count) => void (exchange.notes["records"] = count));
          return await sendParts(outgoing, headers, records, timer);
        } finally {
          await opened.close();
        }
      });
    },
  );
}
