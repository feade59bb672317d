import { z } from "@hono/zod-openapi";
import type { App } from "../../app/app.ts";
import { inspectBeside } from "../../app/inspect.ts";
import { demandAudit, exportAudit } from "../../features/audit/flow.ts";
import { fewAtATime } from "../../features/http/concurrency-limit.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { type Door, personOf } from "../door.ts";
import { sendBytes, sendParts } from "../send.ts";
import type { Operations } from "./operations.ts";

const lines = "application/x-ndjson";

/** Each has connections of its own: so many at a time on a node, and none for whoever asks for the head alone (T41). */
export function mountAuditExport(operations: Operations, { timer }: Door, as: (person: Person) => App): void {
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
      const app = as(personOf(exchange));
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
