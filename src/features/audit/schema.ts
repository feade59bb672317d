import { z } from "@hono/zod-openapi";
import { count, digest, finding, moment } from "../../core/schema.ts";
import { auditRecord, blockWord, decision, state } from "../../registry/schema.ts";
import { usageEvents } from "../../registry/usage/usage.ts";
import { wholeNumber } from "../http/query.ts";
import { partNames } from "./checking.ts";

export const auditPage = z
  .object({
    items: z.array(auditRecord).readonly().describe("The newest first."),
    next: count.nullable().describe("To be sent as `before`; null when no earlier record fits."),
  })
  .openapi("AuditPage");

export type AuditPage = z.infer<typeof auditPage>;

const word = z.string().min(1).max(512);

export const auditQuery = z.strictObject({
  act: word.optional().describe("How the act begins: `decision.` for all decisions."),
  subject: word.optional().describe("A part of the subject."),
  by: word.optional(),
  since: z.string().max(40).optional().describe("`2026-01-31` or `2026-01-31T18:00:00Z`."),
  before: z
    .string()
    .regex(/^\d{1,15}$/, "must be the number of a record")
    .transform(Number)
    .optional()
    .openapi({ type: "integer" })
    .describe("`next` of the page before."),
  limit: wholeNumber(1, 500).optional().describe("100 when nothing is said."),
});

const verificationPart = z.object({
  part: z.enum(partNames),
  checked: count,
  note: z.string().nullable(),
  found: count.describe("How many faults; the first of them are in `findings`."),
  findings: z.array(finding).readonly(),
});

export type VerificationPart = z.infer<typeof verificationPart>;

export const verificationReport = z
  .object({
    store: z.string(),
    passes: z.boolean().describe("No finding at all."),
    parts: z.array(verificationPart).readonly(),
  })
  .openapi("VerificationReport");

export type VerificationReport = z.infer<typeof verificationReport>;

export const verifyAsked = z.strictObject({
  all: z.boolean().optional().describe("The bytes of every revision that is kept, not only of those in use."),
});

/** Where something happened to a digest. */
const place = {
  entry: z.string(),
  event: z.enum(usageEvents),
  configuration: z.string().nullable(),
  task: z.string().nullable(),
  conversation: z.string().nullable(),
  tool: z.string().nullable().describe("Which tool was denied."),
};

const use = z.object({ ...place, times: count, first: moment, last: moment });
const singleUse = z.object({ ...place, at: moment, digest });

export const whereabouts = z
  .object({
    digest,
    entries: z
      .array(
        z.object({
          entry: z.string(),
          state,
          isCurrent: z.boolean(),
          isInUse: z.boolean(),
          attachedTo: z.array(z.templateLiteral([z.enum(["config:", "task:"]), z.string()])).readonly(),
        }),
      )
      .readonly(),
    decisions: z.array(decision).readonly(),
    block: z.union([blockWord, z.null()]),
    uses: z
      .union([z.array(use).readonly(), z.array(singleUse).readonly()])
      .describe("The latest first; one for each place, or with `each` for each single use."),
    more: z.boolean(),
    expiredBefore: moment.nullable().describe("What was used before is not known any more; null: all is kept."),
    spooled: count.describe("Batches of usage that wait on this node and are not in `uses`."),
  })
  .openapi("Whereabouts");

export type Whereabouts = z.infer<typeof whereabouts>;

export const whereQuery = z.strictObject({
  each: z.enum(["true", "false"]).optional(),
  limit: wholeNumber(1, 1000).optional().describe("100 when nothing is said."),
});
