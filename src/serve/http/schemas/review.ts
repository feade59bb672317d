import { z } from "@hono/zod-openapi";
import type { CleanOptions, CleanReport } from "../../../app/approve-clean.ts";
import type { Queue } from "../../../app/queue.ts";
import type { ReviewView, Said, Saying } from "../../../app/reviews.ts";
import { finding } from "../schemas.ts";
import {
  count,
  decision,
  entryLine,
  entryLineFields,
  moment,
  mostPerPage,
  pageFields,
  pageQuery,
  type Sent,
  sentence,
  sourceId,
  texts,
  typedDigest,
  wholeDigest,
} from "./registry.ts";
import { provenanceView, reasons, revisionView, skillDiff, visibleFile } from "./revisions.ts";

const findings = z.array(finding).readonly();

export const queueQuery = z.strictObject({ source: sourceId.optional(), ...pageQuery });

const approvals = z
  .object({ needed: count, by: texts })
  .openapi("Approvals")
  .describe("How many different people must approve what is current, and who has.");

const waitingLine = z
  .object({
    ...entryLineFields,
    clean: z.boolean().describe("Whether a word in bulk would take it."),
    change: z
      .enum(["new", "changed", "same"])
      .describe("Against what is in use, or was approved last: nothing ever was, other bytes, or the same."),
    approvals,
    refusal: z
      .string()
      .nullable()
      .describe("Why the caller may not approve it; null: nothing of who they are is against it."),
    files: count.nullable().describe("How many files what is current has; null: their list was changed by hand."),
    seenAt: moment.nullable().describe("When the entry first had what is current."),
  })
  .openapi("WaitingLine");

export const queue = z
  .object({
    ...pageFields(waitingLine),
    turnedDown: count.describe("In such a state too, but a person has already turned down what is current."),
    noticed: findings,
  })
  .openapi("Queue") satisfies z.ZodType<Sent<Queue>>;

export const reviewView = z
  .object({
    ...entryLineFields,
    revision: revisionView,
    frontmatter: z.array(z.object({ field: z.string(), value: z.string() })).readonly(),
    diff: skillDiff,
    reasons,
    provenance: provenanceView,
    decisions: z.array(decision).readonly(),
    approvals,
    refusals: z
      .object({ decide: z.string().nullable(), approve: z.string().nullable() })
      .describe(
        "Why the caller may not say any word on it, or not approve it; null: nothing of who they are is against it.",
      ),
    noticed: findings,
  })
  .openapi("Review") satisfies z.ZodType<Sent<ReviewView>>;

export const rawQuery = z.strictObject({ digest: typedDigest.optional() });
export const rawFiles = z.object({ files: z.array(visibleFile).readonly() }).openapi("RawFiles");

const rollback = z.boolean().optional().describe("An older kept revision is meant, not the current one.");
const codes = z.array(z.string().min(1).max(128)).max(256);
const shown = typedDigest.describe(
  "The digest that was shown, or its first digits: if it moved meanwhile, `review.stale`.",
);
const note = sentence.optional();

/** RV-5: what lets something in is said of the bytes that were shown. */
export const saying = z.discriminatedUnion("act", [
  z.strictObject({
    act: z.literal("approve"),
    digest: shown,
    rollback,
    withoutGrants: z.boolean().optional().describe("Leave the tools that it asks for without pre-approval."),
    overrides: codes.optional().describe("Codes of findings to override with it; takes a reason."),
    reason: sentence.optional(),
    note,
  }),
  z.strictObject({
    act: z.literal("override"),
    digest: shown,
    rollback,
    overrides: codes.min(1),
    reason: sentence.min(1),
  }),
  z.strictObject({ act: z.literal("reject"), digest: shown.optional(), rollback, note }),
  z.strictObject({ act: z.literal("disable"), digest: shown.optional(), rollback, note }),
]) satisfies z.ZodType<Sent<Saying>>;

export const said = z
  .object({ decisions: z.array(decision).readonly(), standing: entryLine.describe("Where the entry stands now.") })
  .openapi("Said") satisfies z.ZodType<Said>;

export const cleanAsked = z.strictObject({
  entries: z
    .array(z.strictObject({ entry: z.string().min(1).max(2000), digest: wholeDigest }))
    .min(1)
    .max(mostPerPage)
    .optional()
    .describe("Only these, each as long as it has the digest that was shown; what is not so any more is left out."),
  source: sourceId.optional(),
  withoutGrants: z.boolean().optional(),
  note,
}) satisfies z.ZodType<Sent<CleanOptions>>;

export const cleanReport = z
  .object({
    approved: texts,
    withGrants: texts.describe("Those whose tools are pre-approved with it."),
    leftOut: z.array(z.object({ entry: z.string(), why: z.string() })).readonly(),
  })
  .openapi("CleanReport") satisfies z.ZodType<CleanReport>;
