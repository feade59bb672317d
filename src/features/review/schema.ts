import { z } from "@hono/zod-openapi";
import { count, finding, moment, sentence, texts } from "../../core/schema.ts";
import { visibleFile } from "../../diff/schema.ts";
import { blockKind, blockWord, decision } from "../../registry/schema.ts";
import { mostPerPage, pageFields, pageQuery, sourceId, typedDigest, wholeDigest } from "../http/query.ts";
import { entryLine, provenanceView, reasons, revisionView, skillDiff } from "../skills/schema.ts";

const findings = z.array(finding).readonly();

export const queueQuery = z.strictObject({ source: sourceId.optional(), ...pageQuery });

const approvals = z
  .object({ needed: count, by: texts })
  .openapi("Approvals")
  .describe("How many different people must approve what is current, and who has.");

/** What waits, as far as it can be told without opening it. */
const waitingLine = z
  .object({
    ...entryLine.shape,
    // RV-5
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

export type WaitingLine = z.infer<typeof waitingLine>;

export const queue = z
  .object({
    ...pageFields(waitingLine),
    turnedDown: count.describe("In such a state too, but a person has already turned down what is current."),
    noticed: findings,
  })
  .openapi("Queue");

export type Queue = z.infer<typeof queue>;

export const reviewView = z
  .object({
    ...entryLine.shape,
    revision: revisionView,
    // Field by field as it was read, each value as canonical JSON.
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
  .openapi("Review");

export type ReviewView = z.infer<typeof reviewView>;

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
    overrides: codes.readonly().optional().describe("Codes of findings to override with it; takes a reason."),
    reason: sentence.optional(),
    note,
  }),
  z.strictObject({
    act: z.literal("override"),
    digest: shown,
    rollback,
    overrides: codes.min(1).readonly(),
    reason: sentence.min(1),
  }),
  z.strictObject({ act: z.literal("reject"), digest: shown.optional(), rollback, note }),
  z.strictObject({ act: z.literal("disable"), digest: shown.optional(), rollback, note }),
]);

type SayingAsked = z.infer<typeof saying>;
type Approval = Extract<SayingAsked, { act: "approve" }>;

/** An approval has every field. A command line may leave any out, and the flow refuses that with the next step. */
export type Saying = Pick<SayingAsked, "act"> & {
  readonly [Field in Exclude<keyof Approval, "act">]?: Approval[Field] | undefined;
};

export const said = z
  .object({ decisions: z.array(decision).readonly(), standing: entryLine.describe("Where the entry stands now.") })
  .openapi("Said");

export type Said = z.infer<typeof said>;

export const cleanAsked = z.strictObject({
  entries: z
    .array(z.strictObject({ entry: z.string().min(1).max(2000), digest: wholeDigest }))
    .min(1)
    .max(mostPerPage)
    .readonly()
    .optional()
    .describe("Only these, each as long as it has the digest that was shown; what is not so any more is left out."),
  source: sourceId.optional(),
  withoutGrants: z.boolean().optional(),
  note,
});

export type CleanAsked = Readonly<z.infer<typeof cleanAsked>>;

export const cleanReport = z
  .object({
    approved: texts,
    withGrants: texts.describe("Those whose tools are pre-approved with it."),
    leftOut: z.array(z.object({ entry: z.string(), why: z.string() })).readonly(),
  })
  .openapi("CleanReport");

export type CleanReport = z.infer<typeof cleanReport>;

export const blocks = z.array(blockWord).readonly();

export const blockAsked = z.strictObject({
  kind: blockKind,
  value: z.string().min(1).max(2000),
  reason: sentence.min(1),
});

export type BlockWanted = z.infer<typeof blockAsked>;

export const blocked = z
  .object({
    block: blockWord,
    known: z.boolean().describe("False: nothing in the registry fits it now; it holds for whatever comes."),
    changed: count.describe("How many skills went out of use, or came back into it, with this word."),
  })
  .openapi("Blocked");

export type Blocked = z.infer<typeof blocked>;
