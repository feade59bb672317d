import { z } from "@hono/zod-openapi";
import type { AuditPage } from "../../../app/audit.ts";
import { partNames } from "../../../app/verification-part.ts";
import type { VerificationReport } from "../../../app/verification.ts";
import type { AuditRecord } from "../../../registry/audit.ts";
import { finding } from "../schemas.ts";
import { count, moment, type Sent, wholeNumber } from "./registry.ts";

export const auditRecord = z
  .object({
    seq: count,
    at: moment,
    by: z.string(),
    act: z.string(),
    subject: z.string(),
    details: z.string().describe("Canonical JSON: what is hashed is what is stored."),
    prev: z.string(),
    hash: z.string(),
  })
  .openapi("AuditRecord") satisfies z.ZodType<AuditRecord>;

export const auditPage = z
  .object({
    items: z.array(auditRecord).readonly().describe("The newest first."),
    next: count.nullable().describe("To be sent as `before`; null when no earlier record fits."),
  })
  .openapi("AuditPage") satisfies z.ZodType<Sent<AuditPage>>;

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

export const verificationReport = z
  .object({
    store: z.string(),
    passes: z.boolean().describe("No finding at all."),
    parts: z
      .array(
        z.object({
          part: z.enum(partNames),
          checked: count,
          note: z.string().nullable(),
          found: count.describe("How many faults; the first of them are in `findings`."),
          findings: z.array(finding).readonly(),
        }),
      )
      .readonly(),
  })
  .openapi("VerificationReport") satisfies z.ZodType<Sent<VerificationReport>>;

export const verifyAsked = z.strictObject({
  all: z.boolean().optional().describe("The bytes of every revision that is kept, not only of those in use."),
});
