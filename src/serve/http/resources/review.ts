import { approveClean } from "../../../app/approve-clean.ts";
import { reviewQueue } from "../../../app/queue.ts";
import { readRaw, say, showReview } from "../../../app/reviews.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/review.ts";

/** RV-4, RV-5. What shows bytes carries no tag: it is verified anew each time it is asked for. */
export function mountReview(operations: Operations, api: Api): void {
  operations.get(
    {
      path: "/api/review",
      summary: "What waits for somebody's word.",
      query: schemas.queueQuery,
      answer: schemas.queue,
      perGeneration: true,
    },
    ({ person, query }) => reviewQueue(api.as(person), query),
  );
  // Before the entries: this is none of them.
  operations.post(
    {
      path: "/api/review/approve-clean",
      summary: "Approve everything that waits and is clean, each with a signed word of its own.",
      asked: schemas.cleanAsked,
      answer: schemas.cleanReport,
    },
    ({ person }, asked) => approveClean(api.as(person), asked),
  );
  operations.get(
    { path: "/api/review/{entry}", summary: "What is put before a person now.", answer: schemas.reviewView },
    ({ person, entry }) => showReview(api.as(person), entry),
  );
  operations.post(
    {
      path: "/api/review/{entry}",
      summary: "Say a word on the digest that was shown.",
      asked: schemas.saying,
      answer: schemas.said,
    },
    ({ person, entry }, saying) => say(api.as(person), entry, saying),
  );
  operations.get(
    {
      path: "/api/review/{entry}/raw",
      summary: "Every file as it is, with what cannot be seen made visible.",
      query: schemas.rawQuery,
      answer: schemas.rawFiles,
    },
    async ({ person, entry, query }) => ({ files: await readRaw(api.as(person), entry, query.digest) }),
  );
}
