import { approveClean } from "./approve-clean.ts";
import { addBlock, liftBlock, listBlocks } from "./blocks.ts";
import { reviewQueue } from "./queue.ts";
import { readRaw, say, showReview } from "./flow.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** RV-4, RV-5. What shows bytes carries no tag: it is verified anew each time it is asked for. */
export function mountReview(routes: ApiRoutes): void {
  routes.get(
    {
      path: "/api/review",
      summary: "What waits for somebody's word.",
      query: schemas.queueQuery,
      answer: schemas.queue,
      perGeneration: true,
    },
    ({ app, query }) => reviewQueue(app, query),
  );
  // Before the entries: this is none of them.
  routes.post(
    {
      path: "/api/review/approve-clean",
      summary: "Approve everything that waits and is clean, each with a signed word of its own.",
      asked: schemas.cleanAsked,
      answer: schemas.cleanReport,
    },
    ({ app }, asked) => approveClean(app, asked),
  );
  routes.get(
    { path: "/api/review/{entry}", summary: "What is put before a person now.", answer: schemas.reviewView },
    ({ app, entry }) => showReview(app, entry),
  );
  routes.post(
    {
      path: "/api/review/{entry}",
      summary: "Say a word on the digest that was shown.",
      asked: schemas.saying,
      answer: schemas.said,
    },
    ({ app, entry }, saying) => say(app, entry, saying),
  );
  routes.get(
    {
      path: "/api/review/{entry}/raw",
      summary: "Every file as it is, with what cannot be seen made visible.",
      query: schemas.rawQuery,
      answer: schemas.rawFiles,
    },
    async ({ app, entry, query }) => ({ files: await readRaw(app, entry, query.digest) }),
  );
}

/** RV-9. */
export function mountBlocks(routes: ApiRoutes): void {
  routes.get(
    { path: "/api/blocks", summary: "The blocks that stand.", answer: schemas.blocks, perGeneration: true },
    ({ app }) => listBlocks(app),
  );
  routes.post(
    {
      path: "/api/blocks",
      summary: "Keep something out of use, wherever it comes from.",
      asked: schemas.blockAsked,
      answer: schemas.blocked,
    },
    ({ app }, asked) => addBlock(app, asked),
  );
  routes.post(
    { path: "/api/blocks/lift", summary: "Lift a block.", asked: schemas.blockAsked, answer: schemas.blocked },
    ({ app }, asked) => liftBlock(app, asked),
  );
}
